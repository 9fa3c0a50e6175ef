import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { ROOT } from "../../support/paths.js";
import { runToEnd } from "../../support/processes.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand } from "./run-command.js";
import { deepTest } from "../../support/deep.js";

const folder = temporaryFolder();
const run = (...args: readonly string[]) => runCommand(args);

describe("the command", () => {
  test("prints its help and version and exits 0", async () => {
    const help = await run("--help");
    expect(help.code).toBe(0);
    expect(help.out).toContain("Exit codes: 0 success, 1 stale output");
    expect((await run("generate", "--help")).out).toContain("--check");
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      version: string;
    };
    expect((await run("--version")).out.trim()).toBe(version);
  });

  const wrong: { readonly [what: string]: readonly [args: string[], message: string] } = {
    "no command": [[], "Usage: acp-codegen"],
    "an unknown command": [["generat"], "unknown command 'generat'"],
    "an unknown option": [["generate", "--chekc"], "unknown option '--chekc'"],
    "a list that names nothing": [["generate", "--profile", ","], "Expected at least one name."],
    "an output folder without a name": [
      ["generate", "--out", ""],
      "Expected the path of a folder.",
    ],
    "a protocol version given twice": [
      ["generate", "--protocol", "v1", "--protocol", "v2", "--with", "nes"],
      "Expected it once only.",
    ],
    "a list of features of two protocol versions": [
      ["features", "--protocol", "v1", "--protocol", "v1"],
      "Expected it once only.",
    ],
    "two output folders": [["generate", "--out", "out", "-o", "other"], "Expected it once only."],
    "an unknown profile, with the nearest name": [
      ["generate", "--profile", "v11"],
      'unknown profile "v11". Did you mean "v1"?',
    ],
    "an unknown target, with the nearest name": [
      ["generate", "--target", "type"],
      'unknown target "type". Did you mean "types"?',
    ],
  };
  test.each(Object.entries(wrong))(
    "exits 2 for %s, without a stack trace",
    async (_, [args, message]) => {
      const { code, err, out } = await run(...args);
      expect(code).toBe(2);
      expect(err).toContain(message);
      expect(err).not.toMatch(/\n\s+at /);
      expect(out).toBe("");
    },
  );

  test.each([
    [
      ["--protocol", "v1", "--with", "./generators/"],
      1,
      "generators/?: cannot be read \\(EISDIR\\)",
    ],
    [["--schema", "./generators"], 2, "generators: is a folder"],
  ])("says of %j that it is a folder", async (flags, exit, message) => {
    const { code, err } = await run("generate", ...flags, "--out", join(folder, "none"));
    expect(code).toBe(exit);
    expect(err).toMatch(new RegExp(`^error: (\\./)?${message}`));
  });

  test("says of a feature that it is part of the base now, and goes on", async () => {
    const args = ["--protocol", "v1", "--with", "subagents", "--target", "schema"];
    const { code, out } = await run("generate", ...args, "--out", join(folder, "promoted"));
    expect(code).toBe(0);
    expect(out).toContain("subagents is part of v1 since 1.20.0");
  });
});

describe.skipIf(process.platform === "win32")("with few file descriptors", () => {
  const published = join(folder, "published");
  beforeAll(() => {
    mkdirSync(join(published, "bin"), { recursive: true });
    for (const file of ["package.json", "bin/acp-codegen.js"])
      cpSync(join(ROOT, file), join(published, file));
    for (const part of ["dist", "node_modules", "schema", "templates"])
      symlinkSync(join(ROOT, part), join(published, part));
  });

  test.each([
    [24, "generate --profile v1 --out few"],
    [24, "lint"],
    [24, "mock agent --script none.json"],
    [40, "generate --profile v1 --out few"],
    [40, "probe -- node agent.mjs"],
    [40, "conformance codec --profile v1 -- node codec.mjs"],
  ])("%d, %s ends with exit code 3 and the reason", (limit, command) => {
    const script = `ulimit -n ${limit}; exec "$0" bin/acp-codegen.js ${command}`;
    const { code, out, err } = runToEnd("sh", ["-c", script, process.execPath], {
      cwd: published,
    });
    expect(err).toContain("too many files are open. Raise the limit (ulimit -n)");
    expect({ code, out }).toEqual({ code: 3, out: "" });
  });
});

