import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND, requireFile, ROOT } from "../paths.js";

/** The compiled tool in a folder of its own, with a schema that may be changed. */
export interface ToolCopy {
  /** The program that runs it, without arguments. */
  readonly command: readonly string[];
  /** Changes the description of one definition of v1. */
  readonly changeDefinition: () => void;
}

export function copyTool(folder: string): ToolCopy {
  requireFile(COMMAND);
  for (const path of ["dist", "schema", "templates", "package.json"]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const base = join(folder, "schema/v1/base");
  const file = join(base, readdirSync(base).sort()[0]!);
  const text = readFileSync(file, "utf8");
  let changes = 0;
  return {
    command: [process.execPath, join(folder, COMMAND)],
    changeDefinition: () => {
      changes++;
      // The first description below `$defs`.
      const changed = text.replace(/("\$defs": \{[^]*?"description": ")/, `$1Change ${changes}. `);
      if (changed === text) throw new Error(`${file} has no definition with a description`);
      writeFileSync(file, changed);
    },
  };
}
