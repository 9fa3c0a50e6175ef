import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compose } from "../../../generators/schema/compose/compose.js";
import type {
  GateSource,
  JsonObject,
  JsonSchema,
} from "../../../generators/schema/json-schema/json.js";
import { loadDialect, readJson } from "../../../generators/schema/source/load.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { ROOT } from "../../support/paths.js";
import { methodPage } from "../support/markup.js";
import { partsOf } from "../support/schema-parts.js";
import { openSite } from "../support/site.js";

const { protocols, page } = await openSite();
const SCHEMA = join(ROOT, "schema");
const sources = loadSources(SCHEMA);

/** A gate that asks for a capability, as the modules state it, and where. */
interface StatedGate {
  readonly side: "agent" | "client";
  readonly path: readonly string[];
  /** The page of what it is for, below the profile's folder, with the id of a place in a type. */
  readonly address: string;
}

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, { schema, methods }) => {
    const gates = statedGates(profile);
    const matrix = page(`${profile}/capabilities.html`);
    const initialize = methods.find(({ name }) => name === "initialize")!;
    const roots = { agent: initialize.result!, client: initialize.params };

    test("every gate that is stated is the path of a property of the initialize messages", () => {
      expect(gates.length).toBeGreaterThan(20);
      const wrong = gates.filter(({ side, path }) => !resolve(schema, roots[side], path));
      expect(wrong).toEqual([]);
    });

    test("every part that needs a capability links to it", () => {
      for (const { side, path, address } of gates) {
        const { owner, id } = resolve(schema, roots[side], path)!;
        const [file = "", place] = address.split("#");
        const html = page(`${profile}/${file}`);
        const shown =
          place === undefined
            ? html
            : html.slice(html.indexOf(`id="${place}"`)).split(/\sid="/)[0]!;
        expect(shown, `${address} ${path.join(".")}`).toMatch(
          new RegExp(`href="(\\.\\./)*(types/)?(${owner}\\.html)?#${id}"`),
        );
      }
    });

    test("every capability links to exactly the parts that need it", () => {
      const opens = new Map<string, string[]>();
      for (const { side, path, address } of gates) {
        const id = `${side}-${path.join(".")}`;
        opens.set(id, [...(opens.get(id) ?? []), address]);
      }
      const rows = [
        ...matrix.matchAll(
          /<div class="field" id="([^"]*)">([^]*?)(?=<div class="field"|<\/main>)/g,
        ),
      ];
      expect(rows.length).toBeGreaterThan(10);
      for (const [, id, row] of rows) {
        const [enables = ""] = /Enables [^]*?<\/p>/.exec(row!) ?? [];
        const links = [...enables.matchAll(/href="([^"]*)"/g)].map((match) => match[1]!);
        expect(links.sort(), id).toEqual([...(opens.get(id!) ?? [])].sort());
      }
      const shown = new Set(rows.map((match) => match[1]!));
      expect([...opens.keys()].filter((id) => !shown.has(id))).toEqual([]);
    });
  },
);

test("a method without a gate is refused with its place, in the base and in a feature", () => {
  const check = loadDialect(SCHEMA);
  const cases = [
    ["module", "v1/base/session.json"],
    ["feature", "v1/features/session_fork.json"],
  ] as const;
  for (const [kind, file] of cases) {
    const document = readJson(join(SCHEMA, file), file) as JsonObject;
    expect(check(kind, document, file)).toEqual([]);
    const [first, ...rest] = document["methods"] as readonly JsonObject[];
    const { gate: _, ...open } = first!;
    const problems = check(kind, { ...document, methods: [open, ...rest] }, file);
    expect(problems).toEqual([expect.objectContaining({ file, pointer: "/methods/0" })]);
    expect(problems[0]!.message).toContain('"gate"');
  }
});

/** The gates of the modules that a profile is composed of, before any of them has been read by the model. */
function statedGates(profile: string): readonly StatedGate[] {
  const { protocol, features } = sources.profiles.get(profile)!;
  const bundle = compose(sources.protocols.get(protocol)!, features);
  const toGates = (gate: GateSource | undefined, address: string): StatedGate[] => {
    const side = gate?.agent !== undefined ? "agent" : "client";
    const path = gate?.[side];
    return path === undefined ? [] : [{ side, path: path.split("."), address }];
  };
  return [
    ...bundle.methods.flatMap(({ gate, name }) => toGates(gate, methodPage(name))),
    ...[...bundle.definitions].flatMap(([name, { schema }]) =>
      [...partsOf(schema)].flatMap(([id, part]) =>
        [part["x-gate"], ...Object.values(part["x-variant-gates"] ?? {})].flatMap((gate) =>
          toGates(gate, `types/${name}.html#${id}`),
        ),
      ),
    ),
  ];
}

/** Follows a path through the properties of a schema to the definition and the id that documents its end. */
function resolve(
  { $defs }: JsonSchema,
  root: string,
  path: readonly string[],
): { readonly owner: string; readonly id: string } | undefined {
  let [owner, id] = [root, ""];
  let schema: JsonSchema | undefined = $defs![root];
  for (const name of path) {
    for (let target = referenceOf(schema); target !== undefined; target = referenceOf(schema))
      [owner, id, schema] = [target, "", $defs![target]];
    schema = schema?.properties?.[name];
    if (schema === undefined) return undefined;
    id = id === "" ? `field-${name}` : `${id}.field-${name}`;
  }
  return { owner, id };
}

/** The definition that a place refers to, whether or not it may be null. */
function referenceOf(schema: JsonSchema | undefined): string | undefined {
  const parts = [schema, ...(schema?.allOf ?? []), ...(schema?.anyOf ?? [])];
  return parts.find((part) => part?.$ref !== undefined)?.$ref?.slice("#/$defs/".length);
}
