import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, test } from "vitest";
import { camelCase } from "../../generators/model/identifiers.js";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { SHAPES, VALUES } from "./shapes.js";
import { compileModules, expectNoTypeErrors, expectVerdictsOfAjv } from "./small-modules.js";

/*
 * Definitions, methods and groups with the names that generated modules import, declare or take from
 * the language. The names come from the modules themselves, so that a new import cannot be forgotten.
 */

const folder = temporaryFolder();

/** Every identifier of a module that is not the name of a property. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) return visit(node.expression);
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest));
  return names;
}

/** The modules of roles of the whole protocol, which import most. */
function roleModules(): string[] {
  const sources = join(ROOT, "out/typescript/src");
  return ["v1-full", "v2-full"].flatMap((profile) =>
    ["roles.ts", "mocks.ts", "methods.ts"].map((file) =>
      readFileSync(join(sources, profile, file), "utf8"),
    ),
  );
}

/** Names of members that every object, and every connected side, has. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), "notify", "request", "then"];

const thing = (): JsonSchema => ({
  description: "A thing.",
  type: "object",
  properties: { a: { description: "A text.", type: "string" } },
  required: ["a"],
});

describe("definitions, methods and groups with the names of the generated modules", async () => {
  const own = await compileModules({ definitions: SHAPES });
  const all = new Set([...own.values(), ...roleModules()].flatMap(namesIn));
  const names = [...all].filter((name) => !(name in SHAPES));
  const properties = names.map((name, index): [string, JsonSchema] => [
    `p${index}`,
    { description: "A thing.", $ref: `#/$defs/${name}` },
  ]);
  const definitions = {
    ...SHAPES,
    ...Object.fromEntries(names.map((name) => [name, thing()])),
    Everything: {
      description: "An object with a property of each type.",
      type: "object",
      properties: Object.fromEntries(properties),
    } satisfies JsonSchema,
  };
  const words = [...all, ...INHERITED].filter((name) => /^[a-z]\w*$/i.test(name));
  // Names that only differ in case have one place, which is refused.
  const distinct = new Map(words.map((name) => [camelCase(name).toLowerCase(), name]));
  const methods = [...distinct.values()].flatMap((name) => [
    { name: `_${name}/run`, params: "Uses", result: "Uses" },
    { name: `_group/${name}`, params: "Uses", side: "client" as const },
  ]);
  const modules = await compileModules({ definitions, methods });

  test("compile", () => expectNoTypeErrors(modules, folder), 120_000);

  test("have the verdicts of ajv in a bundle", async () => {
    const things = properties.flatMap(([name]) =>
      [{ a: "a" }, { a: 1 }].map((value) => ["Everything", { [name]: value }] as const),
    );
    await expectVerdictsOfAjv(modules, definitions, [...VALUES, ...things]);
  });
});
