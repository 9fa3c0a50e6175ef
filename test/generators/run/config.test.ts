import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolveConfig } from "../../../generators/run/config.js";
import { generate } from "../../../generators/run/generate/generate.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand } from "../cli/run-command.js";
import { REFERENCE } from "../../reference/reference.js";

const home = process.cwd();
let place = "";
beforeEach(() => process.chdir((place = temporaryFolder())));
afterEach(() => process.chdir(home));
const config = {
  outputs: [
    { profiles: ["v1"], out: "generated/one" },
    {
      protocol: "v2",
      with: ["nes", "./mine.json"],
      name: "editor",
      targets: ["types"],
      package: { name: "@me/acp" },
      header: ["Copyright"],
    },
  ],
};
const expected = [
  { profiles: ["v1"], out: "./generated/one" },
  {
    protocol: "v2",
    with: ["nes", "./mine.json"],
    name: "editor",
    targets: ["types"],
    package: { name: "@me/acp" },
    header: ["Copyright"],
    out: "./out",
  },
];
const json = JSON.stringify(config);

describe("a configuration", () => {
  const files: readonly [string, string][] = [
    ["acp-codegen.config.json", json],
    ["acp-codegen.config.js", `export default ${json};`],
    ["acp-codegen.config.mjs", `export default ${json};`],
    ["acp-codegen.config.cjs", `module.exports = ${json};`],
    [
      "acp-codegen.config.ts",
      `const config: { outputs: object[] } = ${json};\nexport default config;`,
    ],
    ["acp-codegen.config.mts", `export default ${json} satisfies object;`],
    ["package.json", JSON.stringify({ name: "x", "acp-codegen": config })],
  ];
  test.each(files)("is read from %s, with paths from its folder", async (name, text) => {
    if (name.endsWith(".js")) writeFileSync("package.json", '{"type":"module"}');
    writeFileSync(name, text);
    expect((await resolveConfig({})).outputs).toEqual(expected);
  });

  test("in another folder is named, and its paths are relative to its folder", async () => {
    mkdirSync("sub");
    writeFileSync("sub/mine.json", json);
    const { outputs } = await resolveConfig({}, "sub/mine.json");
    expect(outputs.map(({ out }) => out)).toEqual(["./sub/generated/one", "./sub/out"]);
    expect(outputs[1]!.with).toEqual(["nes", "./sub/mine.json"]);
  });

  test.each(["acp-codegen.config.json", "package.json"])(
    "of a folder above, %s, stops the run instead of being missed",
    async (name) => {
      writeFileSync(
        name,
        name === "package.json" ? JSON.stringify({ "acp-codegen": config }) : json,
      );
      mkdirSync("inner/most", { recursive: true });
      process.chdir("inner/most");
      await expect(resolveConfig({})).rejects.toThrow(
        `../../${name}: lies above this folder, and only the configuration of the working folder is read. ` +
          `Run the command there, or add --config ../../${name} or --no-config.`,
      );
      expect((await resolveConfig({}, false)).outputs).toEqual([{}]);
      expect((await resolveConfig({ profiles: ["v1"] })).outputs).toEqual([{ profiles: ["v1"] }]);
    },
  );

  test("of a package.json above that has none is not missed", async () => {
    writeFileSync("package.json", '{ "name": "x" }');
    mkdirSync("inner");
    process.chdir("inner");
    expect((await resolveConfig({})).outputs).toEqual([{}]);
  });

  test.each([
    "acp-codegen.config.yaml",
    "acp-codegen.config.jsonc",
    "acp-codegen.json",
    ".acp-codegenrc",
    "acp-codegen-config.json",
    "acpcodegen.config.ts",
    "acp-codegen.config",
    "acp-codgen.config.json",
    "acp-codegen.confg.ts",
    "acp-codegen.conf.json",
  ])("%s is a misspelled name, which stops the run", async (name) => {
    writeFileSync(name, json);
    await expect(resolveConfig({})).rejects.toThrow(
      `${name}: is not a name that a configuration can have. Name it acp-codegen.config.json, `,
    );
  });

  test.each(["codegen.config.ts", "openapi-codegen.config.ts", "graphql-codegen.config.js"])(
    "%s is the configuration of another tool",
    async (name) => {
      writeFileSync(name, "export default {};");
      expect((await resolveConfig({})).outputs).toEqual([{}]);
    },
  );

  test.each([
    ["name", "@Me/acp", "an npm name. Examples: @me/acp."],
    ["version", "1", "a semantic version. Examples: 1.0.0."],
    ["license", "MIT License", "an SPDX expression. Examples: MIT."],
    ["homepage", "me.example", "a URL. Examples: https://example.org/acp."],
    ["readme", "https://me.example/README.md", "a path. Examples: docs/README.md."],
  ])("with the %s %s of a package is refused with the right form", async (key, value, form) => {
    const output = { package: { [key]: value } };
    writeFileSync("acp-codegen.config.json", JSON.stringify({ outputs: [output] }));
    await expect(resolveConfig({})).rejects.toThrow(
      `#/outputs/0/package/${key}: "${value}" is not ${form}`,
    );
  });

  test("beside another one stops the run, which would ignore it", async () => {
    writeFileSync("acp-codegen.config.json", json);
    writeFileSync("acp-codegen.config.mjs", `export default ${json};`);
    await expect(resolveConfig({})).rejects.toThrow(
      "acp-codegen.config.mjs: is a second configuration beside acp-codegen.config.json. Remove one of them",
    );
    expect((await resolveConfig({}, "acp-codegen.config.mjs")).outputs).toEqual(expected);
  });

  test("is ignored when flags select the output, or on request", async () => {
    writeFileSync("acp-codegen.config.json", json);
    expect((await resolveConfig({ profiles: ["v2"] })).outputs).toEqual([{ profiles: ["v2"] }]);
    expect((await resolveConfig({}, false)).outputs).toEqual([{}]);
    await expect(resolveConfig({ profiles: ["v2"] }, "acp-codegen.config.json")).rejects.toThrow(
      "the flags and the configuration both select what to generate",
    );
  });

  test("with a stale output before one that is up to date fails a check", async () => {
    const outputs = ["v1", "v2"].map((profile) => ({
      profiles: [profile],
      out: profile,
      targets: ["schema"],
    }));
    writeFileSync("acp-codegen.config.json", JSON.stringify({ outputs }));
    await generate(outputs[1]);
    const { code, err } = await runCommand(["generate", "--check"], { cwd: place });
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("v1 is not what the schema generates"),
    ]);
  });

  const wrong: { readonly [title: string]: readonly [unknown, string] } = {
    "a misspelled key": [
      { outputs: [{ profile: ["v1"] }] },
      'unknown keyword "profile". Did you mean "profiles"?',
    ],
    "no output": [{ outputs: [] }, "#/outputs: the value must not be empty"],
    "a wrong type": [
      { outputs: [{ profiles: "v1" }] },
      "#/outputs/0/profiles: the value must be array",
    ],
    "a package name that is none": [
      { outputs: [{ package: { name: "A b" } }] },
      '"A b" is not an npm name',
    ],
    "a header of two lines": [{ outputs: [{ header: ["a\nb"] }] }, "does not have the form"],
  };
  test.each(Object.entries(wrong))(
    "with %s is refused with file and pointer",
    async (_, [document, message]) => {
      writeFileSync("acp-codegen.config.json", JSON.stringify(document));
      await expect(resolveConfig({})).rejects.toThrow(message);
      await expect(resolveConfig({})).rejects.toThrow(/^acp-codegen\.config\.json#/);
    },
  );

  test("is refused without a stack trace and with exit code 2 if it does not parse", async () => {
    writeFileSync("acp-codegen.config.mjs", "export default {");
    const { code, err } = await runCommand(["generate"], { cwd: place });
    expect(code).toBe(2);
    expect(err).toMatch(/acp-codegen\.config.*cannot be loaded: /);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each([
    ["acp-codegen.config.json", "", "is empty"],
    ["acp-codegen.config.mjs", "\n", "is empty"],
    ["acp-codegen.config.mjs", "export default {\n  a: [\n", "cannot be loaded: "],
    ["acp-codegen.config.mjs", "throw new Error('not today')", "cannot be loaded: not today"],
  ])(
    "%s with %j %s, which is reported with its name and exit code 2",
    async (file, text, message) => {
      writeFileSync(file, text);
      const { code, err } = await runCommand(["generate"], { cwd: place });
      expect({ code, err }).toMatchObject({ code: 2 });
      expect(err).toContain(`error: ${file}: ${message}`);
    },
  );

  test.each([
    ['{\n "outputs": [1, }          ', "2:17: is not JSON: Unexpected token '}'"],
    ['{\n "outputs": [', "2:14: is not JSON: Unexpected end of JSON input"],
    ['{ "outputs": [{ "profiles": ["v1"] }] }, and more', "1:40: is not JSON: "],
  ])("%j is refused with line and column", async (text, message) => {
    writeFileSync("acp-codegen.config.json", text);
    await expect(resolveConfig({})).rejects.toThrow(`acp-codegen.config.json:${message}`);
  });

  test.each([
    ["an unknown profile", { profiles: ["v3"] }, 'unknown profile "v3"'],
    ["a missing feature", { protocol: "v1", with: ["./none.json"] }, "./none.json does not exist"],
  ])("with %s is named", async (_, output, message) => {
    writeFileSync("acp-codegen.config.json", JSON.stringify({ outputs: [output] }));
    const { code, err } = await runCommand(["generate"], { cwd: place });
    expect(code).toBe(2);
    expect(err).toContain(`error: acp-codegen.config.json: ${message}`);
  });

  test("is printed with every default, as a configuration that gives the same output", async () => {
    writeFileSync("acp-codegen.config.json", '{ "outputs": [{}] }');
    const { out } = await runCommand(["generate", "--print-config"], { cwd: place });
    const printed = JSON.parse(out) as { outputs: { targets: string[]; profiles: string[] }[] };
    expect(printed.outputs[0]).toMatchObject({ out: "./out", layout: "package" });
    expect(printed.outputs[0]!.profiles).toEqual(expect.arrayContaining(["v1", "v2-full"]));
    expect(printed.outputs[0]!.targets).toContain("types");
    expect(printed.outputs[0]!.targets).not.toContain("docs");
    writeFileSync("acp-codegen.config.json", out);
    expect((await resolveConfig({})).outputs).toEqual(printed.outputs);
  });

  test("has a published JSON Schema that accepts the manual's example", () => {
    const schema = JSON.parse(
      readFileSync(join(ROOT, "schema/dialect/config.schema.json"), "utf8"),
    ) as object;
    const validate = new Ajv2020().compile(schema);
    const page = readFileSync(join(ROOT, "templates/site/guides/tool/configuration.md"), "utf8");
    const example = /```json\n(\{\n {2}"\$schema"[^]*?)```/.exec(page)?.[1];
    expect(validate(JSON.parse(example ?? "null"))).toBe(true);
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      exports: { readonly [path: string]: unknown };
    };
    expect(exports["./config.schema.json"]).toBe("./schema/dialect/config.schema.json");
  });
});

describe("an imported schema", () => {
  test("gives the same bytes independent of the working folder", async () => {
    const file = join(REFERENCE, "v1.json");
    writeFileSync("schema.json", readFileSync(file));
    const one = { schema: "schema.json", protocol: "v1", targets: ["package"], out: "one" };
    await generate(one);
    mkdirSync("inner");
    process.chdir("inner");
    const { write } = await generate({
      ...one,
      schema: "../schema.json",
      out: "../one",
      check: true,
    });
    expect(write.map(({ file: { path } }) => path)).toEqual([]);
  });
});
