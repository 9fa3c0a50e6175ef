import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { generate, type GenerateOptions } from "../../../generators/run/generate/generate.js";

const folder = mkdtempSync(join(tmpdir(), "acp-names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schema = join(folder, "schema.json");
const Op = { type: "string", enum: ["a-b", "a.b"] };
const Row = { type: "object", properties: { "line-no": Op, line_no: Op } };
writeFileSync(schema, JSON.stringify({ $defs: { Op, Row } }));
const options: GenerateOptions = { out: folder, schema, protocol: "v1", targets: ["go"] };

/** Generates the Go types and returns the names that the run has printed. */
async function renamed(names?: GenerateOptions["names"]): Promise<readonly string[]> {
  const found: string[] = [];
  await generate({
    ...options,
    ...(names !== undefined && { names }),
    onProgress: (step) => {
      if (step.kind === "renamed-parts") found.push(...step.names.keys());
    },
  });
  return found;
}

test("names that would be equal are printed, until the configuration chooses others", async () => {
  expect(await renamed()).toEqual(["Op/a-b", "Op/a.b", "Row#line-no", "Row#line_no"]);
  expect(await renamed({ "Op/a-b": "OpDash", "Row#line-no": "lineNumber" })).toEqual([]);
  const types = readFileSync(join(folder, "go/acpv1/types.go"), "utf8");
  expect(types).toContain('OpDash Op = "a-b"');
  expect(types).toMatch(/\bLineNumber\b/);
});

test("a name for what the schema does not have is refused, with what it has", async () => {
  await expect(renamed({ "Op/a_b": "OpDash" })).rejects.toThrow('Did you mean "Op/a-b"?');
});

test("a Go module with a path of its own is not titled with the name of ours", async () => {
  const out = join(folder, "own");
  await generate({ ...options, out, go: { name: "example.com/me/marks" } });
  expect(readFileSync(join(out, "go/README.md"), "utf8")).toMatch(/^# marks\n/);
});
