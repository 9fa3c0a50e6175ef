import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../paths.js";

/** How large a bundle is, in bytes. */
export interface Size {
  readonly minified: number;
  /** At level 9. */
  readonly gzipped: number;
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
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    external: [...external],
    write: false,
  });
  const [file] = outputFiles;
  return {
    minified: file!.contents.length,
    gzipped: gzipSync(file!.contents, { level: 9 }).length,
  };
}

export function formatSize(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
