import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ownFeature } from "./own-feature.js";
import { NODE_ARGS } from "./run-command.js";
import { deepDescribe } from "../../support/deep.js";

const workspace = temporaryFolder();
const write = (path: string, value: object): void => {
  mkdirSync(join(workspace, path, ".."), { recursive: true });
  writeFileSync(join(workspace, path), JSON.stringify(value, null, 2));
};
/** The command as an installed package runs it. */
const COMMAND = ["node", ...NODE_ARGS].join(" ");

const PAGE = readFileSync(join(ROOT, "templates/site/guides/tool/pipeline.md"), "utf8");

beforeAll(() => {
  write("package.json", {
    name: "workspace",
    private: true,
    packageManager: "npm@11.0.0",
    workspaces: ["packages/*"],
  });
  // As the manual has it: the inputs and outputs of the task.
  const turbo = /```json\n(\{\n {2}"\$schema": "https:\/\/turbo[^]*?)```/.exec(PAGE)?.[1];
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
  write("packages/extended/mine.json", ownFeature("First."));
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

deepDescribe("in a Turborepo workspace", () => {
  const types = join(workspace, "packages/extended/out/typescript/src/extended/types.ts");

  test("the second run is taken from the cache, and a changed feature runs only what it is part of", () => {
    expect(run()).toEqual({ extended: "miss", plain: "miss" });
    const first = readFileSync(types, "utf8");
    expect(run()).toEqual({ extended: "hit", plain: "hit" });
    write("packages/extended/mine.json", ownFeature("Second."));
    expect(run()).toEqual({ extended: "miss", plain: "hit" });
    rmSync(join(workspace, "packages/extended/out"), { recursive: true });
    expect(run()).toEqual({ extended: "hit", plain: "hit" });
    expect(readFileSync(types, "utf8")).toBe(first);
  });
});

describe("in a Bazel rule", () => {
  test("the command of the manual makes the outputs that it declares, and no others", () => {
    const rule = /```python\n(genrule[^]*?)```/.exec(PAGE)![1]!;
    const strings = (text: string): string[] => [...text.matchAll(/"([^"]*)"/g)].map((m) => m[1]!);
    const outs = strings(/outs = \[([^\]]*)\]/.exec(rule)![1]!);
    // Bazel puts in where things are before a shell gets it.
    const command = strings(/cmd = ([^]*?),\n/.exec(rule)![1]!)
      .join("")
      .replace("$(location mine.json)", "mine.json")
      .replace("$(RULEDIR)", "bin");
    write("bazel/mine.json", ownFeature("A feature."));
    const folder = join(workspace, "bazel");
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    const tool = join(folder, "node_modules/.bin/acp-codegen");
    writeFileSync(tool, `#!/bin/sh\nexec ${COMMAND} "$@"\n`);
    chmodSync(tool, 0o755);
    const { status, stderr } = spawnSync("bash", ["-c", command], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    const made = readdirSync(join(folder, "bin"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "bin/").length));
    expect(made.sort()).toEqual(outs.sort());
  });
});
