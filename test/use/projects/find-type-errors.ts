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

/** The declarations of libraries, which each worker parses once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * The compiler's errors in programs under `strict` and more options, by default those of a strict user.
 *
 * @param isChecked whether a file is checked, all when absent
 */
export function findTypeErrors(
  files: readonly string[],
  more: ts.CompilerOptions = STRICTEST,
  isChecked?: (file: string) => boolean,
): readonly ts.Diagnostic[] {
  const options = { ...OPTIONS, ...more };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...rest) => {
    if (!/\/node_modules\/(typescript|@types)\//.test(file)) return getSourceFile(file, ...rest);
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest));
    return parsed.get(file);
  };
  const program = ts.createProgram(files, options, host);
  if (isChecked === undefined) return ts.getPreEmitDiagnostics(program);
  const checked = program.getSourceFiles().filter(({ fileName }) => isChecked(fileName));
  return checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
}
