import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { ROOT } from "./paths.js";
import { temporaryFolder } from "./temporary-folder.js";

const RUNTIME = "typescript/src/runtime";

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
  const compile = (sources: readonly string[]): void =>
    void buildSync({
      entryPoints: sources.map((source) => join(folder, source)),
      outdir: folder,
      outbase: folder,
      target: "es2022",
      tsconfigRaw: {},
    });
  const write: CodeFolder["write"] = (files) => {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    compile(files.map(({ path }) => path));
  };
  cpSync(join(ROOT, "templates/typescript/runtime"), join(folder, RUNTIME), { recursive: true });
  compile([`${RUNTIME}/**/*.ts`]);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return {
    path: folder,
    write,
    load: async <T>(path: string) =>
      (await import(
        /* @vite-ignore */ pathToFileURL(join(folder, path.replace(/\.ts$/, ".js"))).href
      )) as T,
  };
}
