import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../paths.js";

const workspace = mkdtempSync(join(tmpdir(), "acp-turbo-"));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const write = (path: string, value: object): void => {
  mkdirSync(join(workspace, path, ".."), { recursive: true });
  writeFileSync(join(workspace, path), JSON.stringify(value, null, 2));
};
const feature = (description: string): object => ({
  $schema: "feature.schema.json",
  name: "mine",
  protocol: "v1",
  title: "Mine",
  description,
  status: "proposed",
  $defs: { Mine: { description: "A text.", type: "string" } },
});

/** The command as an installed package runs it. */
const COMMAND = `node --import ${join(ROOT, "node_modules/tsx/dist/loader.mjs")} ${join(ROOT, "generators/cli/main.ts")}`;

beforeAll(() => {
  write("package.json", {
    name: "workspace",
    private: true,
    packageManager: "npm@11.0.0",
    workspaces: ["packages/*"],
  });
  // What the README tells: the inputs and outputs of the task.
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const turbo = /```json\n(\{\n {2}"\$schema": "https:\/\/turbo[^]*?)```/.exec(readme)?.[1];
  write("turbo.json", JSON.parse(turbo!) as object);
  const packages = {
    extended: { protocol: "v1", with: ["./mine.json"], name: "extended", targets: ["types"] },
    plain: { profiles: ["v1"], targets: ["types"] },
  };
  for (const [name, output] of Object.entries(packages)) {
    write(`packages/${name}/package.json`, {
      name,
      version: "1.0.0",
      scripts: { generate: `${COMMAND} generate` },
    });
    write(`packages/${name}/acp-codegen.config.json`, { outputs: [{ ...output, out: "out" }] });
  }
  write("packages/extended/mine.json", feature("First."));
});

/** Runs the task in every package, and tells which were found in the cache. */
function run(): { readonly [task: string]: string } {
  const { stdout, stderr, status } = spawnSync(
    join(ROOT, "node_modules/.bin/turbo"),
    ["run", "generate", "--output-logs=hash-only", "--no-color", "--no-daemon"],
    {
      cwd: workspace,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: workspace,
        TURBO_TELEMETRY_DISABLED: "1",
        DO_NOT_TRACK: "1",
      },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  const lines = [...stdout.matchAll(/^(\w+):generate: cache (hit|miss|bypass)/gm)];
  return Object.fromEntries(lines.map(([, name, result]) => [name, result]));
}

describe("in a Turborepo workspace", () => {
  const types = join(workspace, "packages/extended/out/typescript/src/extended/types.ts");

  test("the second run is taken from the cache, and a changed feature runs only what it is part of", () => {
    expect(run()).toEqual({ extended: "miss", plain: "miss" });
    const first = readFileSync(types, "utf8");
    expect(run()).toEqual({ extended: "hit", plain: "hit" });
    write("packages/extended/mine.json", feature("Second."));
    expect(run()).toEqual({ extended: "miss", plain: "hit" });
    rmSync(join(workspace, "packages/extended/out"), { recursive: true });
    expect(run()).toEqual({ extended: "hit", plain: "hit" });
    expect(readFileSync(types, "utf8")).toBe(first);
  });
});
