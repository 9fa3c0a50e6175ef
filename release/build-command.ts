import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CODE_STAMP, codeDigest } from "../generators/run/generate/input-digest.js";

/** Compiles the command into an empty `dist/`, and stamps it with the digest of its sources. */
const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

// What an older build left would be shipped.
rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
writeFileSync(join(dist, CODE_STAMP), `${JSON.stringify({ sha256: codeDigest() })}\n`);
chmodSync(join(dist, "cli/main.js"), 0o755);
