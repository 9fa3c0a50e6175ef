import { expect, test } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { InputError, type Problem } from "../../../generators/schema/problem.js";
import { smallProtocol } from "../emit/small-protocol.js";

const MIXED = { type: ["boolean", "string", "null"], minLength: 2 } as const;
const WRONG = { "x-gate": { agent: "capabilities.lists" } };
const GATE = { "x-gate": { agent: "capabilities.list" } };
const property = (schema: object) => ({ Info: { properties: { pinned: schema } } });
const variant = (parts: object, mood: object = { type: "string" }) => ({
  Update: { oneOf: [{ ...alternative("mood", { mood }), ...parts }] },
});

function alternative(kind: string, properties: object = {}): JsonSchema {
  const tag = { type: "string", const: kind } as const;
  return { type: "object", properties: { kind: tag, ...properties }, required: ["kind"] };
}

/** Returns what is wrong about a small protocol with a feature that adds to it. */
function problemsOf(add: object): readonly Problem[] {
  const capabilities: JsonSchema = { type: "object", properties: { list: { type: "boolean" } } };
  const definitions = {
    Initialize: { type: "object", properties: { capabilities } },
    Info: { type: "object", properties: { name: { type: "string" } } },
    Update: { discriminator: { propertyName: "kind" }, oneOf: [alternative("text")] },
  } satisfies { [name: string]: JsonSchema };
  const initialize = { name: "initialize", params: "Initialize", result: "Initialize" };
  try {
    smallProtocol({ definitions, methods: [initialize], feature: { add: add as never } });
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

const PROPERTY = "/add/Info/properties/pinned";
const VARIANT = "/add/Update/oneOf/0";

test.each<[title: string, add: object, pointers: readonly string[]]>([
  ["a property and a variant", { ...property({ type: "boolean", ...GATE }), ...variant(GATE) }, []],
  ["a wrong gate of a property", property({ type: "boolean", ...WRONG }), [`${PROPERTY}/x-gate`]],
  ["a wrong gate of a variant", variant(WRONG), [`${VARIANT}/x-gate`]],
  ["a form of a property that the model does not have", property(MIXED), [PROPERTY]],
  [
    "a form inside a variant that the model does not have",
    variant(GATE, MIXED),
    [`${VARIANT}/properties/mood`],
  ],
  [
    "two wrong gates at once",
    { ...property({ type: "boolean", ...WRONG }), ...variant(WRONG) },
    [`${PROPERTY}/x-gate`, `${VARIANT}/x-gate`],
  ],
])("what a feature adds is checked where the feature's file has it: %s", (_, add, pointers) => {
  const problems = problemsOf(add);
  expect(problems.map(({ file, pointer }) => [file, pointer]).toSorted()).toEqual(
    pointers.map((pointer) => ["feature.json", expect.stringMatching(`^${pointer}`)]),
  );
  for (const { pointer, hint } of problems)
    if (pointer!.includes("gate")) expect(hint).toBe('Did you mean "capabilities.list"?');
});
