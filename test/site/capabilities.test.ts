import { describe, expect, test } from "vitest";
import { methodPage } from "./markup.js";
import { openSite } from "./site.js";

const { protocols, page } = await openSite();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    test("check 12: every gate leads to its capability, and the capability back", () => {
      const matrix = page(`${profile}/capabilities.html`);
      const gated = protocol.methods.filter(
        ({ gate }) => gate?.kind === "capability" && gate.side !== "session",
      );
      expect(gated.length).toBeGreaterThan(5);
      for (const { name, gate } of gated) {
        if (gate?.kind !== "capability") continue;
        const html = page(`${profile}/${methodPage(name)}`);
        expect(html, name).toMatch(
          new RegExp(`<p class="gate">.*href="[^"]*types/\\w+\\.html#field-${gate.path.at(-1)}"`),
        );
        const id = `${gate.side}-${gate.path.join(".")}`;
        const row = matrix.slice(matrix.indexOf(`<tr id="${id}">`)).split("</tr>")[0]!;
        expect(row, id).toContain(`href="${methodPage(name)}"`);
      }
    });
  },
);
