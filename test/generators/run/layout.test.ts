import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { generate, type GenerateOptions } from "../../../generators/run/generate/generate.js";
import { verify } from "../../../generators/run/verify/verify.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand } from "../cli/run-command.js";
import { findTypeErrors } from "../../use/projects/find-type-errors.js";
import { ROOT } from "../../support/paths.js";
import { deepTest } from "../../support/deep.js";

const folder = temporaryFolder();
const out = join(folder, "generated");
const options: GenerateOptions = { out, profiles: ["v1"], layout: "flat" };

describe("the flat layout", () => {
  test("has only the sources of the package", async () => {
    await generate(options);
    expect(readdirSync(out).sort()).toEqual([
      "acp-codegen.manifest.json",
      "runtime",
      "schema",
      "v1",
    ]);
    expect(existsSync(join(out, "v1/types.ts"))).toBe(true);
    expect(existsSync(join(out, "runtime/index.ts"))).toBe(true);
  });

  test("is checked and verified, and foreign files are a note", async () => {
    const flags = ["generate", "--check", "--profile", "v1", "--layout", "flat", "--out", out];
    expect(await runCommand(flags)).toMatchObject({ code: 0, err: "" });
    writeFileSync(join(out, "v1/extra.ts"), "");
    const checked = await runCommand(flags);
    expect(checked.code).toBe(0);
    expect(checked.out).toContain(
      "note: 1 file in generated folders not from acp-codegen: v1/extra.ts\n",
    );
    expect(await verify(out)).toMatchObject({
      rebuilt: ["v1"],
      findings: [],
      foreign: ["v1/extra.ts"],
    });
  });

  test("has only the sources of the Python package, which is named by its folder", async () => {
    const own = join(folder, "my_agent/acp");
    const flags = ["--profile", "v1", "--target", "python", "--layout", "flat", "--out", own];
    await runCommand(["generate", ...flags]);
    expect(readdirSync(own).sort()).toEqual([
      "__init__.py",
      "_runtime",
      "acp-codegen.manifest.json",
      "nes.py",
      "py.typed",
      "remote.py",
      "v1",
    ]);
    expect(await runCommand(["generate", "--check", ...flags])).toMatchObject({ code: 0, err: "" });
  });

  deepTest("can be replaced by the layout of a package, and restored", async () => {
    const narrow = { ...options, targets: ["types"] };
    const both = join(folder, "both");
    await generate({ ...narrow, out: both });
    await generate({ ...narrow, out: both, layout: "package" });
    expect(existsSync(join(both, "v1/types.ts"))).toBe(false);
    expect(existsSync(join(both, "typescript/src/v1/types.ts"))).toBe(true);
    await generate({ ...narrow, out: both });
    expect(existsSync(join(both, "typescript"))).toBe(false);
  });

  test("has sources that run and compile as they are, with imports of .ts", async () => {
    const sources = join(folder, "sources");
    const flags = ["--profile", "v1", "v2", "--layout", "flat", "--import-extension", "ts"];
    await runCommand(["generate", ...flags, "--out", sources]);
    expect(await verify(sources)).toMatchObject({ rebuilt: ["v1", "v2", "v1+v2"], findings: [] });
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(sources, path));
    const imports = files.flatMap((file) =>
      ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName),
    );
    expect(imports.length).toBeGreaterThan(500);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    expect(imports.filter((one) => one.startsWith(".") && !one.endsWith(".ts"))).toEqual([]);
    const errors = findTypeErrors(files, {
      declaration: true,
      isolatedDeclarations: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      typeRoots: [join(ROOT, "node_modules/@types")],
    });
    expect(errors.map(({ messageText }) => messageText)).toEqual([]);
  });

  test("refuses imports of .ts in a package, which is built", async () => {
    const { code, err } = await runCommand(["generate", "--import-extension", "ts"]);
    expect(code).toBe(2);
    expect(err).toContain("--import-extension ts is for the flat layout");
  });

  test("must be one of two", async () => {
    const { code, err } = await runCommand(["generate", "--layout", "wide"]);
    expect(code).toBe(2);
    expect(err).toContain("Expected package or flat.");
  });
});
