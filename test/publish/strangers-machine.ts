import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

/** The longest that a test with tools from a registry may take, in milliseconds. */
export const TIME = 600_000;

/** The arguments of npm for an installation. */
export const INSTALL = ["install", "--prefer-offline", "--no-audit", "--no-fund"];

/** The arguments of Git for a commit of what is staged. */
export const COMMIT = [
  ...["-c", "user.name=me", "-c", "user.email=me@example.org"],
  ...["commit", "--quiet", "--message", "x"],
];

interface Machine {
  readonly folder: string;
  /** Runs a command, whose code may be any. */
  readonly run: (cwd: string, command: string, ...args: readonly string[]) => Ran;
  /** Runs a command that must succeed. Returns what it prints. */
  readonly works: (cwd: string, command: string, ...args: readonly string[]) => string;
  /** Writes a file, objects as JSON. */
  readonly write: (path: string, content: string | object) => void;
}

interface Ran {
  readonly code: number | null;
  readonly text: string;
}

/**
 * Makes the machine of somebody else: a folder that has nothing of the repository above it, for packed
 * tarballs and the tools that the texts name, from their registry. It is removed after the tests of the file.
 *
 * @param settings returns environment variables of this machine
 */
export function strangersMachine(
  settings: (folder: string) => NodeJS.ProcessEnv = () => ({}),
): Machine {
  const folder = temporaryFolder();
  // Without what the test run has put into the environment.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|NODE_(?!EXTRA)|VITEST|INIT_CWD|TEST|DEEP)/.test(name),
    ),
  );
  const run: Machine["run"] = (cwd, command, ...args) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: join(folder, cwd),
      encoding: "utf8",
      env: { ...env, NO_COLOR: "1", ...settings(folder) },
      timeout: TIME,
    });
    return { code: status, text: `${stdout}\n${stderr}` };
  };
  return {
    folder,
    run,
    works: (cwd, command, ...args) => {
      const { code, text } = run(cwd, command, ...args);
      expect(code, `${command} ${args.join(" ")}\n${text}`).toBe(0);
      return text;
    },
    write: (path, content) => {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    },
  };
}
