import { describe, test } from "vitest";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { compileModules, expectNoTypeErrors, expectVerdictsOfAjv } from "./small-modules.js";

const folder = temporaryFolder();
/** More than the stack of a compiler has room for in one expression. */
const MANY = 3000;
const indexes = Array.from({ length: MANY }, (_, index) => index);
const TEXT = { description: "A text.", type: "string" } as const;
const texts = indexes.map((index) => `e${index}`);
/** Properties of which the first third is required, and the last third has defaults. */
const properties = indexes.map((index): [string, JsonSchema] => [
  `p${index}`,
  { ...TEXT, ...(index >= 2000 && { default: "d" }) },
]);
const wide = {
  description: "An object.",
  type: "object",
  properties: Object.fromEntries(properties),
  required: properties.slice(0, 1000).map(([name]) => name),
} as const;

const DEFINITIONS: { readonly [name: string]: JsonSchema } = {
  Texts: { description: "One of many texts.", type: "string", enum: texts },
  Numbers: { description: "One of many numbers.", type: "integer", enum: indexes.slice(0, 1000) },
  Open: {
    description: "One of many texts, or another.",
    anyOf: [
      ...texts.slice(0, 1000).map((value) => ({ const: value, type: "string" }) as const),
      TEXT,
    ],
  },
  Wide: wide,
  Holder: {
    description: "An object with inline parts.",
    type: "object",
    properties: {
      list: { description: "A list.", type: "array", items: { type: "string", enum: texts } },
      wide,
    },
  },
};

const whole = Object.fromEntries(properties.map(([name]) => [name, "x"]));
const objects = [
  whole,
  ...["p0", "p1500", "p2999"].map((name) => ({ ...whole, [name]: 1 })),
  ...["p0", "p1500", "p2999"].map((name) => ({ ...whole, [name]: undefined })),
  {},
].map((value) => JSON.parse(JSON.stringify(value)) as object);
const VALUES: readonly (readonly [definition: string, value: unknown])[] = [
  ...["e0", "e999", "e2999", "e3000", "_e", 1, null].flatMap((value) => [
    ["Texts", value] as const,
    ["Open", value] as const,
    ["Holder", { list: ["e0", value] }] as const,
  ]),
  ...[0, 999, 1000, 0.5, "0"].map((value) => ["Numbers", value] as const),
  ...objects.flatMap((value) => [["Wide", value] as const, ["Holder", { wide: value }] as const]),
];

describe("definitions with 3,000 values or properties", async () => {
  const modules = await compileModules({ definitions: DEFINITIONS });
  test("compile", () => expectNoTypeErrors(modules, folder), 120_000);
  test("have the verdicts of ajv in a bundle", () =>
    expectVerdictsOfAjv(modules, DEFINITIONS, VALUES));
});
