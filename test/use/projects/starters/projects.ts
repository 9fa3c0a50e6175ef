import { spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { init } from "../../../../generators/run/init/init.js";
import { readFolder } from "../../../generators/golden/compile-mini.js";
import { ROOT } from "../../../support/paths.js";
import { listenTo, type Ended } from "../../../support/processes.js";

export const STARTER_NAMES = ["adapter", "agent", "client"] as const;
export type StarterName = (typeof STARTER_NAMES)[number];

/**
 * Makes starter projects as a user has them after `init` and `npm install`. The bindings are made
 * once: what the other projects are given is what they would make.
 *
 * @throws Error when they are not those that are built here already
 */
export async function createProjects(folder: (name: StarterName) => string): Promise<void> {
  const [first, ...others] = STARTER_NAMES;
  await init(folder(first), { starter: first });
  for (const name of others) {
    cpSync(join(folder(first), "acp"), join(folder(name), "acp"), { recursive: true });
    await init(folder(name), { starter: name, force: true });
  }
  for (const name of STARTER_NAMES) {
    const bindings = join(folder(name), "acp/typescript");
    refuseOthers(bindings);
    // The sources that `npm run build:bindings` of the project compiles.
    mkdirSync(join(folder(name), "dist"));
    symlinkSync(join(BUILT, "dist"), join(folder(name), "dist/acp"));
  }
}

/** The package that is built here, with the same sources for more profiles. */
const BUILT = join(ROOT, "out/typescript");

function refuseOthers(bindings: string): void {
  const built = readFolder(join(BUILT, "src"));
  for (const [path, text] of readFolder(join(bindings, "src"))) {
    if (built.get(path) !== text) throw new Error(`${path} is not what is built here`);
  }
}

/** Runs the TypeScript compiler as the scripts of the starters do. */
export function compile(folder: string): Promise<Ended> {
  return run(folder, join(ROOT, "node_modules/typescript/bin/tsc"));
}

/** Runs Node.js in a folder until it ends. */
export function run(cwd: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NODE_OPTIONS: "" } });
  child.stdin.end();
  return listenTo(child).ended;
}
