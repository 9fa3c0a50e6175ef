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

/** The declarations of libraries, which each worker parses once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The compiler's errors in programs under the options of a strict user. */
export function findTypeErrors(files: readonly string[]): readonly ts.Diagnostic[] {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...rest) => {
    if (!/\/node_modules\/(typescript|@types)\//.test(file)) return getSourceFile(file, ...rest);
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest));
    return parsed.get(file);
  };
  return ts.getPreEmitDiagnostics(ts.createProgram(files, OPTIONS, host));
}
