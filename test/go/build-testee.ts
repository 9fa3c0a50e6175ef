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
 * @param features those of the profile
 * @returns its path
 */
export function buildTestee(
  subject: "agent" | "client",
  version: 1 | 2,
  features: "" | "unstable" = "",
): string {
  const own = (of: 1 | 2, folder: string) => textsOf(subject, of, features, folder);
  if (subject === "client") {
    const name = `client-v${version}`;
    return build(name, features, own(version, name));
  }
  const files = { ...own(1, "agent/v1"), ...own(2, "agent/v2") };
  return build("agent", features, { "agent/main.go": read("agent_main"), ...files });
}

function build(name: string, features: string, files: { readonly [path: string]: string }): string {
  const folder = join(BUILT, `own-go-${name}${features}`);
  mkdirSync(folder, { recursive: true });
  return buildProgram(folder, files, name);
}

/** Returns the sources of a testee in a folder: what both versions share, and what they do not. */
function textsOf(subject: string, version: 1 | 2, features: string, folder: string) {
  const own = (file: string): string =>
    read(file).replaceAll(/\/acpv[12]/g, `/acpv${version}${features}`);
  return {
    [`${folder}/${subject}.go`]: own(subject),
    [`${folder}/version.go`]: own(`${subject}_v${version}`),
    ...(features !== "" &&
      subject === "agent" && { [`${folder}/options.go`]: own("agent_options") }),
  };
}

function read(file: string): string {
  return readFileSync(`${ROOT}test/go/testees/${file}.go.txt`, "utf8");
}
