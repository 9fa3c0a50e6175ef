import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { resolveInputs } from "../../generators/run/inputs/select-profiles.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import { InputError } from "../../generators/schema/problem.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, Map.prototype];
const keysOf = (): string[][] => PROTOTYPES.map((one) => Reflect.ownKeys(one).map(String));
const before = keysOf();
afterEach(() => {
  expect(keysOf()).toEqual(before);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

const STRING = '{ "description": "x", "type": "string" }';
const OBJECT = `{ "description": "x", "type": "object", "properties": { "a": ${STRING} } }`;
const EVIL = '{ "polluted": true }';

/** A feature file as text, since a key \`__proto__\` is lost on the way through an object literal. */
function feature(parts: string): string {
  return `{ "$schema": "feature.schema.json", "name": "evil", "protocol": "v1", "title": "Evil",
    "description": "Evil.", "status": "proposed", ${parts} }`;
}

/** The message of a run with the feature; nothing when it is accepted. */
function errorText(parts: string): string | undefined {
  const file = join(folder, "evil.json");
  writeFileSync(file, feature(parts));
  try {
    const [input] = resolveInputs({ protocol: "v1", with: [file] }, join(ROOT, "schema"));
    buildProtocol(input!.bundle, input!.profile);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

describe("a feature with the name of something that every object inherits", () => {
  test.each([
    ["itself", `"__proto__": ${EVIL}`, "#/__proto__: unknown keyword"],
    ["in its additions", `"add": { "__proto__": ${EVIL} }`, "#/add/__proto__"],
    ["in an addition", `"add": { "Plan": { "__proto__": ${EVIL} } }`, "#/add/Plan/__proto__"],
    [
      "in a property that it adds",
      `"add": { "Plan": { "properties": { "x": { "__proto__": ${EVIL} } } } }`,
      "#/add/Plan/properties/x/__proto__: unknown keyword",
    ],
    ["beside another", `"with": { "__proto__": { "Plan": ${EVIL} } }`, "#/with"],
    ["as a definition", `"$defs": { "__proto__": ${OBJECT} }`, "#/$defs"],
    ["as another definition", `"$defs": { "constructor": ${OBJECT} }`, "#/$defs"],
    [
      "as a definition that it adds to",
      `"add": { "constructor": { "properties": { "prototype": ${STRING} } } }`,
      'unknown definition "constructor"',
    ],
    [
      "as what it requires",
      `"requires": ["__proto__", "constructor"]`,
      'needs the feature "__proto__"',
    ],
    [
      "as a gate",
      `"add": { "Plan": { "properties": { "x": { "description": "x", "type": "string",
        "x-gate": { "agent": "__proto__.polluted" } } } } }`,
      '"__proto__.polluted" is not in the initialize message',
    ],
    [
      "as a gate that goes up",
      `"add": { "Plan": { "properties": { "x": { "description": "x", "type": "string",
        "x-gate": { "agent": "agentCapabilities.constructor.prototype" } } } } }`,
      "is not in the initialize message",
    ],
  ])("is refused: %s", (_, parts, message) => {
    expect(errorText(parts)).toContain(message);
  });

  test.each([
    "__proto__",
    "constructor",
    "prototype",
    "hasOwnProperty",
    "toString",
    "__defineGetter__",
  ])("is taken as a property, tag, value and key of a value: %s", (name) => {
    const key = JSON.stringify(name);
    const parts = `"$defs": {
        "EvilThing": { "description": "x", "type": "object",
          "properties": { ${key}: { "description": "x", "type": "string", "default": ${key} } },
          "required": [${key}], "examples": [{ ${key}: "x" }] },
        "EvilKind": { "description": "x", "type": "string", "enum": [${key}, "other"] },
        "EvilUnion": { "description": "x", "discriminator": { "propertyName": ${key} }, "oneOf": [
          { "type": "object", "properties": { ${key}: { "type": "string", "const": ${key} } }, "required": [${key}] },
          { "type": "object", "properties": { ${key}: { "type": "string", "const": "b" } }, "required": [${key}] } ] } },
        "add": { "Plan": { "properties": { ${key}: ${STRING} } } }`;
    expect(errorText(parts)).toBeUndefined();
  });
});
