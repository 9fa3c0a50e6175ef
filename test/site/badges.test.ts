import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../generators/schema/json.js";
import { methodPage } from "./markup.js";
import { openSite } from "./site.js";

const { protocols, byName, pages, page } = await openSite();

describe("check 9: what only the unstable schemas have", () => {
  test.each([
    ["v1", "v1-unstable"],
    ["v2", "v2-unstable"],
  ])("carries a badge wherever it is described (%s, %s)", (stable, unstable) => {
    const before = byName.get(stable)!.schema.$defs!;
    const after = byName.get(unstable)!.schema.$defs!;
    const missing: string[] = [];
    const counts = { types: 0, fields: 0, variants: 0 };
    for (const [name, schema] of Object.entries(after)) {
      const html = page(`${unstable}/types/${name}.html`);
      const head = html.slice(html.indexOf("<h1>"), html.indexOf('<h2 id="definition">'));
      const isEnvelope = byName
        .get(unstable)!
        .definitions.find((item) => item.name === name)!.envelope;
      if (!(name in before)) {
        counts.types++;
        if (!head.includes("(unstable)")) missing.push(name);
        continue;
      }
      if (isEnvelope) continue;
      for (const field of Object.keys(schema.properties ?? {})) {
        if (field in (before[name]!.properties ?? {})) continue;
        counts.fields++;
        if (!place(html, `field-${field}`, "</tr>").includes("(unstable)"))
          missing.push(`${name}.${field}`);
      }
      const tags = (part: JsonSchema): readonly string[] =>
        [...(part.anyOf ?? []), ...(part.oneOf ?? [])].flatMap((branch) => {
          const value =
            branch.const ??
            Object.values(branch.properties ?? {}).find((item) => item.const !== undefined)?.const;
          return typeof value === "string" ? [value] : [];
        });
      for (const tag of tags(schema)) {
        if (tags(before[name]!).includes(tag)) continue;
        counts.variants++;
        const text = html.includes(`id="variant-${tag}"`)
          ? place(html, `variant-${tag}`, "</dd>")
          : place(html, `value-${tag}`, "</tr>");
        if (!text.includes("(unstable)")) missing.push(`${name} ${tag}`);
      }
    }
    expect(missing).toEqual([]);
    expect(counts.types).toBeGreaterThan(50);
    expect(counts.fields).toBeGreaterThan(4);
    expect(counts.variants).toBeGreaterThan(3);
  });

  test("is marked in the lists of methods too, and in the navigation", () => {
    const protocol = byName.get("v1-unstable")!;
    const html = page("v1-unstable/index.html");
    for (const { name, feature } of protocol.methods) {
      const link = `href="${methodPage(name)}"`;
      const row = html.split("<tr>").find((part) => part.includes(link) && part.includes("<td>"))!;
      expect(row.includes("(unstable)"), name).toBe(feature !== undefined);
      const entry = html
        .split("<li>")
        .find((part) => part.includes(link) && part.includes("<code>"))!;
      expect(entry.includes("added by a feature"), name).toBe(feature !== undefined);
    }
  });

  /** The part of a page that begins with an id. */
  function place(html: string, id: string, end: string): string {
    const start = html.indexOf(`id="${id}"`);
    expect(start, id).toBeGreaterThan(-1);
    return html.slice(start, html.indexOf(end, start));
  }
});

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));

    test("check 10: pages of drafts say so, and only those", () => {
      for (const [path, html] of own)
        expect(html.includes('<p class="draft">'), path).toBe(protocol.version === "v2");
    });

    test("check 11: every method shows direction, kind and gate", () => {
      for (const { name, side, kind, gate } of protocol.methods) {
        const html = page(`${profile}/${methodPage(name)}`);
        expect(gate, name).toBeDefined();
        expect(html, name).toContain(`<span class="badge kind">${kind}</span>`);
        expect(html, name).toMatch(
          /<p class="gate"><strong>Gate\.<\/strong> (Always|Allowed|Recommended|Useful)/,
        );
        const from = {
          agent: "client",
          client: "agent",
          protocol: "either side",
          proxy: "conductor",
        }[side];
        expect(html, name).toContain(`<span class="badge kind">${from} → `);
      }
    });
  },
);
