import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { importInput } from "../../../generators/run/inputs/import-schema.js";
import { InputError } from "../../../generators/schema/problem.js";
import { ROOT } from "../../support/paths.js";

const SCHEMA = join(ROOT, "schema");
const SDK = join(ROOT, "node_modules/@agentclientprotocol/sdk/schema");
const folder = mkdtempSync(join(tmpdir(), "acp-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function problemsOf(document: object): readonly string[] {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  try {
    importInput({ protocol: "v1" }, file, SCHEMA);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).problems.map(
      ({ pointer = "", message, hint = "" }) => `${pointer}: ${message}. ${hint}`,
    );
  }
  return [];
}

describe("the import of a schema", () => {
  test("reports mistakes of several kinds at once: form, keyword, reference and model", () => {
    const problems = problemsOf({
      definitions: {
        Form: { type: "string", minLength: -1 },
        Keyword: { type: "string", minimun: 1 },
        Reference: { $ref: "#/definitions/Nowhere" },
        Pattern: { type: "string", pattern: "(a+)+" },
      },
    });
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual([
      "/$defs/Form/minLength",
      "/$defs/Keyword/minimun",
      "/$defs/Pattern/pattern",
      "/$defs/Reference/$ref",
    ]);
    expect(problems.find((problem) => problem.includes("minimun"))).toContain(
      'Did you mean "minimum"? If it may be ignored: --allow-unknown-keywords minimun.',
    );
  });

  test("accepts names of envelopes from a protocol without methods", () => {
    expect(problemsOf({ $defs: { ClientRequest: { type: "string" } } })).toEqual([]);
  });

  test("reads a definition that both sides handle as a method of each", () => {
    const message = { type: "object", "x-side": "both", "x-method": "mcp/message" };
    const file = join(folder, "both.json");
    const $defs = { MessageMcpRequest: message, MessageMcpResponse: message };
    writeFileSync(file, JSON.stringify({ $defs }));
    const { bundle } = importInput({ protocol: "v1" }, file, SCHEMA);
    expect(
      bundle.methods.map(({ side, name, params, result }) => [side, name, params, result]),
    ).toEqual([
      ["agent", "mcp/message", "MessageMcpRequest", "MessageMcpResponse"],
      ["client", "mcp/message", "MessageMcpRequest", "MessageMcpResponse"],
    ]);
  });

  test("refuses the meta.json of another release", () => {
    const schema = join(SDK, "v1/schema.json");
    const meta = (version: string, ...names: readonly string[]): string => {
      const file = join(folder, `${version}.json`);
      const known = JSON.parse(readFileSync(schema, "utf8")) as {
        $defs: Record<string, { readonly "x-method"?: string }>;
      };
      const methods = Object.values(known.$defs).flatMap((one) => one["x-method"] ?? []);
      const agentMethods = Object.fromEntries([...methods, ...names].map((name) => [name, name]));
      writeFileSync(file, JSON.stringify({ version: 1, agentMethods }));
      return file;
    };
    expect(importInput({ meta: meta("same") }, schema, SCHEMA).profile.name).toBe("v1");
    expect(() => importInput({ meta: meta("more", "session/more") }, schema, SCHEMA)).toThrow(
      /more\.json: the schema has no method "session\/more": the two files are not of the same release/,
    );
    const other = join(folder, "other.json");
    writeFileSync(other, '{"version":2,"agentMethods":{"initialize":"initialize"}}');
    expect(() => importInput({ meta: other }, schema, SCHEMA)).toThrow(
      /other\.json: does not list the method "authenticate"/,
    );
  });
});
