import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { isSkipped } from "./go-test.js";
import { MODULE, run } from "./toolchain.js";

/** The module proxy, which has the libraries for WebSockets. */
const PROXY = { GOPROXY: process.env["GOPROXY"] ?? "https://proxy.golang.org" };

/** Whether the libraries are out of reach. Continuous integration has them: without them, its tests fail instead. */
export const lacksLibraries = isSkipped || (process.env["CI"] !== "true" && !canDownload());
if (lacksLibraries && !isSkipped)
  console.log("the Go module proxy is out of reach: skipped the remote agents in Go");

/** A test that needs Go with libraries for WebSockets. */
export const remoteTest = test.skipIf(lacksLibraries);

function canDownload(): boolean {
  const libraries = Array.from(
    remoteText("go.mod").matchAll(/^\t(\S+websocket) (\S+)$/gm),
    ([, path, version]) => `${path}@${version}`,
  );
  const { code } = run("go", ["mod", "download", ...libraries], { cwd: tmpdir(), env: PROXY });
  return code === 0;
}

/** The race detector needs everything to be built for it. */
const RACE = IS_DEEP ? ["-race"] : [];

/** Returns the text of a file for programs over remote transports. */
export function remoteText(name: string): string {
  return readFileSync(join(ROOT, `test/go/remote/${name}.txt`), "utf8");
}

/**
 * Writes a module that has the generated one and libraries for WebSockets.
 *
 * @returns its folder
 */
export function writeRemote(
  folder: string,
  name: string,
  files: { readonly [file: string]: string },
): string {
  const module = join(folder, name);
  mkdirSync(module, { recursive: true });
  const all = {
    ...files,
    ...socketFiles(),
    "go.mod": remoteText("go.mod").replace("{module}", MODULE),
    "go.sum": remoteText("go.sum"),
  };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(module, file), text);
  return module;
}

/** Returns the adapters that the README of the module has for libraries. */
function socketFiles(): { readonly [file: string]: string } {
  const readme = readFileSync(join(MODULE, "README.md"), "utf8");
  const [coder, gorilla] = Array.from(
    readme.matchAll(/^```go\n(type socket struct[^]*?)^```$/gm),
    ([, text]) => text!,
  );
  return {
    "socket.go": `${remoteText("socket.go")}\n${coder}`,
    "said.go": `${remoteText("said.go")}\n${gorilla!.replaceAll(/\bsocket\b/g, "said")}`,
  };
}

/** Builds a program over remote transports, and returns its path. */
export function buildRemote(...module: Parameters<typeof writeRemote>): string {
  const cwd = writeRemote(...module);
  const built = run("go", ["build", ...RACE, "-o", "program", "."], { cwd, env: PROXY });
  if (built.code !== 0) throw new Error(built.err);
  return join(cwd, "program");
}

/** Runs the tests of such a module. */
export function testRemote(cwd: string): ReturnType<typeof run> {
  return run("go", ["test", "-vet=off", ...RACE, "."], { cwd, env: PROXY });
}
