import { describe, expect, it } from "vitest";
import type { Schema } from "acp-bindings";
import { smallProtocol } from "../../generators/emit/small-protocol.js";
import { createCodeFolder } from "../../support/code-folder.js";
import { loadSchemas } from "./load-schemas.js";
import { DEFINITIONS, LEAVES, NAMES, nestedValue, PARTS } from "./recursive-definitions.js";

const folder = createCodeFolder();
const schemaOf = await loadSchemas(folder, smallProtocol({ definitions: DEFINITIONS }));

const WORK: { readonly [what: string]: (schema: Schema<unknown>, value: unknown) => unknown } = {
  is: (schema, value) => schema.is(value),
  decode: (schema, value) => schema.decode(value),
  encode: (schema, value) => schema.encode(value),
};

describe.each(NAMES)("the work for a recursive union grows with the depth: %s", (name) => {
  const cases = Object.keys(WORK).flatMap((work) =>
    Object.keys(LEAVES).flatMap((leaf) => Object.keys(PARTS).map((part) => [work, leaf, part])),
  );
  it.each(cases)("%s with a leaf that is %s and %s in every level", (work, leaf, part) => {
    const reads = (depth: number): number => {
      const { definition, value } = nestedValue(name, depth, leaf!, part!);
      return countReads(value, (counted) => WORK[work]!(schemaOf(definition), counted));
    };
    const few = reads(10);
    expect(reads(20)).toBeLessThan(few * 3);
    expect(reads(200)).toBeLessThan(few * 30);
  });
});

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
