import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resolveConfig } from "../../../generators/run/config.js";
import { init, type InitOptions, type Project } from "../../../generators/run/init/init.js";
import { toolCommand } from "../../../generators/cli/command-line.js";
import { printProject } from "../../../generators/cli/print/project.js";
import { exitCodeOf } from "../../../generators/cli/print/errors.js";
import { toolDependency } from "../../../generators/run/init/tool-dependency.js";
import { readTemplates, toolVersion } from "../../../generators/run/installation.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand, startCommand } from "../cli/run-command.js";

const home = process.cwd();
let place = "";
beforeEach(() => process.chdir((place = temporaryFolder())));
afterEach(() => process.chdir(home));
const names = (path = "."): string[] => readdirSync(path).sort();
const json = (path: string): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, unknown>>;

describe("init", () => {
  const projects: { readonly [title: string]: readonly [Record<string, string>, string] } = {
    "an empty folder": [{}, "mjs"],
    "a CommonJS package": [{ "package.json": "{}" }, "mjs"],
    "an ES module package": [{ "package.json": '{"type":"module"}' }, "js"],
    "TypeScript in a CommonJS package": [{ "package.json": "{}", "tsconfig.json": "{}" }, "mts"],
    "TypeScript in an ES module package": [
      { "package.json": '{"type":"module"}', "tsconfig.json": "{ // as TypeScript has it\n }" },
      "ts",
    ],
    "TypeScript that is only a dependency": [
      { "package.json": '{"type":"module","devDependencies":{"typescript":"6.0.3"}}' },
      "ts",
    ],
  };
  test.each(Object.entries(projects))(
    "writes a configuration that loads into %s",
    async (_, [files, extension]) => {
      for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
      const name = `acp-codegen.config.${extension}`;
      const project = await init(undefined, {});
      expect(names()).toEqual([...Object.keys(files), name].sort());
      expect((await resolveConfig({})).outputs).toEqual([{ out: "./acp", profiles: ["v1"] }]);
      expect(printProject(project, false)).toBe(
        `done: ${name}\nNext: ${toolCommand(process.cwd())} generate`,
      );
    },
  );

  test.each(["package.json", "tsconfig.json"])(
    "shows every option in a form that conforms to the published schema, with %s",
    async (own) => {
      writeFileSync(own, "{}");
      await init(undefined, {});
      const name = names().find((path) => path.startsWith("acp-codegen"))!;
      const text = readFileSync(name, "utf8").replace(/^( *)\/\/ (\w+: .*,)$/gm, "$1$2");
      writeFileSync("shown.mts", text.replace(/^import type .*$/m, "type Config = object;"));
      const { createJiti } = await import("jiti");
      const shown = await createJiti(import.meta.url).import<{ outputs: object[] }>(
        join(place, "shown.mts"),
        { default: true },
      );
      const schema = json(join(ROOT, "schema/dialect/config.schema.json"));
      const validate = new Ajv2020().compile(schema);
      expect({ isValid: validate(shown), errors: validate.errors }).toEqual({
        isValid: true,
        errors: null,
      });
      const { output } = schema["$defs"] as { output: { properties: object } };
      expect(Object.keys(shown.outputs[0]!).sort()).toEqual(Object.keys(output.properties).sort());
    },
  );

  test("overwrites a configuration only with --force, and no other file", async () => {
    writeFileSync("acp-codegen.config.mjs", "mine");
    await expect(init(undefined, {})).rejects.toThrow(
      "acp-codegen.config.mjs already exists. Edit it, or overwrite it with --force.",
    );
    expect(readFileSync("acp-codegen.config.mjs", "utf8")).toBe("mine");
    await init(undefined, { force: true });
    expect((await resolveConfig({})).outputs).toHaveLength(1);
    writeFileSync("acp-codegen.config.json", "{}");
    await expect(init(undefined, { force: true })).rejects.toThrow(
      "acp-codegen.config.json already exists. Edit or remove it.",
    );
  });

  test("writes nothing next to a configuration in package.json", async () => {
    writeFileSync("package.json", '{"acp-codegen":{"outputs":[{}]}}');
    await expect(init(undefined, { force: true })).rejects.toThrow(
      "package.json already has a key acp-codegen.",
    );
    expect(names()).toEqual(["package.json"]);
  });

  test("shows in a dry run what it would write, and writes nothing", async () => {
    const { code, out } = await runCommand(["init", "--dry-run"], { cwd: place });
    expect(code).toBe(0);
    expect(names()).toEqual([]);
    await init(undefined, {});
    const text = readFileSync("acp-codegen.config.mjs", "utf8");
    expect(out).toBe(`would write acp-codegen.config.mjs:\n\n${text}`);
  });

  const wrong: readonly [string, string, string][] = [
    ["no JSON", "{", "package.json:1:2: is not JSON: "],
    ["no manifest", "[]", "package.json: is not a package manifest"],
  ];
  test.each(wrong)(
    "is a usage error next to a package.json that is %s",
    async (_, text, message) => {
      writeFileSync("package.json", text);
      const error: unknown = await init(undefined, {}).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: expect.stringContaining(message) });
      expect(exitCodeOf(error)).toBe(2);
      expect(names()).toEqual(["package.json"]);
    },
  );
});

