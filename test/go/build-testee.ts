import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { buildProgram } from "./toolchain.js";

/** Where programs are built, outside of the generated module. */
const BUILT = process.env["ACP_TESTEES"] ?? `${ROOT}node_modules/.cache/acp-testees`;

/**
 * Builds the agent or the client of the behavior corpus on the generated module.
 *
 * @param version that of a client; an agent has both, and serves one if that is its argument
 * @returns its path
 */
export function buildTestee(subject: "agent" | "client", version: 1 | 2): string {
  if (subject === "client") {
    const name = `client-v${version}`;
    return build(name, textsOf("client", version, name));
  }
  return build("agent", {
    "agent/main.go": read("agent_main"),
    ...textsOf("agent", 1, "agent/v1"),
    ...textsOf("agent", 2, "agent/v2"),
  });
}

function build(name: string, files: { readonly [path: string]: string }): string {
  const folder = join(BUILT, `own-go-${name}`);
  mkdirSync(folder, { recursive: true });
  return buildProgram(folder, files, name);
}

/** Returns the sources of a testee in a folder: what both versions share, and what they do not. */
function textsOf(subject: string, version: 1 | 2, folder: string) {
  return {
    [`${folder}/${subject}.go`]: read(subject).replaceAll("/acpv1", `/acpv${version}`),
    [`${folder}/version.go`]: read(`${subject}_v${version}`),
  };
}

function read(file: string): string {
  return readFileSync(`${ROOT}test/go/testees/${file}.go.txt`, "utf8");
}
