import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { methodPage, methodSections, words } from "../support/markup.js";
import { partsOf } from "../support/schema-parts.js";
import { openSite } from "../support/site.js";
import { readReference } from "../../reference/reference.js";

const { protocols, pages, page } = await openSite();

describe.each(["v1", "v2"])(
  "a part that only the published unstable schema of %s has",
  (version) => {
    const before = readReference(version);
    const after = readReference(`${version}-unstable`);
    const unstable = `${version}-unstable`;
    const added = Object.keys(after.$defs!).filter((name) => !(name in before.$defs!));

    test("has its badge: types, methods, and properties and alternatives at any depth", () => {
      const found = { types: 0, fields: 0, alternatives: 0, methods: 0 };
      const missing: string[] = [];
      for (const [name, schema] of Object.entries(after.$defs!)) {
        const html = page(`${unstable}/types/${name}.html`);
        if (added.includes(name)) {
          found.types++;
          if (!headOf(html).includes("(unstable)")) missing.push(name);
          continue;
        }
        // Envelopes follow from the methods.
        if (schema["x-docs-ignore"]) continue;
        const stable = partsOf(before.$defs![name]!);
        for (const id of topmost(
          [...partsOf(schema).keys()].filter((place) => !stable.has(place)),
        )) {
          if (/(^|\.)field-[^.]+$/.test(id)) found.fields++;
          else found.alternatives++;
          if (!badgesAt(html, id).includes("(unstable)")) missing.push(`${name}#${id}`);
        }
      }
      const methods = methodsOf(after).filter((name) => !methodsOf(before).includes(name));
      for (const name of methods) {
        found.methods++;
        const sections = methodSections(page(`${unstable}/${methodPage(name)}`));
        expect(sections.length).toBeGreaterThan(0);
        for (const section of sections)
          if (!/<p class="sig"[^>]*>[^]*?\(unstable\)[^]*?<\/p>/.test(section)) missing.push(name);
      }
      expect(missing).toEqual([]);
      expect(found).toMatchObject({ types: added.length, methods: methods.length });
      expect(Math.min(...Object.values(found))).toBeGreaterThan(0);
    });

    test("has badges that no other part has", () => {
      const wrong: string[] = [];
      for (const [name, schema] of Object.entries(before.$defs!)) {
        const html = page(`${unstable}/types/${name}.html`);
        if (headOf(html).includes("(unstable)")) wrong.push(name);
        for (const id of partsOf(schema).keys())
          if (badgesAt(html, id).includes("(unstable)")) wrong.push(`${name}#${id}`);
      }
      expect(wrong).toEqual([]);
      for (const [path, html] of pages)
        if (path.startsWith(`${version}/`)) {
          const main = html.slice(html.indexOf("<h1>"), html.indexOf(' id="other-profiles">'));
          // Where the rules of features are says what those profiles are.
          expect(main.split('id="checked-other-features"')[0], path).not.toMatch(
            /\((unstable|proposed)\)/,
          );
        }
    });
  },
);

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));

    test("every page of a draft has its badge, and no others", () => {
      for (const [path, html] of own)
        expect(html.includes('<p class="note draft">'), path).toBe(protocol.version === "v2");
    });

    test("every method shows direction, kind, gate and the feature that adds it", () => {
      for (const { name, side, kind, gate, feature } of protocol.methods) {
        const html = page(`${profile}/${methodPage(name)}`);
        const from = {
          agent: "client → agent",
          client: "agent → client",
          protocol: "either side → the other",
          proxy: "conductor → proxy",
        }[side];
        const signatures = methodSections(html)
          .filter((part) => part.startsWith(`id="${kind}`))
          .map((part) => /<p class="sig"[^>]*>([^]*?)<\/p>/.exec(part)![1]!)
          .map((line) => line.split(/<\/span> <span(?: class="\w+")?>/).map(words));
        const own = signatures.find(([way]) => way === from)!;
        expect(own, `${side} ${kind} ${name}`).toBeDefined();
        const known = protocol.features.find((item) => item.name === feature);
        const needs =
          gate!.kind === "always" ? "always available" : `needs ${gate!.path.join(".")}`;
        expect(own.slice(3), name).toEqual([
          needs,
          ...(known === undefined ? [] : [`${known.title} (${known.status})`]),
        ]);
        expect(own[1], name).toBe(kind);
      }
    });
  },
);

/** The methods of a schema, by the names that its messages carry. */
function methodsOf({ $defs = {} }: JsonSchema): readonly string[] {
  return [...new Set(Object.values($defs).flatMap((part) => part["x-method"] ?? []))];
}

/** Places that are not inside another one of them. */
function topmost(ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !ids.some((other) => id.startsWith(`${other}.`)));
}

/** The text above the definition on the page of a type. */
function headOf(html: string): string {
  return html.slice(html.indexOf("<h1>"), html.indexOf('<h2 id="definition">'));
}

/** The badges of a property, variant or value; not of what is written inside it. */
function badgesAt(html: string, id: string): string {
  const start = html.indexOf(`id="${id}"`);
  expect(start, id).toBeGreaterThan(-1);
  return html.slice(start).split(/<p>|<\/p>|<\/dd>/)[0]!;
}
