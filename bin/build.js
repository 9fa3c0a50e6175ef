// Compiles the command into an empty `dist/`, and stamps it with the digest of its sources. Arguments
// are those of tsc, which checks the types and writes declarations. `--no-types` leaves that out, and
// the declarations that are there.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

const isTyped = !process.argv.includes("--no-types");
// Files that an older build left would be published.
if (isTyped) rmSync(`${root}dist`, { recursive: true, force: true });
const common = { outdir: `${root}dist`, platform: "node", format: "esm", target: "node20" };
const modules = readdirSync(`${root}generators`, { recursive: true })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => `${root}generators/${path}`);
await build({ ...common, entryPoints: modules, outbase: `${root}generators` });
// The modules of the runtime that start programs and reach other machines, which the command uses too.
await build({
  ...common,
  entryPoints: ["process", "remote"].map((name) => ({
    in: `${root}templates/typescript/command/${name}.ts`,
    out: name,
  })),
  bundle: true,
});
if (isTyped) {
  console.error("checking the types of the command, which takes up to a minute");
  const args = [tsc, "-p", "tsconfig.build.json", ...process.argv.slice(2)];
  execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
}
const { CODE_STAMP, sourceDigest } = await import("../dist/run/generate/input-digest.js");
writeFileSync(`${root}dist/${CODE_STAMP}`, `${JSON.stringify({ sha256: sourceDigest() })}\n`);
