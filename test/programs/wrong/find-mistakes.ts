import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { ROOT } from "../../support/paths.js";
import { findTypeErrors } from "../../use/projects/find-type-errors.js";
import { HEADS, type Mistake } from "./mistakes.js";

/** The time at which a mistake is found: while compiling, or when the role is created. */
export type Found = "compiled" | "created" | "never";

/** Returns when each mistake is found. A program that the compiler accepts is run. */
export async function findMistakes(
  library: keyof Mistake,
  mistakes: { readonly [name: string]: Mistake },
): Promise<ReadonlyMap<string, Found>> {
  // Inside the repository, so that both packages are found by their names.
  const folder = mkdtempSync(join(ROOT, "node_modules/.wrong-"));
  try {
    const files = Object.values(mistakes).map((mistake, index) => {
      const file = join(folder, `${index}.ts`);
      writeFileSync(file, `${HEADS[library]}${mistake[library]}\n`);
      return file;
    });
    const wrong = new Set(findTypeErrors(files).map(({ file }) => file?.fileName));
    const found = new Map<string, Found>();
    for (const [index, name] of Object.keys(mistakes).entries()) {
      const file = files[index]!;
      found.set(name, wrong.has(file) ? "compiled" : (await runs(file)) ? "never" : "created");
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether a program that only creates a role does so without an error. */
async function runs(file: string): Promise<boolean> {
  const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const script = file.replace(/\.ts$/, ".mjs");
  writeFileSync(script, outputText);
  return import(pathToFileURL(script).href).then(
    () => true,
    () => false,
  );
}
