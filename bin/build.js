// Compiles the command into an empty `dist/`, with further options of tsc, and stamps it with the digest of its sources.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { register } from "tsx/esm/api";

register();
const { CODE_STAMP, codeDigest } = await import("../generators/run/generate/input-digest.ts");
const root = fileURLToPath(new URL("../", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

console.error("compiling the command, which takes up to a minute");
// Files that an older build left would be published.
rmSync(`${root}dist`, { recursive: true, force: true });
const args = [tsc, "-p", "tsconfig.build.json", ...process.argv.slice(2)];
execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
// The modules of the runtime that start programs and reach other machines, which the command uses too.
await build({
  entryPoints: ["process", "remote"].map((name) => ({
    in: `${root}templates/typescript/command/${name}.ts`,
    out: name,
  })),
  outdir: `${root}dist`,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
});
writeFileSync(`${root}dist/${CODE_STAMP}`, `${JSON.stringify({ sha256: codeDigest() })}\n`);
