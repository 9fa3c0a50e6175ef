import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../support/paths.js";

/** The entries that an editor offers. */
export interface Completions {
  readonly values: number;
  readonly all: number;
}

/** Returns what TypeScript's language service offers in `import { | } from "<module>"`. */
export function importCompletions(module: string): Completions {
  const file = join(ROOT, "test/programs/draft.ts");
  const text = `import {  } from "${module}";\n`;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "0",
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath!,
  });
  const offered = service.getCompletionsAtPosition(file, text.indexOf("{") + 2, undefined);
  // `type` is a keyword of the import itself.
  const entries = (offered?.entries ?? []).filter(
    ({ kind }) => kind !== ts.ScriptElementKind.keyword,
  );
  return { values: countValues(service, file), all: entries.length };
}

/** Returns how many of the exports that a file imports from are values, not types alone. */
function countValues(service: ts.LanguageService, file: string): number {
  const program = service.getProgram()!;
  const checker = program.getTypeChecker();
  const [statement] = program.getSourceFile(file)!.statements;
  const { moduleSpecifier } = statement as ts.ImportDeclaration;
  const module = checker.getSymbolAtLocation(moduleSpecifier)!;
  return checker.getExportsOfModule(module).filter((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return (flags & ts.SymbolFlags.Value) !== 0;
  }).length;
}
