import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compileProfiles } from "../../../generators/index.js";
import { lintPaths } from "../../../generators/run/lint/lint.js";
import { InputError, type Problem } from "../../../generators/schema/problem.js";
import { IS_DEEP } from "../../support/deep.js";

const folder = mkdtempSync(join(tmpdir(), "acp-added-parts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MIXED = { type: ["boolean", "string", "null"], minLength: 2, description: "A mixture." };
const property = (schema: object) => ({ SessionInfo: { properties: { pinned: schema } } });
const variant = (parts: object, mood: object = { type: "string", description: "The mood." }) => ({
  SessionUpdate: {
    oneOf: [
      {
        description: "The mood.",
        type: "object",
        properties: { sessionUpdate: { const: "mood", type: "string" }, mood },
        required: ["sessionUpdate"],
        "x-meta": true,
        ...parts,
      },
    ],
  },
});
const gate = (agent: string) => ({ "x-gate": { agent } });
const LIST = "agentCapabilities.sessionCapabilities.list";

/** Writes a feature of the user's own and returns its path. */
function feature(name: string, add: object): string {
  const path = join(folder, `${name}.json`);
  const texts = { title: "Mood", description: "Adds the mood." };
  const document = { $schema: "feature.schema.json", name, protocol: "v1", ...texts, add };
  writeFileSync(path, JSON.stringify({ ...document, status: "proposed" }, null, 2));
  return path;
}

async function problemsOf(path: string): Promise<readonly Problem[]> {
  try {
    await compileProfiles({ protocol: "v1", with: [path], targets: ["types"] });
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("a problem in what a feature adds is reported in the feature's file", () => {
  const added: readonly [string, object, string][] = [
    [
      "a wrong gate of a property",
      property({ description: "Pinned.", type: "boolean", ...gate(`${LIST}s`) }),
      "/add/SessionInfo/properties/pinned/x-gate",
    ],
    ["a wrong gate of a variant", variant(gate(`${LIST}s`)), "/add/SessionUpdate/oneOf/0/x-gate"],
    [
      "a form of a property that the model does not have",
      property({ ...MIXED, ...gate(LIST) }),
      "/add/SessionInfo/properties/pinned",
    ],
    [
      "a form inside a variant that the model does not have",
      variant(gate(LIST), MIXED),
      "/add/SessionUpdate/oneOf/0/properties/mood",
    ],
  ];
  test.each(added.slice(0, IS_DEEP ? undefined : 2))("%s", async (title, add, pointer) => {
    const path = feature(title.replaceAll(" ", "_"), add);
    const [problem, ...others] = await problemsOf(path);
    expect(others).toEqual([]);
    expect(problem!.file).toMatch(/\.json$/);
    expect(path.endsWith(problem!.file!.split("/").at(-1)!)).toBe(true);
    expect(problem!.pointer).toMatch(new RegExp(`^${pointer}`));
    if (title.includes("gate")) expect(problem!.hint).toBe(`Did you mean "${LIST}"?`);
    const { findings } = lintPaths({ paths: [path] });
    const found = findings.find((finding) => finding.pointer === problem!.pointer);
    expect(found).toMatchObject({ position: { line: expect.any(Number) as number } });
  });

  test("all at once", async () => {
    const wrong = gate(`${LIST}s`);
    const both = {
      ...property({ description: "Pinned.", type: "boolean", ...wrong }),
      ...variant(wrong),
    };
    expect(await problemsOf(feature("both", both))).toHaveLength(2);
  });
});
