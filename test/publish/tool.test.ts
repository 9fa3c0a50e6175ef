import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { withoutProgress } from "../generators/cli/run-command.js";
import { pack, type Tarball } from "./pack.js";
import { deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { buildCopy, copyTool } from "../support/tool-copy.js";
import { runToEnd, type Ended } from "../support/processes.js";

const folder = temporaryFolder();
const app = join(folder, "app");
const installed = join(app, "node_modules/acp-codegen");
const command = join(app, "node_modules/.bin/acp-codegen");

let tarball: Tarball;
beforeAll(() => {
  tarball = pack(ROOT, folder);
  // Installed as npm would, with the dependencies that are here already.
  mkdirSync(join(app, "node_modules/.bin"), { recursive: true });
  mkdirSync(installed);
  execFileSync("tar", ["-xzf", tarball.file, "--strip-components=1", "-C", installed]);
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name.startsWith(".") || name.startsWith("acp-")) continue;
    symlinkSync(join(ROOT, "node_modules", name), join(app, "node_modules", name));
  }
  symlinkSync("../acp-codegen/bin/acp-codegen.js", command);
  const lines = [
    { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } },
    { jsonrpc: "2.0", method: "session/cancel", params: {} },
  ];
  writeFileSync(join(app, "t.ndjson"), lines.map((line) => JSON.stringify(line)).join("\n"));
});

const run = (...args: readonly string[]): Ended => runToEnd(command, args, { cwd: app });

/** Licenses of packages that a project under Apache-2.0 may depend on without a question. */
const FREE: readonly string[] = [
  ...["MIT", "ISC", "0BSD", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause"],
  ...["Apache-2.0", "Python-2.0", "PSF-2.0"],
];
const runtimeDependencies = (): { readonly [name: string]: string } =>
  (
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: { readonly [name: string]: string };
    }
  ).dependencies;
const read = (path: string): string => readFileSync(join(app, path), "utf8");

