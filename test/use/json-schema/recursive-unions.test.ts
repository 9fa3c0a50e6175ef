import { afterAll, describe, expect, it } from "vitest";
import type { Schema } from "acp-bindings";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../../emit/small-protocol.js";
import { createCodeFolder } from "../../support/code-folder.js";
import { loadSchemas } from "./load-schemas.js";

const text: JsonSchema = { type: "string" };
const to = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (
  properties: { readonly [name: string]: JsonSchema },
  ...required: string[]
): JsonSchema => ({ type: "object", properties, required });
const tagged = (value: string, child: string, ...other: [string, JsonSchema][]): JsonSchema =>
  object({ type: { const: value }, child: to(child), ...Object.fromEntries(other) }, "type");

/** The last of the definitions that refer to each other in a row. */
const LAST = 200;

const DEFINITIONS: { readonly [name: string]: JsonSchema } = {
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
      const child = index === LAST ? text : to(`Row${index + 1}`);
      const variants = ["a", "b"].map((name) => object({ child, [name]: text }, "child", name));
      return [`Row${index}`, { anyOf: variants }];
    }),
  ),
};

const LEAVES: { readonly [what: string]: unknown } = { valid: "leaf", invalid: 5 };

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

const folder = createCodeFolder();
afterAll(() => folder.remove());
const schemaOf = await loadSchemas(folder, smallProtocol({ definitions: DEFINITIONS }));

const WORK: { readonly [what: string]: (schema: Schema<unknown>, value: unknown) => unknown } = {
  is: (schema, value) => schema.is(value),
  decode: (schema, value) => schema.decode(value),
  encode: (schema, value) => schema.encode(value),
};

describe.each(Object.keys(VALUES))(
  "the work for a recursive union grows with the depth: %s",
  (name) => {
    const PARTS: { readonly [what: string]: object | undefined } = {
      nothing: undefined,
      "an undeclared property": { extra: 1 },
      "both variants' properties": { a: "a" },
      "an invalid property": { a: 5 },
    };
    const cases = Object.keys(WORK).flatMap((work) =>
      Object.keys(LEAVES).flatMap((leaf) => Object.keys(PARTS).map((part) => [work, leaf, part])),
    );
    it.each(cases)("%s with a leaf that is %s and %s in every level", (work, leaf, part) => {
      const reads = (depth: number): number => {
        const value = VALUES[name]!(depth, LEAVES[leaf!], PARTS[part!]);
        const schema = schemaOf(name === "Row" ? `Row${LAST + 1 - depth}` : name);
        return countReads(value, (counted) => WORK[work]!(schema, counted));
      };
      const few = reads(10);
      expect(reads(20)).toBeLessThan(few * 3);
      expect(reads(200)).toBeLessThan(few * 30);
    });
  },
);

class TooManyReads extends Error {}

/** Counts how often parts of a value are read, up to a limit. */
function countReads(value: unknown, work: (value: unknown) => unknown): number {
  let reads = 0;
  const handler: ProxyHandler<object> = {
    get: (target, key) => {
      if (++reads > 100_000) throw new TooManyReads();
      return wrap(Reflect.get(target, key));
    },
  };
  const proxies = new WeakMap<object, object>();
  const wrap = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (!proxies.has(part)) proxies.set(part, new Proxy(part, handler));
    return proxies.get(part);
  };
  try {
    work(wrap(value));
  } catch {
    // An encoder refuses by an error; the reads count.
  }
  return reads;
}