describe("init --starter", () => {
  const made = join(temporaryFolder(), "made");
  let project: Project;
  beforeAll(async () => {
    project = await init(join(made, "my-agent"), { starter: "agent" });
  });

  test("writes the project that a dry run lists, with its name and the location of the tool in the manifest", async () => {
    const planned = await runCommand(["init", "my-agent", "--starter", "agent", "--dry-run"], {
      cwd: place,
    });
    expect(names()).toEqual([]);
    process.chdir(made);
    expect(printProject(project, false)).toBe(
      "done: 10 files and the bindings in my-agent\nNext: cd my-agent && npm install && npm test",
    );
    const written = readdirSync("my-agent", { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name) + (entry.isDirectory() ? "/" : ""))
      .filter((path) => !/\/(src|acp\/.+)\/?$/.test(path));
    expect({ code: planned.code, rows: planned.out.trimEnd().split("\n").sort() }).toEqual({
      code: 0,
      rows: written.map((path) => `  missing  ${path}`).sort(),
    });
    expect(names("my-agent/acp")).toEqual(["acp-codegen.manifest.json", "schema", "typescript"]);
    const { name, dependencies, devDependencies } = json("my-agent/package.json");
    expect({ name, dependencies }).toEqual({ name: "my-agent", dependencies: undefined });
    expect(devDependencies!["acp-codegen"]).toBe(toolDependency(join(made, "my-agent")));
    expect(readFileSync("my-agent/.gitignore", "utf8")).toBe("node_modules/\ndist/\n");
  });

  test("pins the versions that the starters are tested with here", () => {
    const own = json(join(ROOT, "package.json"));
    const pins = ["agent", "client", "adapter"].flatMap((starter) => {
      const { dependencies, devDependencies } = json(
        join(ROOT, "templates/starters/typescript", starter, "package.json"),
      );
      return Object.entries({ ...dependencies, ...devDependencies });
    });
    const others = pins.filter(([name]) => !name.startsWith("acp-"));
    expect(others.length).toBeGreaterThan(6);
    for (const [name, version] of others) {
      expect([name, version]).toEqual([name, own["devDependencies"]![name]]);
    }
  });

  test("does not copy templates of emitters", () => {
    const paths = [...readTemplates().keys()];
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => path.startsWith("starters/"))).toEqual([]);
  });

  const wrong: readonly [string, string | undefined, InitOptions, string][] = [
    [
      "an unknown name",
      "x",
      { starter: "agnet" },
      'unknown starter "agnet". Did you mean "agent"?',
    ],
    [
      "an unknown language",
      "x",
      { starter: "agent", language: "pyton" },
      'unknown language "pyton". Did you mean "python"?',
    ],
    [
      "a starter that a language does not have",
      "x",
      { starter: "client", language: "python" },
      'unknown python starter "client". Known: agent.',
    ],
    ["a language without a starter", "x", { language: "python" }, "--language requires --starter"],
    [
      "a folder whose name is none for npm",
      "My Agent",
      { starter: "agent" },
      '"My Agent" is not an npm package name. Choose one with --name',
    ],
    [
      "a name that is none for npm",
      "x",
      { starter: "agent", name: "../x" },
      '"../x" is not an npm package name',
    ],
    [
      "the name of its own dependency",
      "ai",
      { starter: "adapter" },
      'the project depends on a package named "ai". Choose another --name.',
    ],
    ["a name without a starter", undefined, { name: "x" }, "--name requires --starter"],
  ];
  test.each(wrong)(
    "is a usage error with %s, and writes nothing",
    async (_, path, flags, message) => {
      const error: unknown = await init(path, flags).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: expect.stringContaining(message) });
      expect(exitCodeOf(error)).toBe(2);
      expect(names()).toEqual([]);
    },
  );

  test("reports a usage error on the command line without a stack trace", async () => {
    const unknown = await runCommand(["init", "--starter", "agnet"], { cwd: place });
    const empty = await runCommand(["init", "", "--starter", "agent"], { cwd: place });
    expect([unknown.code, empty.code]).toEqual([2, 2]);
    expect(unknown.err).toBe(
      'error: unknown starter "agnet". Did you mean "agent"? Known: adapter, agent, client.\n',
    );
    expect(empty.err).toContain("Expected the path of a folder.");
  });

  test("accepts a name other than the folder's", async () => {
    const { files } = await init("My Agent", { starter: "agent", name: "@me/agent", dryRun: true });
    const { path, text } = files.at(-1)!;
    expect([path, (JSON.parse(text) as { name: string }).name]).toEqual([
      "package.json",
      "@me/agent",
    ]);
  });

  test("accepts a new repository, but not a folder with files", async () => {
    mkdirSync("agent/.git", { recursive: true });
    await expect(init("agent", { starter: "agent", dryRun: true })).resolves.toBeDefined();
    writeFileSync("agent/notes", "mine");
    const error: unknown = await init("agent", { starter: "agent" }).catch((thrown) => thrown);
    expect(exitCodeOf(error)).toBe(2);
    expect(String(error)).toContain("agent is not empty: notes. Name a new folder, or overwrite");
    expect(names("agent")).toEqual([".git", "notes"]);
  });

  test("overwrites with --force only the files of the project", async () => {
    mkdirSync("agent");
    writeFileSync("agent/notes", "mine");
    writeFileSync("agent/README.md", "mine");
    // These are up to date already.
    cpSync(join(made, "my-agent/acp"), "agent/acp", { recursive: true });
    const planned = await init("agent", { starter: "agent", force: true, dryRun: true });
    expect(printProject(planned, true)).toContain("  changed  agent/README.md\n");
    await init("agent", { starter: "agent", force: true });
    expect(readFileSync("agent/notes", "utf8")).toBe("mine");
    expect(readFileSync("agent/README.md", "utf8")).toContain("# An agent");
  });

  test("undoes everything when a file cannot be written", async () => {
    mkdirSync("agent");
    writeFileSync("agent/src", "a file where a folder belongs");
    writeFileSync("agent/README.md", "mine");
    await expect(init("agent", { starter: "agent", force: true })).rejects.toThrow(
      "src is not a folder",
    );
    expect(names("agent")).toEqual(["README.md", "src"]);
    expect(readFileSync("agent/README.md", "utf8")).toBe("mine");
  });

  test("undoes everything when it is interrupted", async () => {
    const run = startCommand(["init", "my/agent", "--starter", "agent"], { cwd: place });
    const ended = once(run, "exit");
    while (!existsSync("my/agent/acp/.acp-codegen.lock")) await sleep(5);
    run.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    expect(names()).toEqual([]);
  });

  test.each([
    ["a file", "taken"],
    ["a place below a file", "taken/below"],
    ["a folder that cannot be created", "/proc/agent"],
  ])("exits 3 when the target is %s", async (_, target) => {
    writeFileSync("taken", "mine");
    const error: unknown = await init(target, { starter: "agent" }).catch((thrown) => thrown);
    expect(exitCodeOf(error)).toBe(3);
    expect(String(error)).toMatch(/cannot be written \(E\w+\)/);
    expect(names()).toEqual(["taken"]);
    expect(existsSync("/proc/agent")).toBe(false);
  });
});

