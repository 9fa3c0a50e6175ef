import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect } from "vitest";
import { deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { copySources } from "../support/tool-copy.js";
import { pack } from "./pack.js";

const folder = mkdtempSync(join(tmpdir(), "acp-install-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

deepTest(
  "the commands of the README make a project whose agent passes its tests, and run its programs",
  { timeout: 900_000 },
  ({ skip }) => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const [, commands] = /^git clone .*\n([^]*?)^```/m.exec(readme)!;
    const [agent, client] = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, text]) => text!);
    const clone = join(folder, "acp-codegen");
    copySources(clone, [".npmrc", "out"]);
    const run = (script: string, cwd: string): SpawnSyncReturns<string> =>
      spawnSync("sh", ["-e", "-c", script], { cwd, encoding: "utf8" });
    const { status, stderr, stdout } = run(commands!, clone);
    if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT/.test(stderr))
      return skip("the registry cannot be reached from here");
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("# fail 0");
    expect(stdout.split("\n").length).toBeLessThan(60);
    const project = join(folder, "my-project");
    writeFileSync(join(project, "agent.js"), agent!);
    writeFileSync(join(project, "client.js"), client!);
    expect(run("node client.js", project).stdout).toBe("Hello");
  },
);

describe("without any install script of a dependency", () => {
  deepTest(
    "the packed tool and bindings work in an empty folder: generate, starters, a conversation",
    { timeout: 900_000 },
    () => {
      const tarballs = [ROOT, join(ROOT, "out/typescript")].map((path) => pack(path, folder).file);
      execFileSync(process.execPath, ["test/publish/smoke.mjs", ...tarballs], { cwd: ROOT });
    },
  );

  deepTest(
    "a fresh checkout is installed from the lock file and built, and its output is up to date",
    { timeout: 900_000 },
    ({ skip }) => {
      const output = ["schema", "python", "acp-codegen.manifest.json"];
      const bindings = readdirSync(join(ROOT, "out/typescript")).filter(
        (name) => name !== "dist" && name !== "node_modules",
      );
      copySources(folder, [
        ".npmrc",
        ...output.map((name) => `out/${name}`),
        ...bindings.map((name) => `out/typescript/${name}`),
      ]);
      const run = (command: string, ...args: readonly string[]): void =>
        void execFileSync(command, args, { cwd: folder, stdio: "pipe" });
      const installed = spawnSync("npm", ["ci", "--ignore-scripts", "--prefer-offline"], {
        cwd: folder,
        encoding: "utf8",
      });
      if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT/.test(installed.stderr))
        return skip("the registry cannot be reached from here");
      expect(installed.status, installed.stderr).toBe(0);
      run("npm", "run", "build");
      run(process.execPath, "bin/acp-codegen.js", "generate", "--check");
      const lock = "package-lock.json";
      expect(readFileSync(join(folder, lock), "utf8")).toBe(readFileSync(join(ROOT, lock), "utf8"));
    },
  );
});
