import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { resolveInputs } from "../../../generators/run/inputs/select-profiles.js";
import { SCHEMA } from "../../../generators/run/installation.js";
import type { Selection } from "../../../generators/run/options.js";
import { InputError, type Problem } from "../../../generators/schema/problem.js";
import { locateProblems } from "../../../generators/schema/source/locate-problems.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const FILES = {
  "in/main.json": of("sub/b.json", "sub/common.json#/$defs/Name"),
  "in/main.yaml": '$defs:\n  A: { type: object, properties: { a: { $ref: "sub/b.json" } } }\n',
  "in/merged.yaml": "$defs: { A: &a { type: string }, B: { <<: *a, minLength: 1 } }",
  "in/endless.yaml": "$defs: { A: &a { anyOf: [*a ] } }",
  "in/broken.yaml": "$defs: [1\na: 2",
  "in/named.json": of("https://example.com/d.json#/definitions/D"),
  "in/based.json": {
    $id: "https://example.com/all/based.json",
    ...of("sub/common.json#/$defs/Name"),
  },
  "in/above.json": of("../secret.json"),
  "in/linked.json": of("link.json"),
  "in/sub/b.json": {
    title: "Bee",
    type: "object",
    properties: { c: { $ref: "common.json#/$defs/Name" }, back: { $ref: "../main.json#/$defs/A" } },
  },
  "in/sub/common.json": { $defs: { Name: { type: "string" } } },
  "in/wrong.json": of("sub/wrong.json"),
  "in/sub/wrong.json": { type: "object", properties: { a: { type: "strin" } } },
  "d.json": { definitions: { D: { type: "integer" } } },
  "secret.json": { type: "string" },
};

/** A schema with a definition whose properties are references. */
function of(...references: readonly string[]): object {
  const properties = references.map(($ref, index) => [`p${index}`, { $ref }]);
  return { $defs: { A: { type: "object", properties: Object.fromEntries(properties) as object } } };
}

beforeAll(() => {
  mkdirSync(join(folder, "in/sub"), { recursive: true });
  for (const [name, content] of Object.entries(FILES))
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  symlinkSync(join(folder, "secret.json"), join(folder, "in/link.json"));
});

const selection = (file: string): Selection => ({ protocol: "v1", schema: join(folder, file) });

function definitions(file: string, refs?: Selection["refs"]): readonly string[] {
  const [input] = resolveInputs({ ...selection(file), ...(refs && { refs }) }, SCHEMA);
  return [...input!.bundle.definitions.keys()].sort();
}

function problemsOf(file: string): readonly Problem[] {
  try {
    definitions(file);
    return [];
  } catch (error) {
    return (error as InputError).problems;
  }
}

const API = `openapi: 3.1.0
info: { title: Pets, version: "1" }
paths: { /pets: { get: { responses: { "200": { description: All of them } } } } }
components:
  schemas:
    Pet: { type: object, properties: { owner: { $ref: "#/components/schemas/Owner" } }, xml: {} }
    Owner: { type: object, properties: { name: { $ref: "sub/common.json#/$defs/Name" } } }
`;

test("the schemas of an OpenAPI document are imported, by themselves and by a reference", () => {
  writeFileSync(join(folder, "in/api.yaml"), API);
  expect(definitions("in/api.yaml")).toEqual(["Name", "Owner", "Pet"]);
  writeFileSync(
    join(folder, "in/of-api.json"),
    JSON.stringify({ $ref: "api.yaml#/components/schemas/Pet" }),
  );
  expect(definitions("in/of-api.json")).toEqual(["Name", "OfApi", "Owner", "Pet"]);
  writeFileSync(
    join(folder, "in/api.yaml"),
    API.replace("Owner: { type: object", "Owner: { type: 5"),
  );
  expect(problemsOf("in/api.yaml")).toMatchObject([
    {
      file: expect.stringMatching(/api\.yaml$/) as string,
      pointer: "/components/schemas/Owner/type",
    },
  ]);
});

