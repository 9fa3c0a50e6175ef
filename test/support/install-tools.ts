import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./paths.js";

/** Programs that tests use besides toolchains, and how they are installed. */
interface Tools {
  readonly name: string;
  /** Where they are, below `node_modules/.cache`. */
  readonly folder: string;
  /** Text that changes when other versions are wanted. */
  readonly versions: string;
  readonly commands: (folder: string) => readonly (readonly [string, ...string[]])[];
}

const REQUIREMENTS = join(ROOT, "test/python/requirements.txt");
const RUNTIMES = ["bun@1.3.2", "deno@2.5.6"];

const TOOLS: readonly Tools[] = [
  {
    name: "Python packages",
    folder: "acp-python",
    versions: readFileSync(REQUIREMENTS, "utf8"),
    commands: (folder) => [
      ["python3", "-m", "venv", folder],
      [
        ...([`${folder}/bin/python`, "-m", "pip", "install", "--quiet"] as const),
        ...["--disable-pip-version-check", "-r", REQUIREMENTS],
      ],
    ],
  },
  {
    name: "Bun and Deno",
    folder: "acp-runtimes",
    versions: RUNTIMES.join(" "),
    commands: (folder) => [
      ["npm", "install", "--no-save", "--no-package-lock", "--prefix", folder, ...RUNTIMES],
    ],
  },
];

/**
 * Installs what the tests of the system tier use, unless that has been done for the same versions.
 *
 * @throws Error if that fails in continuous integration; elsewhere, the tests that need it are skipped
 */
export default async function installTools(): Promise<void> {
  for (const tools of TOOLS) {
    const folder = join(ROOT, "node_modules/.cache", tools.folder);
    const stamp = join(folder, "installed");
    const digest = createHash("sha256").update(tools.versions).digest("hex");
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) continue;
    console.info(`installing ${tools.name} into ${folder}`);
    try {
      mkdirSync(folder, { recursive: true });
      for (const [program, ...args] of tools.commands(folder))
        await promisify(execFile)(program, args, { shell: process.platform === "win32" });
      writeFileSync(stamp, digest);
    } catch (error) {
      const message = `${tools.name} cannot be installed: ${String(error).trim().split("\n").at(-1)}`;
      if (process.env["CI"] === "true") throw new Error(message, { cause: error });
      console.info(`${message}; the tests that need them are skipped`);
    }
  }
}
