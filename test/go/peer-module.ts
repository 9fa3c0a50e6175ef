import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { MODULE, runGo } from "./toolchain.js";

const OWN = "github.com/acp-codegen/acp-codegen/out/go";
const PINNED = join(ROOT, "test/behavior/testees/go");

/** The community module that ours is compared with, as the agent of the behavior corpus pins it. */
export const [PEER, VERSION] = /\S+acp-go-sdk v\S+/
  .exec(readFileSync(join(PINNED, "go.mod"), "utf8"))![0]
  .split(" ") as [string, string];

const GO_MOD = `module peers

go 1.24

require (
	${OWN} v0.0.0
	${PEER} ${VERSION}
)

replace ${OWN} => ${MODULE}
`;

/** The community module is downloaded once. */
const ENV = { GOFLAGS: "-mod=readonly -buildvcs=false", GOPROXY: process.env["GOPROXY"] ?? "" };

/**
 * Builds a program that may import the generated module and the community module.
 *
 * @param files the texts of the files, by their names
 * @returns its path
 * @throws Error if the program does not compile, or the community module cannot be downloaded
 */
export function buildBesidePeer(name: string, files: { readonly [file: string]: string }): string {
  const folder = join(ROOT, "node_modules/.cache/acp-go-peers", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sum = readFileSync(join(PINNED, "go.sum"), "utf8");
  const texts = { ...files, "go.mod": GO_MOD, "go.sum": sum };
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  const program = join(folder, "program");
  const built = runGo(["build", "-o", program, "."], { cwd: folder, env: ENV });
  if (built.code !== 0) throw new Error(built.err);
  return program;
}