describe("generate", () => {
  /** One profile is enough for everything about writing. */
  const profiles = ["v1"];
  const targets = ["schema", "types"];
  const out = join(folder, "out");
  beforeAll(async () => void (await generate({ out, profiles, targets })));

  test("--check names missing, changed and extra files and writes nothing", async () => {
    const copy = join(folder, "drifted");
    cpSync(out, copy, { recursive: true });
    rmSync(join(copy, "schema/v1.meta.json"));
    writeFileSync(join(copy, "typescript/src/v1/types.ts"), "export {};\n");
    const manifest = join(copy, "acp-codegen.manifest.json");
    const document = JSON.parse(readFileSync(manifest, "utf8")) as { files: object[] };
    document.files.push({ path: "schema/old.json", profile: "v1", target: "schema", sha256: "0" });
    writeFileSync(manifest, JSON.stringify(document));
    writeFileSync(join(copy, "schema/old.json"), '"Generated by acp-codegen"');
    const { code, err } = await run(
      ...["generate", "--check", "--profile", "v1", "--target", "schema,types", "--out", copy],
    );
    expect(code).toBe(1);
    expect(err).toContain("missing  schema/v1.meta.json");
    expect(err).toContain("changed  typescript/src/v1/types.ts");
    expect(err).toContain("extra    schema/old.json");
    expect(err).toContain(
      `run npx acp-codegen generate --profile v1 --target schema,types --out ${copy}`,
    );
    expect(existsSync(join(copy, "schema/v1.meta.json"))).toBe(false);
    await generate({ out: copy, profiles, targets, force: true });
    expect(existsSync(join(copy, "schema/old.json"))).toBe(false);
    expect((await generate({ out: copy, profiles, targets, check: true })).write).toEqual([]);
  });

  test("a run with --target writes only the files of its target and those that they import", async () => {
    const narrow = join(folder, "narrow");
    await generate({ out: narrow, profiles, targets: ["types"] });
    expect(existsSync(join(narrow, "typescript/src/v1/types.ts"))).toBe(true);
    expect(existsSync(join(narrow, "typescript/src/v1/roles.ts"))).toBe(false);
    await generate({ out: narrow, profiles, targets: ["schema"] });
    expect(existsSync(join(narrow, "typescript/src/v1/types.ts"))).toBe(true);
    const result = await generate({
      out: join(folder, "narrow2"),
      profiles,
      targets: ["roles"],
    });
    expect(result.write.map(({ file }) => file.target)).toEqual(
      expect.arrayContaining(["types", "schemas", "roles"]),
    );
  });

  deepTest("runs for one profile after the other produce a package with both", async () => {
    const both = join(folder, "both");
    const parts = ["types", "package"];
    await generate({ out: both, profiles: ["v1"], targets: parts });
    await generate({ out: both, profiles: ["v2"], targets: parts });
    const { exports } = JSON.parse(readFileSync(join(both, "typescript/package.json"), "utf8")) as {
      exports: object;
    };
    expect(Object.keys(exports)).toEqual(
      expect.arrayContaining(["./v1", "./v1/types", "./v2", "./v2/types"]),
    );
    expect(existsSync(join(both, "typescript/src/v1/index.ts"))).toBe(true);
    for (const profiles of [["v1"], ["v2"], ["v1", "v2"]]) {
      const { write, remove } = await generate({
        out: both,
        profiles,
        targets: parts,
        check: true,
      });
      expect([...write.map(({ file }) => file.path), ...remove]).toEqual([]);
    }
  });

  test("an invalid module stops the run before anything is written", async () => {
    const schema = join(folder, "schema");
    cpSync(join(ROOT, "schema"), schema, { recursive: true });
    const file = join(schema, "v1/base/plan.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"#/$defs/PlanEntry"', '"#/$defs/PlanEnty"'),
    );
    const untouched = join(folder, "untouched");
    await expect(
      generate({ schemaDirectory: schema, out: untouched, profiles, targets }),
    ).rejects.toThrow(
      'schema/v1/base/plan.json#/$defs/Plan/properties/entries/items/$ref: unknown definition "PlanEnty". Did you mean "PlanEntry"?',
    );
    expect(existsSync(untouched)).toBe(false);
  });
});