describe("the manifest of a starter names the tool", () => {
  const installed = (resolved?: string): string => {
    const tool = join(place, "here/node_modules/acp-codegen");
    mkdirSync(tool, { recursive: true });
    const packages = { "node_modules/acp-codegen": { resolved } };
    writeFileSync(join(tool, "../.package-lock.json"), JSON.stringify({ packages }));
    return tool;
  };

  test("by its version, when it came from a registry or from an unknown source", () => {
    const registry = "https://registry.example/acp-codegen/-/acp-codegen-0.1.0.tgz";
    expect(toolDependency(place, installed(registry), true)).toBe(toolVersion());
    expect(toolDependency(place, installed(), true)).toBe(toolVersion());
    expect(toolDependency(place, join(place, "other/node_modules/acp-codegen"), true)).toBe(
      toolVersion(),
    );
  });

  test("by its folder, before a registry has it, when the source is unknown", () => {
    const tool = join(place, "other/node_modules/acp-codegen");
    expect(toolDependency(place, tool, false)).toBe("file:other/node_modules/acp-codegen");
  });

  test("by the file that it was installed from", () => {
    const tool = installed("file:../acp-codegen-0.1.0.tgz");
    expect(toolDependency(join(place, "a/b"), tool)).toBe("file:../../acp-codegen-0.1.0.tgz");
  });

  test("by its folder, when it runs from a clone", () => {
    expect(toolDependency(join(place, "a"), join(place, "tool"))).toBe("file:../tool");
  });
});
