import { existsSync, readFileSync } from "node:fs";

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { deepDescribe } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { compile } from "./compile.js";
import { allFiles, generateOwnFeature } from "./pairs.js";

const VERSIONS = join(ROOT, "test/programs/typescript");

beforeAll(generateOwnFeature);

describe("all programs compile for a strict user", () => {
  test("with the TypeScript of this repository", async () => {
    expect(await compile(allFiles(), join(ROOT, "node_modules/typescript"))).toEqual([]);
  });
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
