import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
};

/** The compiler's errors in programs under the options of a strict user. */
export function findTypeErrors(files: readonly string[]): readonly ts.Diagnostic[] {
  return ts.getPreEmitDiagnostics(ts.createProgram(files, OPTIONS));
}
