import { expect } from "vitest";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../generators/emit/small-protocol.js";
import {
  DEFINITIONS,
  LEAVES,
  NAMES,
  nestedValue,
  PARTS,
} from "../use/json-schema/recursive-definitions.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { buildCodec } from "./build-codec.js";
import { goTest } from "./go-test.js";
import { run, writeModule } from "./toolchain.js";

const folder = temporaryFolder();

/** The name of definitions that are many and do not contain themselves, which take long to build. */
const ROW = "Row";
const RECURSIVE = Object.entries(DEFINITIONS).filter(([name]) => !name.startsWith(ROW));

const HOLDER: JsonSchema = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: { $ref: "#/$defs/AnyOf" },
      "x-deserialize-skip-invalid-items": true,
    },
    any: {},
  },
};

const MANY = 200_000;
const DEEP = 1_000_000;

/** Texts that take minutes, or all of the stack, where the work grows faster than their length. */
const LARGE: readonly (readonly [definition: string, input: string, verdict: string])[] = [
  ["Holder", `{"items":[${"5,".repeat(MANY)}5]}`, "ok"],
  ["Holder", `{${Array.from({ length: MANY }, (_, at) => `"n${at}":0`).join()}}`, "ok"],
  ["Holder", `{"any":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`, "ok"],
  ["Holder", `{"any":${"[".repeat(DEEP)}}`, "malformed"],
  ["Holder", `{"${"\\u0000".repeat(MANY)}":1}`, "ok"],
  ["AnyOf", `${'{"b":"b","child":'.repeat(DEEP)}1${"}".repeat(DEEP)}`, "invalid"],
  ["AnyOf", `${"[".repeat(DEEP)}1${"]".repeat(DEEP)}`, "invalid"],
];

/** The values that nest unions, which are exponential in work without results that are kept. */
const NESTED = NAMES.filter((name) => name !== ROW).flatMap((name) =>
  Object.keys(LEAVES).flatMap((leaf) =>
    Object.keys(PARTS).flatMap((part) =>
      [20, 100].map((depth) => nestedValue(name, depth, leaf, part)),
    ),
  ),
);

goTest(
  "the work of Go grows with the length of a text, whatever it has",
  async () => {
    const protocol = smallProtocol({
      definitions: { ...Object.fromEntries(RECURSIVE), Holder: HOLDER },
    });
    const module = await writeModule(folder, protocol);
    const program = buildCodec(folder, [protocol], module);
    const cases = [
      ...LARGE,
      ...NESTED.map(({ definition, value }) => [definition, JSON.stringify(value)] as const),
    ];
    const requests = cases.flatMap(([definition, input]) =>
      ["decode", "validate"].map((op) =>
        JSON.stringify({ id: 0, op, profile: "small", definition, input }),
      ),
    );
    const { code, out, err } = run(program, [], {
      input: `${requests.join("\n")}\n`,
      timeout: 60_000,
    });
    expect({ code, err: err.slice(0, 1000) }).toEqual({ code: 0, err: "" });
    const verdicts = out
      .trim()
      .split("\n")
      .map((line) => /"verdict":"(\w+)"/.exec(line)![1]);
    expect(verdicts).toHaveLength(2 * cases.length);
    const decoded = verdicts.filter((_, index) => index % 2 === 0);
    expect(decoded.slice(0, LARGE.length)).toEqual(LARGE.map(([, , verdict]) => verdict));
    const valid = NESTED.flatMap(({ value }, index) =>
      JSON.stringify(value).includes("extra") ? [decoded[LARGE.length + index]] : [],
    );
    expect(valid).toContain("ok");
  },
  240_000,
);
