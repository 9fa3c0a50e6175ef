import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../paths.js";

/** How large a bundle is, in bytes. */
export interface Size {
  readonly minified: number;
  /** At level 9. */
  readonly gzipped: number;
  /** The minified bytes of each module, by its path from the root of the repository. */
  readonly modules: ReadonlyMap<string, number>;
}

/**
 * Bundles and minifies a module as an application would (esbuild, ES2022).
 *
 * @param contents the module's source; it may import files by absolute path and installed packages
 * @param external what is left out, as esbuild takes it
 */
export async function bundledSize(
  contents: string,
  external: readonly string[] = [],
): Promise<Size> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    metafile: true,
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    external: ["node:*", ...external],
    write: false,
  });
  const [file] = outputFiles;
  const [output] = Object.values(metafile.outputs);
  return {
    minified: file!.contents.length,
    gzipped: gzipSync(file!.contents, { level: 9 }).length,
    modules: new Map(
      Object.entries(output!.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
    ),
  };
}

export function formatSize(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
