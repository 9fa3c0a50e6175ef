import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";

const text: JsonSchema = { enum: ["leaf", "a", "b"] };
const to = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (
  properties: { readonly [name: string]: JsonSchema },
  ...required: string[]
): JsonSchema => ({ type: "object", properties, required });
const tagged = (value: string, child: string, ...other: [string, JsonSchema][]): JsonSchema =>
  object({ type: { const: value }, child: to(child), ...Object.fromEntries(other) }, "type");

/** The last of the definitions `Row<number>`, each of which refers to the next one. */
const LAST = 200;

/** Unions without a tag that contain themselves, or many levels of unions. */
export const DEFINITIONS: { readonly [name: string]: JsonSchema } = {
  AnyOf: {
    anyOf: [
      object({ child: to("AnyOf"), a: text }, "child", "a"),
      object({ child: to("AnyOf"), b: text }, "child", "b"),
      text,
    ],
  },
  OneOf: {
    oneOf: [
      object({ child: to("OneOf"), z: text }, "child", "z"),
      object({ child: to("OneOf"), b: text }, "child", "b"),
      text,
    ],
  },
  // The definition that recurs is not the union.
  Node: object({ child: { anyOf: [to("NodeA"), to("NodeB")] }, b: text }, "b"),
  NodeA: object({ a: text, node: to("Node") }, "a", "node"),
  NodeB: object({ b: text, node: to("Node") }, "b", "node"),
  // Both variants of a tag that is unlisted, or does not fit.
  Tagged: {
    anyOf: [
      tagged("x", "Tagged", ["b", text]),
      tagged("y", "Tagged", ["b", text]),
      object({ child: to("Tagged"), b: text }, "b"),
    ],
  },
  ...Object.fromEntries(
    Array.from({ length: LAST + 1 }, (_, index) => {
      const child: JsonSchema = index === LAST ? { type: "string" } : to(`Row${index + 1}`);
      const variants = ["a", "b"].map((name) => object({ child, [name]: text }, "child", name));
      return [`Row${index}`, { anyOf: variants }];
    }),
  ),
};

export const LEAVES: { readonly [what: string]: unknown } = {
  valid: "leaf",
  unknown: "later",
  invalid: 5,
};

/** Values of any depth, and with a part in every level. */
const VALUES: {
  readonly [name: string]: (depth: number, leaf: unknown, part?: object) => unknown;
} = {
  AnyOf: nested,
  OneOf: nested,
  Node: (depth, leaf, part) => {
    let value: object = { b: leaf };
    for (let level = 1; level < depth / 2; level++)
      value = { b: "b", child: { b: "b", node: value, ...part } };
    return value;
  },
  Tagged: (depth, leaf, part) => nested(depth, { b: leaf }, { type: "y", ...part }),
  Row: nested,
};

function nested(depth: number, leaf: unknown, part: object = {}): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = { child: value, b: "b", ...part };
  return value;
}

/** What each level of a value has besides. */
export const PARTS: { readonly [what: string]: object | undefined } = {
  nothing: undefined,
  "an undeclared property": { extra: 1 },
  "both variants' properties": { a: "a" },
  "an invalid property": { a: 5 },
};

export const NAMES = Object.keys(VALUES);

export interface Nested {
  readonly definition: string;
  readonly value: unknown;
}

/** Returns a value of a depth, and the definition that it belongs to. */
export function nestedValue(name: string, depth: number, leaf: string, part: string): Nested {
  const value = VALUES[name]!(depth, LEAVES[leaf], PARTS[part]);
  return { definition: name === "Row" ? `Row${LAST + 1 - depth}` : name, value };
}
