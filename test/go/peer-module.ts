import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { MODULE, runGo } from "./toolchain.js";

const OWN = "github.com/acp-codegen/acp-codegen/out/go";

/** The community module that ours is compared with. */
export const PEER = { path: "github.com/coder/acp-go-sdk", version: "0.13.0" } as const;

const GO_MOD = `module peers

go 1.22

require (
	${OWN} v0.0.0
	${PEER.path} v${PEER.version}
)

replace ${OWN} => ${MODULE}
`;

/** The digests of its files, so that nothing else is ever built. */
const GO_SUM = `${PEER.path} v${PEER.version} h1:IAKBDIbe/iBfKAGikeIndzb8fowt4ioD+gCtSU4HwMA=
${PEER.path} v${PEER.version}/go.mod h1:yKzM/3R9uELp4+nBAwwtkS0aN1FOFjo11CNPy37yFko=
`;

/** Only these modules are downloaded. */
const ENV = { GOFLAGS: "-mod=readonly -buildvcs=false", GOPROXY: process.env["GOPROXY"] ?? "" };

/**
 * Builds a program that may import the generated module and the community module.
 *
 * @param files the texts of the files, by their names
 * @returns its path
 * @throws Error for a program that is not right, or without the community module, which is
 * downloaded once
 */
export function buildBesidePeer(name: string, files: { readonly [file: string]: string }): string {
  const folder = join(ROOT, "node_modules/.cache/acp-go-peers", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const texts = { ...files, "go.mod": GO_MOD, "go.sum": GO_SUM };
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  const program = join(folder, "program");
  const built = runGo(["build", "-o", program, "."], { cwd: folder, env: ENV });
  if (built.code !== 0) throw new Error(built.err);
  return program;
}