describe("documents that a schema refers to", () => {
  test("are read in and below its folder, also when they refer back", () => {
    expect(definitions("in/main.json")).toEqual(["A", "B", "Name"]);
    expect(definitions("in/based.json")).toEqual(["A", "Name"]);
  });

  test("may be of YAML, as the schema", () => {
    expect(definitions("in/main.yaml")).toEqual(["A", "B", "MainA", "Name"]);
    expect(problemsOf("in/broken.yaml")).toMatchObject([
      { position: { line: 2 }, message: expect.stringMatching(/^is not YAML: /) as string },
    ]);
  });

  test("may be of YAML with merged keys, but not with a part of itself", () => {
    expect(definitions("in/merged.yaml")).toEqual(["A", "B"]);
    expect(problemsOf("in/endless.yaml")).toMatchObject([
      { message: "is not YAML: an alias is part of its own anchor" },
    ]);
  });

  test.each([
    ["tagged", "A: { type: !own string }", { position: { line: 1, column: 12 } }],
    ["two", "A: {}\n---\nB: {}", { message: "has more than one document" }],
    ["infinite", "A: { minimum: -.inf }", { message: expect.stringContaining("-Infinity") }],
    ["deep", `A: ${"[".repeat(70)}${"]".repeat(70)}`, { message: expect.stringContaining("64") }],
    ["deeper", `A: ${"[".repeat(9000)}${"]".repeat(9000)}`, { message: "is nested too deeply" }],
    ["latin", Buffer.from("A: \xe9", "latin1"), { hint: "Save it as UTF-8." }],
    ["large", `A: {}\n${"# a comment\n".repeat(1 << 21)}`, { message: "is larger than 16 MB" }],
  ])("are refused in YAML where JSON does not have the same: %s", (name, text, problem) => {
    writeFileSync(join(folder, `in/${name}.yml`), text);
    expect(problemsOf(`in/${name}.yml`)).toMatchObject([problem]);
  });

  test("have the lines of their problems, also in YAML", () => {
    writeFileSync(join(folder, "in/line.yaml"), "$defs:\n  A:\n    type: strin\n");
    const located = locateProblems(problemsOf("in/line.yaml"), () => join(folder, "in/line.yaml"));
    expect(located).toMatchObject([
      { pointer: "/$defs/A/type", position: { line: 3, column: 11 } },
    ]);
  });

  test("are read from the files that are named", () => {
    const refs = { "https://example.com/d.json": join(folder, "d.json") };
    expect(definitions("in/named.json", refs)).toEqual(["A", "D"]);
    const [problem] = problemsOf("in/named.json");
    expect(problem!.hint).toContain("--ref https://example.com/d.json=./d.json");
    const unused = { ...refs, "https://example.com/e.json": join(folder, "d.json") };
    expect(() => definitions("in/named.json", unused)).toThrow("--ref https://example.com/e.json");
    expect(definitions("in/above.json", { "../secret.json": join(folder, "secret.json") })).toEqual(
      ["A", "Secret"],
    );
  });

  test.each(["in/above.json", "in/linked.json"])("are not read above its folder: %s", (file) => {
    expect(problemsOf(file)[0]!.message).toMatch(/is in another document, which is not read$/);
  });

  test("have their problems at their own places", () => {
    expect(problemsOf("in/wrong.json")[0]).toMatchObject({
      file: expect.stringMatching(/sub.wrong\.json$/) as string,
      pointer: "/properties/a/type",
    });
  });

  test("make an output stale when they change", async () => {
    const run = () =>
      generate({ ...selection("in/main.json"), out: join(folder, "out"), targets: ["types"] });
    await run();
    writeFileSync(
      join(folder, "in/sub/common.json"),
      JSON.stringify({ $defs: { Name: { type: "integer" } } }),
    );
    expect((await run()).write.length).toBeGreaterThan(0);
  });
});
