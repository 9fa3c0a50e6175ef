import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { listenTo } from "../support/processes.js";

/** The options under which all programs compile: those of a user who is as strict as possible. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
};

/**
 * Compiles programs as a user does.
 *
 * @param typescript the folder of a TypeScript package
 * @returns the errors, one a line, with paths from the repository's root
 */
export async function compile(
  files: readonly string[],
  typescript: string,
): Promise<readonly string[]> {
  // Inside the repository, so that the types of Node.js are found.
  const folder = mkdtempSync(join(ROOT, "node_modules/.compile-"));
  const compilerOptions = {
    ...STRICT,
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  };
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const args = [join(typescript, "bin/tsc"), "-p", config, "--pretty", "false"];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const { out } = await listenTo(child).ended;
  rmSync(folder, { recursive: true });
  return out.split("\n").filter((line) => line !== "");
}
