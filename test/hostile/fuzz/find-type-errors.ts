import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../support/paths.js";

/**
 * Checks what was generated below a folder, as strictly as one can, and prints
 * what is wrong with it as JSON. In a process of its own, since it takes memory.
 */
const folder = process.argv[2]!;
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !/[\\/]runtime[\\/]/.test(path))
  .map((path) => join(folder, path));
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
  typeRoots: [join(ROOT, "node_modules/@types")],
});
const errors = files.flatMap((file) => {
  const source = program.getSourceFile(file);
  return [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ].map(({ messageText, start = 0 }) => ({
    file: file.slice(folder.length + 1),
    message: ts.flattenDiagnosticMessageText(messageText, " "),
    text: source?.text.slice(start, start + 100),
  }));
});
process.stdout.write(JSON.stringify({ files: files.length, errors }));
