import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** The bytes of a minified bundle. */
export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles a program for Node.js as esbuild does by default; packages of Node.js stay outside. */
export async function bundleSize(file: string): Promise<BundleSize> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "esnext",
    logLevel: "silent",
  });
  const { contents } = outputFiles[0]!;
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}
