import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { ROOT } from "./paths.js";
import { temporaryFolder } from "./temporary-folder.js";

const RUNTIME = join(ROOT, "templates/typescript/runtime");

/** A temporary folder to load emitted code from, with the runtime that it needs. */
export interface CodeFolder {
  readonly path: string;
  /** Writes emitted files as the JavaScript that they compile to. */
  readonly write: (files: readonly { readonly path: string; readonly text: string }[]) => void;
  /** Imports a module by the path of its source; a path is read once only. */
  readonly load: <T>(path: string) => Promise<T>;
}

export function createCodeFolder(): CodeFolder {
  const folder = temporaryFolder();
  const fileOf = (path: string): string => join(folder, path.replace(/\.ts$/, ".js"));
  const write: CodeFolder["write"] = (files) => {
    for (const { path, text } of files) {
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
      });
      mkdirSync(dirname(fileOf(path)), { recursive: true });
      writeFileSync(fileOf(path), outputText);
    }
  };
  const runtime = readdirSync(RUNTIME, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts"));
  write(
    runtime.map((name) => ({
      path: `typescript/src/runtime/${name}`,
      text: readFileSync(join(RUNTIME, name), "utf8"),
    })),
  );
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return {
    path: folder,
    write,
    load: async <T>(path: string) =>
      (await import(/* @vite-ignore */ pathToFileURL(fileOf(path)).href)) as T,
  };
}
