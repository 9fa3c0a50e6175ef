import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { restoreOnDemand } from "../../bin/on-demand.js";
import { ROOT } from "./paths.js";

/** A folder of compiled code, what it is made of, and how. */
interface Build {
  readonly dist: string;
  readonly inputs: readonly string[];
  readonly script: string;
  /** The flag for a build without declarations. */
  readonly untyped?: string;
}

const BUILDS: readonly Build[] = [
  {
    dist: "dist",
    inputs: [
      ...[
        "generators",
        "templates/typescript/command",
        "templates/typescript/runtime/stdio",
        "package.json",
      ],
      ...["tsconfig.json", "tsconfig.build.json"],
    ],
    script: "build:command",
    untyped: "--no-types",
  },
  {
    dist: "out/typescript/dist",
    inputs: ["out/typescript/src", "out/typescript/package.json", "out/typescript/tsconfig.json"],
    script: "build:bindings",
  },
];

/** The digests of what was compiled, by folder. */
const STAMPS = "node_modules/.cache/acp-test-builds.json";

/** The mark of a build without declarations. */
const UNTYPED = " without types";

/**
 * Compiles the command and the bindings unless that has been done since they
 * were changed last, or `ACP_BUILT` says so. Only the tests of the system tier
 * need the declarations of the command, which they pack.
 */
export default async function buildOnce(project?: { readonly name: string }): Promise<void> {
  if (process.env["ACP_BUILT"] === "1") return;
  await restoreOnDemand();
  const file = join(ROOT, STAMPS);
  const stamps = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Stamps) : {};
  const isTyped = project?.name === "system";
  const stale = BUILDS.map((build) => ({ ...build, digest: digestOf(build.inputs) })).filter(
    // Tests load single modules, which `npm run build` bundles into shared ones.
    ({ dist, digest }) =>
      (stamps[dist] !== digest && (isTyped || stamps[dist] !== digest + UNTYPED)) ||
      !existsSync(join(ROOT, dist)) ||
      existsSync(join(ROOT, dist, "shared")),
  );
  // A build that is killed must not count as done.
  for (const { dist } of stale) delete stamps[dist];
  saveStamps(file, stamps);
  await Promise.all(
    stale.map(async ({ dist, digest, script, untyped }) => {
      console.info(`npm run ${script}, since ${dist} is stale`);
      const isUntyped = untyped !== undefined && !isTyped;
      // `npm run check:types` checks the types.
      await runScript(script, isUntyped ? untyped : "--noCheck");
      stamps[dist] = isUntyped ? digest + UNTYPED : digest;
      saveStamps(file, stamps);
    }),
  );
}

/** Lets the next run compile everything; the result takes that back. */
export function forgetBuilds(): () => void {
  const file = join(ROOT, STAMPS);
  const stamps = JSON.parse(readFileSync(file, "utf8")) as Stamps;
  saveStamps(file, {});
  return () => saveStamps(file, stamps);
}

/** Runs a script of `package.json`, and throws what it printed when it fails. */
async function runScript(script: string, flag: string): Promise<void> {
  try {
    await promisify(execFile)("npm", ["run", "--silent", script, "--", flag], {
      cwd: ROOT,
      shell: process.platform === "win32",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`npm run ${script} failed:\n${stdout}${stderr}`, { cause: error });
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
