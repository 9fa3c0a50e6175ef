import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./paths.js";

/** A folder of compiled code, what it is made of, and how. */
interface Build {
  readonly dist: string;
  readonly inputs: readonly string[];
  readonly script: string;
}

const BUILDS: readonly Build[] = [
  {
    dist: "dist",
    inputs: ["generators", "package.json", "tsconfig.json", "tsconfig.build.json"],
    script: "build:command",
  },
  {
    dist: "out/typescript/dist",
    inputs: ["out/typescript/src", "out/typescript/package.json", "out/typescript/tsconfig.json"],
    script: "build:bindings",
  },
];

/** The digests of what was compiled, by folder. */
const STAMPS = "node_modules/.cache/acp-test-builds.json";

/**
 * Says how long the run takes, and compiles the command and the bindings unless
 * that has been done since they were changed last.
 */
export default function buildOnce(): void {
  console.info(
    process.env["DEEP"] === "1"
      ? "npm run test:deep takes about 90 minutes on 2 idle cores."
      : "npm test takes about 8 minutes on 2 idle cores; a part of it: npx vitest run test/<folder>.",
  );
  const file = join(ROOT, STAMPS);
  const stamps = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Stamps) : {};
  for (const { dist, inputs, script } of BUILDS) {
    const digest = digestOf(inputs);
    if (stamps[dist] === digest && existsSync(join(ROOT, dist))) continue;
    // A build that is killed must not count as done.
    delete stamps[dist];
    saveStamps(file, stamps);
    execFileSync("npm", ["run", "--silent", script], {
      cwd: ROOT,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    stamps[dist] = digest;
    saveStamps(file, stamps);
  }
}

function saveStamps(file: string, stamps: Stamps): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(stamps));
}

interface Stamps {
  [dist: string]: string;
}

function digestOf(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap(filesOf)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

/** Returns a file, or all files of a folder in an order of their own. */
function filesOf(input: string): string[] {
  const path = join(ROOT, input);
  if (!existsSync(path)) return [];
  if (input.endsWith(".json")) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
