import { expect, test } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { attributes, methodPage, words } from "../support/markup.js";
import { alternativesOf, partsOf, walkParts } from "../support/schema-parts.js";
import { openSite } from "../support/site.js";

const { protocols, page } = await openSite();
const profiles = protocols.map((protocol) => [protocol.profile, protocol] as const);

test.each(profiles)(
  "in %s every place that refers to a type is linked from it, as many as the schema has",
  (profile, { schema, methods }) => {
    const wanted = new Map(Object.keys(schema.$defs!).map((name) => [name, new Set<string>()]));
    let references = 0;
    for (const [owner, definition] of Object.entries(schema.$defs!))
      walkParts(definition, ({ $ref }, id) => {
        if ($ref === undefined) return;
        references++;
        const address = id === "" ? `${owner}.html` : `${owner}.html#${id}`;
        wanted.get($ref.slice("#/$defs/".length))!.add(address);
      });
    // None was overlooked.
    expect(references).toBe(JSON.stringify(schema.$defs).split('"$ref":').length - 1);
    let count = 0;
    for (const [name, places] of wanted) {
      const html = page(`${profile}/types/${name}.html`);
      const [shown] = html
        .slice(html.indexOf('<h2 id="used-by">'))
        .split(/<h2 id="other-profiles">|<nav class="next"|<\/main>/) as [string];
      const links = [...shown.matchAll(/href="([^"]*)"/g)].map((match) => match[1]!);
      const calls = methods.filter(({ params, result }) => params === name || result === name);
      expect(links.sort(), name).toEqual(
        [...new Set([...places, ...calls.map((call) => `../${methodPage(call.name)}`)])].sort(),
      );
      if (links.length === 0) expect(words(shown)).toContain("Nothing refers to this type.");
      count += places.size;
    }
    expect(count).toBeGreaterThan(250);
  },
);

test.each(profiles)(
  "in %s every alternative at any depth of a schema is on its page, and no page has others",
  (profile, { schema }) => {
    const missing: string[] = [];
    let [stated, listed] = [0, 0];
    for (const [owner, definition] of Object.entries(schema.$defs!)) {
      const html = page(`${profile}/types/${owner}.html`);
      const body = html.slice(html.indexOf('<h2 id="definition">'), html.indexOf('id="used-by">'));
      const shown = new Set(
        attributes(body, "id").filter((id) => /(^|\.)(variant|value)-/.test(id)),
      );
      const parts = new Set(partsOf(definition).keys());
      const ownIds = [...shown].filter((id) => /(^|\.)(variant|value)-[^.]*$/.test(id));
      const others = new Set<string>();
      walkParts(definition, (part, id) => {
        for (const branch of alternativesOf(part)) {
          stated++;
          const name = nameOf(branch, part);
          const place = [id, name].filter((step) => step !== "").join(".");
          if (name !== "" && shown.has(place)) {
            listed++;
            if (!parts.has(place)) others.add(place);
          } else if (!words(partAt(body, id)).includes(textOf(branch)))
            missing.push(`${owner}#${id}: ${textOf(branch)}`);
          else listed++;
        }
      });
      expect(
        ownIds.filter((id) => !parts.has(id) && !others.has(id)),
        owner,
      ).toEqual([]);
    }
    expect(missing).toEqual([]);
    expect(listed).toBe(stated);
    // None was overlooked, wherever it is written.
    expect(stated).toBe(countAlternatives(schema.$defs!));
    expect(stated).toBeGreaterThan(250);
  },
);

/** The last step of the id that an alternative has where it is listed; empty for what has no name. */
function nameOf(branch: JsonSchema, union: JsonSchema): string {
  if (branch.type === "null") return "variant-null";
  const [first] = [...partsOf({ anyOf: [branch, ...alternativesOf(union)] }).keys()];
  return first !== undefined && !first.startsWith("field-") ? first.split(".")[0]! : "";
}

/** The description in a type code of an alternative that has no place of its own. */
function textOf({ const: value, $ref, allOf, type, title }: JsonSchema): string {
  const reference = $ref ?? allOf?.[0]?.$ref;
  if (value !== undefined) return JSON.stringify(value);
  if (reference !== undefined) return reference.slice("#/$defs/".length);
  return type === "array" ? "[]" : (title ?? String(type));
}

/** The row or item of a part; the whole definition for its own alternatives. */
function partAt(html: string, id: string): string {
  if (id === "") return html;
  const start = html.indexOf(`id="${id}"`);
  return html.slice(start).split(/<\/tr>|<\/dd>/)[0]!;
}

/** Every branch of every `anyOf` and `oneOf`, counted on the plain JSON. */
function countAlternatives(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value)
    .filter(([key]) => key !== "not")
    .map(
      ([key, part]) =>
        (Array.isArray(part) && ["anyOf", "oneOf"].includes(key) ? part.length : 0) +
        countAlternatives(part),
    )
    .reduce((sum, count) => sum + count, 0);
}