describe("the packed tool", () => {
  test("takes a language that is written outside of the repository", () => {
    copyFileSync(join(ROOT, "test/publish/toy-language.ts"), join(app, "toy-language.ts"));
    const { code, err } = run(
      "generate",
      "--profile",
      "v1",
      "--target",
      "./toy-language.ts",
      "--out",
      "toys",
    );
    expect({ code, err: err.includes("error") }).toEqual({ code: 0, err: false });
    const printed = read("toys/toy/v1.toy");
    const names = [...printed.matchAll(/^(?:record|choice|union|alias) (\w+)/gm)].map(([, n]) => n);
    expect(names.length).toBeGreaterThan(200);
    expect(new Set(names).size).toBe(names.length);
    expect(printed).toContain('record ContentBlockText\n  type is "text"\n  text string\n');
    expect(printed).toContain("choice ContentBlock by type alone\n");
    expect(printed).toMatch(/^method agent request SessionPrompt # required, \d+ gated places$/m);
    const table = JSON.parse(read("toys/toy/v1.json")) as {
      readonly [name: string]: readonly unknown[];
    };
    expect(table["TextContent"]).toContain("object");
  });

  test("passes publint", async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true });
    // The starters' manifests are templates: each is used at the root of a project.
    const own = messages.filter(({ code }) => code !== "NESTED_PACKAGE_JSON_FIELD_IGNORED");
    expect(own).toEqual([]);
  });

  test("contains its runtime files and no sources", () => {
    const allowed =
      /^(bin\/acp-codegen\.js|dist\/.+\.(js|d\.ts)|dist\/code-digest\.json|schema\/.+\.(json|ndjson|md)|templates\/.+|LICENSE|(README|CHANGELOG)\.md|package\.json)$/;
    expect(tarball.files.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
  });

  test("depends on packages with permissive licenses", () => {
    const licenseOf = (name: string): string =>
      (
        JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as {
          license: string;
        }
      ).license;
    const names = Object.keys(runtimeDependencies());
    expect(names.filter((name) => !FREE.includes(licenseOf(name)))).toEqual([]);
  });

  deepTest(
    "is the same bytes when it is rebuilt in another folder",
    () => {
      const copy = join(folder, "copy");
      copyTool(copy);
      buildCopy(copy);
      expect(pack(copy, folder).integrity).toBe(tarball.integrity);
    },
    300_000,
  );

  deepTest("generates the committed output in an empty folder, byte for byte", () => {
    for (const flags of [[], ["--target", "python"], []]) {
      const { code, err } = run("generate", ...flags);
      expect({ code, err }).toEqual({ code: 0, err: "" });
    }
    const manifest = "out/acp-codegen.manifest.json";
    // Besides the digests of all files, a manifest has the options of the runs that made them.
    const listed = (text: string): object => ({ ...(JSON.parse(text) as object), inputs: {} });
    expect(listed(read(manifest))).toEqual(listed(readFileSync(join(ROOT, manifest), "utf8")));
  });

  test("generates for a program that is not a file", () => {
    const program = `import { generate } from "acp-codegen";
      await generate({ profiles: ["v1"], targets: ["roles"], out: "from-stdin" });`;
    const args = ["--input-type=module", "-"];
    const ended = runToEnd(process.execPath, args, { cwd: app, input: program });
    expect(ended).toMatchObject({ code: 0, err: "" });
    const made = "typescript/src/v1/roles.ts";
    expect(readFileSync(join(app, "from-stdin", made), "utf8")).toBe(
      readFileSync(join(ROOT, "out", made), "utf8"),
    );
  });

  deepTest("has nothing to do the second time, and finds nothing stale", () => {
    expect(run("generate").out).toMatch(/^done: 0 written, 0 removed, \d+ unchanged in out .*\n$/);
    expect(run("generate", "--check").code).toBe(0);
  });

  deepTest("lints the schema that it contains", () => {
    expect(run("lint")).toMatchObject({ code: 0, err: "" });
  });

  test("inspects transcripts with decoders that it compiles in memory", () => {
    const { code, out, err } = run("inspect", "t.ndjson");
    expect({ code, err: withoutProgress(err) }).toEqual({ code: 1, err: "" });
    expect(out).toContain("t.ndjson:3: client -> agent session/cancel notification (invalid)\n");
    expect(out).toContain("error required /params/sessionId: ");
  });

  describe("is a library as well", () => {
    /** A user's program; its types are checked, then it runs. */
    const program = `
import { createReadStream } from "node:fs";
import {
  compileProfiles, defineConfig, diff, generate, InputError, inspect, lint, verify,
  type FoundChange, type GenerateResult, type LineReport, type LintFinding, type Verified,
} from "acp-codegen";

const config = defineConfig({ outputs: [{ profiles: ["v1"], targets: ["types"], out: "library" }] });
const made: GenerateResult = await generate(config.outputs[0]);
const files = await compileProfiles({ profiles: ["v1"], targets: ["schema"] });
const verified: Verified = await verify("library");
const findings: readonly LintFinding[] = lint().findings;
const { sender, changes } = await diff("v1", "v1-full");
const added: readonly FoundChange[] = changes.filter(({ kind }) => kind === "added");
const reports: LineReport[] = [];
const result = await inspect(createReadStream("t.ndjson"), { inputs: { profiles: ["v1"] } }, {
  line: (report) => reports.push(report),
});
const refused = await Promise.all([
  generate({ profiles: ["v7"] }),
  verify("."),
  diff("v1", "v7"),
  inspect(createReadStream("t.ndjson"), { inputs: { profiles: ["v7"] } }),
].map((call) => (call as Promise<unknown>).then(() => "fine", (error: unknown) =>
  error instanceof InputError ? error.problems[0]!.message : String(error))));
console.log(JSON.stringify({
  written: made.write.some(({ file }) => file.path === "typescript/src/v1/types.ts"),
  files: files.map(({ path }) => path),
  verified: [verified.rebuilt, verified.findings],
  findings,
  diff: [sender, added.length > 10],
  inspect: [result.profiles, result.messages, result.errors, reports.map(({ verdict }) => verdict)],
  refused,
}));
`;

    deepTest("whose types compile under the strictest options", () => {
      const readme = readFileSync(join(installed, "templates/site/guides/tool/library.md"), "utf8");
      const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!);
      const [example] = blocks.filter((block) => block.includes('from "acp-codegen"'));
      writeFileSync(join(app, "library.mts"), program);
      writeFileSync(join(app, "example.mts"), example!);
      const flags = [
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--module",
        "nodenext",
      ];
      const options = ["--target", "es2022", "--types", "node", "--noUncheckedIndexedAccess"];
      const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
      const { stdout } = spawnSync(
        process.execPath,
        [tsc, ...flags, ...options, "library.mts", "example.mts"],
        {
          cwd: app,
          encoding: "utf8",
        },
      );
      expect(stdout).toBe("");
    });

    deepTest("with generate, compileProfiles, verify, lint, diff and inspect", () => {
      const { outputText } = ts.transpileModule(program, {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      writeFileSync(join(app, "library.mjs"), outputText);
      const printed = execFileSync(process.execPath, ["library.mjs"], {
        cwd: app,
        encoding: "utf8",
      });
      expect(JSON.parse(printed)).toEqual({
        written: true,
        files: ["schema/v1.meta.json", "schema/v1.schema.json"],
        verified: [["v1"], []],
        findings: [],
        diff: ["safe", true],
        inspect: [["v1"], 3, 1, ["valid", "valid", "invalid"]],
        refused: [
          'unknown profile "v7"',
          ". has no acp-codegen.manifest.json",
          'unknown profile or schema file "v7"',
          'unknown profile "v7"',
        ],
      });
    });
  });
});
