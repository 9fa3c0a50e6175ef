import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { copySources } from "../support/tool-copy.js";
import { pack, packBindings } from "./pack.js";

const folder = temporaryFolder();
describe("without any install script of a dependency", () => {
  deepTest(
    "the packed tool and bindings work in an empty folder: generate, starters, a conversation",
    { timeout: 900_000 },
    () => {
      const tarballs = [pack(ROOT, folder), packBindings(folder)].map(({ file }) => file);
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
