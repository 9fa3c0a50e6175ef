import { posix } from "node:path";
import { build, type Plugin } from "esbuild";

/** The use of a bundle: by a page that is opened as a file, or imported here. */
export type BundleFormat = "iife" | "esm";

/**
 * Bundles modules that exist only in memory. Nothing is read from the disk, and
 * an import that is not among them is an error.
 *
 * @param modules TypeScript by path; they import each other with `.js`
 * @param entry the path of the module to begin with
 * @throws Error for modules that do not parse or import a module that is not among them
 */
export async function bundle(
  modules: ReadonlyMap<string, string>,
  entry: string,
  format: BundleFormat,
): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format,
    // Older browsers lack the colors of the site as well; private members would be slow and long for them.
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    plugins: [inMemory(modules)],
  });
  return result.outputFiles[0]!.text;
}

/** Runs a bundle in the format `esm` in this process and returns its exports. */
export async function importBundle<Exports>(text: string): Promise<Exports> {
  const url = `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
  return (await import(url)) as Exports;
}

function inMemory(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: "in-memory",
    setup: (setup) => {
      setup.onResolve({ filter: /.*/ }, ({ path, importer }) => {
        const found = posix
          .join(importer === "" ? "" : posix.dirname(importer), path)
          .replace(/\.js$/, ".ts");
        if (modules.has(found)) return { path: found, namespace: "memory", sideEffects: false };
        return { errors: [{ text: `module ${found} does not exist` }] };
      });
      setup.onLoad({ filter: /.*/, namespace: "memory" }, ({ path }) => ({
        contents: modules.get(path)!,
        loader: "ts",
      }));
    },
  };
}
