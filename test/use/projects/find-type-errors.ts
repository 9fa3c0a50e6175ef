import ts from "typescript";

/** What a strict user adds to `strict`. */
const STRICTEST: ts.CompilerOptions = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
};
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
};

/** The compiler's errors in programs under `strict` and more options, by default those of a strict user. */
export function findTypeErrors(
  files: readonly string[],
  more: ts.CompilerOptions = STRICTEST,
): readonly ts.Diagnostic[] {
  return ts.getPreEmitDiagnostics(ts.createProgram(files, { ...OPTIONS, ...more }));
}
