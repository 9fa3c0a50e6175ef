import { join } from "node:path";
import { transform } from "typia/lib/transform";
import ts from "typescript";
import { ourTypes, ROOT } from "../paths.js";
import { importText, type Module } from "./generate-code.js";

/** Where the source would stand that typia's transformer reads; it is only in memory. */
const SOURCE = join(ROOT, "bench/validators/typia-source.ts");

/**
 * typia's checks of our types by the names of the definitions. Its transformer
 * runs inside TypeScript's own emit, so neither ts-patch nor a build is needed.
 */
export async function loadTypia(defs: readonly string[]): Promise<Module> {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => path === SOURCE || fileExists(path);
  host.readFile = (path) => (path === SOURCE ? sourceOf(defs) : readFile(path));
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([SOURCE], options, host);
  let printed = "";
  const problems: string[] = [];
  const addDiagnostic = ({ messageText }: ts.Diagnostic): number =>
    problems.push(ts.flattenDiagnosticMessageText(messageText, "\n"));
  program.emit(program.getSourceFile(SOURCE), (_, text) => (printed = text), undefined, false, {
    before: [transform(program, {}, { addDiagnostic })],
  });
  if (problems.length > 0) throw new Error(`typia cannot transform: ${problems.join("\n")}`);
  return importText(printed);
}

function sourceOf(defs: readonly string[]): string {
  return [
    'import typia from "typia";',
    `import type * as types from ${JSON.stringify(ourTypes())};`,
    ...defs.map((def) => `export const is${def} = typia.createIs<types.${def}>();`),
  ].join("\n");
}
