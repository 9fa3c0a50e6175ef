import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { ROOT } from "../support/paths.js";
import { isSkipped } from "./go-test.js";
import {
  buildWithLibraries,
  LIBRARIES,
  MODULE,
  runGo,
  writeOverlay,
  type Files,
} from "./toolchain.js";

/** Whether the libraries are out of reach. Continuous integration has them: without them, its tests fail instead. */
export const lacksLibraries =
  isSkipped ||
  (process.env["CI"] !== "true" && runGo(["mod", "download"], { cwd: LIBRARIES }).code !== 0);
if (lacksLibraries && !isSkipped)
  console.log("the Go module proxy is out of reach: skipped the programs with libraries in Go");

/** A test that needs Go with the libraries. */
export const librariesTest = test.skipIf(lacksLibraries);

/** Returns the text of a file for programs over remote transports. */
export function remoteText(name: string): string {
  return readFileSync(join(ROOT, `test/go/remote/${name}.txt`), "utf8");
}

/** Builds a program over remote transports, which has the README's adapters for WebSockets. */
export function buildRemote(folder: string, name: string, files: Files): string {
  return buildWithLibraries(folder, name, { ...files, ...socketFiles() });
}

/** Runs the tests among files of such a program. */
export function testRemote(folder: string, files: Files): ReturnType<typeof runGo> {
  const overlay = writeOverlay(folder, { ...files, ...socketFiles() }, LIBRARIES);
  return runGo(["test", "-vet=off", "-overlay", overlay, "."], { cwd: LIBRARIES });
}

/** Returns the adapters that the README of the module has for libraries. */
function socketFiles(): Files {
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
