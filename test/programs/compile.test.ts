import { existsSync, readdirSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { deepDescribe } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { compile } from "./compile.js";
import { allFiles } from "./pairs.js";

const VERSIONS = join(ROOT, "test/programs/typescript");
const OWN = join(ROOT, "node_modules/typescript");

/** Returns the programs of a folder. */
function programs(folder: "valid" | "invalid"): readonly string[] {
  const path = join(ROOT, "test/programs", folder);
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name));
}

describe("all programs compile for a strict user", () => {
  test("with the TypeScript of this repository", async () => {
    expect(await compile([...programs("valid"), ...allFiles()], OWN)).toEqual([]);
  });
});

test("programs that must not compile fail in the lines that `// @error <code>` marks, and in no other", async () => {
  const marked = programs("invalid").flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((text, index) => {
      const [, code] = /\/\/ @error (\d+)$/.exec(text) ?? [];
      return code === undefined ? [] : `${relative(ROOT, file)}(${index + 1}): ${code}`;
    });
  });
  const errors = await compile(programs("invalid"), OWN);
  const places = errors.flatMap((line) => {
    const [, file, row, code] = /^(\S[^(]*)\((\d+),\d+\): error TS(\d+)/.exec(line) ?? [];
    return file === undefined ? [] : `${file}(${row}): ${code}`;
  });
  expect(marked.length).toBeGreaterThan(50);
  expect(places.toSorted()).toEqual(marked.toSorted());
});

deepDescribe("all programs compile for a strict user", () => {
  beforeAll(() => {
    if (existsSync(join(VERSIONS, "node_modules/typescript-7"))) return;
    execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: VERSIONS, stdio: "ignore" });
  }, 300_000);

  // The streams of Node.js and of the SDK do not fit each other before 5.9. `await using` is a part
  // of the language from 5.2 on.
  test("with TypeScript 5.0, unless they have `await using`", async () => {
    const files = allFiles(["ours"]).filter(
      (file) => !readFileSync(file, "utf8").includes("await using"),
    );
    expect(files.length).toBeGreaterThanOrEqual(6);
    expect(await compile(files, join(VERSIONS, "node_modules/typescript-5.0"))).toEqual([]);
  });

  test("with TypeScript 5.4", async () => {
    const typescript = join(VERSIONS, "node_modules/typescript-5.4");
    expect(await compile(allFiles(["ours"]), typescript)).toEqual([]);
  });

  test.each(["5.9", "7"])("with TypeScript %s", async (version) => {
    const typescript = join(VERSIONS, `node_modules/typescript-${version}`);
    expect(await compile(allFiles(), typescript)).toEqual([]);
  });
});
