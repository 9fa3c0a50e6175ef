import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../generators/schema/json.js";
import { walk } from "../../generators/schema/walk.js";
import { decodeHtml } from "../emit/markup-nodes.js";
import { openSite } from "./site.js";

const { protocols, page } = await openSite();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    test("check 13, 14: every reference has its link back, every alternative its place", () => {
      let alternatives = 0;
      for (const [owner, schema] of Object.entries(protocol.schema.$defs!)) {
        const html = page(`${profile}/types/${owner}.html`);
        const shown = decodeHtml(html.slice(0, html.indexOf('<h2 id="used-by">')));
        walk(schema, (part, path) => {
          if (path.includes("not")) return;
          if (part.$ref !== undefined) {
            const target = page(`${profile}/types/${part.$ref.slice("#/$defs/".length)}.html`);
            expect(target.slice(target.indexOf('<h2 id="used-by">'))).toMatch(
              new RegExp(`href="${owner}\\.html[#"]`),
            );
          }
          for (const branch of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) {
            const name = alternativeName(branch);
            if (name === undefined) continue;
            alternatives++;
            expect(shown, `${owner}: ${name}`).toContain(name);
          }
        });
      }
      expect(alternatives).toBeGreaterThan(100);
    });
  },
);

/** What a branch of a union is called on a page; nothing for a plain `null` or a reference, which is a link. */
function alternativeName(branch: JsonSchema): string | undefined {
  if (branch.const !== undefined) return JSON.stringify(branch.const);
  const tag = Object.values(branch.properties ?? {}).find(
    (property) => property.const !== undefined,
  );
  if (tag !== undefined) return JSON.stringify(tag.const);
  return branch.title;
}
