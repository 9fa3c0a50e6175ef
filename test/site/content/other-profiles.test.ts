import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Protocol } from "../../../generators/model/protocol.js";
import {
  isObject,
  type Json,
  type JsonSchema,
} from "../../../generators/schema/json-schema/json.js";
import { openSite } from "../support/site.js";

const { protocols, byName, page } = await openSite();

/** Keywords of text, and what follows from the methods and from the alternatives. */
const TEXT = ["description", "title", "examples", "not", "deprecated"];

/** A definition with everything that it refers to, without texts and the order of lists. */
function closure(name: string, { $defs = {} }: JsonSchema): { [name: string]: Json } {
  const found: { [name: string]: Json } = {};
  const add = (target: string): void => {
    if (Object.hasOwn(found, target)) return;
    found[target] = null;
    found[target] = strip($defs[target] as Json, add);
  };
  add(name);
  return found;
}

function strip(value: Json, refer: (name: string) => void): Json {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => strip(item, refer));
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (!isObject(value)) return value;
  const ref = value["$ref"];
  if (typeof ref === "string") refer(ref.slice("#/$defs/".length));
  const properties = isObject(value["properties"]) ? value["properties"] : undefined;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !TEXT.includes(key) && key !== "properties" && !key.startsWith("x-docs"))
      .map(([key, inner]): [string, Json] => [key, strip(inner, refer)])
      .concat(
        properties === undefined
          ? []
          : [
              [
                "properties",
                Object.fromEntries(
                  Object.entries(properties).map(([key, inner]) => [key, strip(inner, refer)]),
                ),
              ],
            ],
      ),
  );
}

/** The lines of a page about other profiles, each with the profile that it is about. */
function linesOf(path: string): readonly (readonly [other: Protocol, line: string])[] {
  const text = page(`${path}.md`);
  const part = /In other profiles:?\n\n((?:- .*\n)+)/.exec(text)?.[1] ?? "";
  return part.split("\n").flatMap((line) => {
    const profile = /^- \[[^\]]+\]\((?:\.\.\/)+([^/]+)\//.exec(line)?.[1];
    return profile === undefined ? [] : [[byName.get(profile)!, line] as const];
  });
}

test("a type that is the same in another profile is the same with all types inside it", () => {
  const counts = { same: 0, other: 0 };
  for (const own of protocols)
    for (const { name } of own.definitions)
      for (const [other, line] of linesOf(`${own.profile}/types/${name}.html`)) {
        if (other.schema.$defs?.[name] === undefined) continue;
        const isSame = isDeepStrictEqual(closure(name, own.schema), closure(name, other.schema));
        const says = line.includes(": the same, with all types inside it.");
        counts[says ? "same" : "other"]++;
        if (says) expect(isSame, `${own.profile} ${name} ${line}`).toBe(true);
        else if (isSame) expect(line, `${own.profile} ${name}`).toMatch(/gate|types inside it/);
      }
  expect(counts.same).toBeGreaterThan(500);
  expect(counts.other).toBeGreaterThan(500);
});

test("a method that is the same in another profile has the same params, result and gate", () => {
  let same = 0;
  for (const own of protocols)
    for (const name of new Set(
      own.methods.map((method) => method.name).filter((method) => !method.startsWith("$")),
    ))
      for (const [other, line] of linesOf(`${own.profile}/methods/${name}.html`)) {
        if (!line.includes(": the same, with all types inside it.")) continue;
        same++;
        for (const method of own.methods.filter((one) => one.name === name)) {
          const { side, kind, params, result, gate } = method;
          const found = other.methods.find(
            (one) => one.name === name && one.side === side && one.kind === kind,
          )!;
          expect(found.gate, line).toEqual(gate);
          for (const type of [params, result].flatMap((type) => type ?? []))
            expect(closure(type, other.schema), `${own.profile} ${name} ${type}`).toEqual(
              closure(type, own.schema),
            );
        }
      }
  expect(same).toBeGreaterThan(50);
});

test("every method and stable type that only one version has links to its replacement", () => {
  const [v1, v2] = [byName.get("v1")!, byName.get("v2")!];
  for (const { name } of v1.methods.filter(
    (method) => !v2.methods.some((one) => one.name === method.name),
  ))
    expect(page(`v1/methods/${name}.html.md`), name).toMatch(
      /- ACP v2: the method does not exist\. \S/,
    );
  for (const { name, envelope } of v1.definitions)
    if (!envelope && v2.schema.$defs?.[name] === undefined)
      expect(page(`v1/types/${name}.html.md`), name).toMatch(
        /- (ACP v2: the type does not exist\. \S|\[ACP v2\]\(\S+\) \(draft\): called `)/,
      );
});
