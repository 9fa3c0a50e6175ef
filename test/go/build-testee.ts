import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { buildProgram } from "./toolchain.js";

/** Where programs are built, outside of the generated module. */
const BUILT = process.env["ACP_TESTEES"] ?? `${ROOT}node_modules/.cache/acp-testees`;

/**
 * Builds the agent or the client of the behavior corpus on the generated module.
 *
 * @returns its path
 */
export function buildTestee(subject: "agent" | "client", version: 1 | 2): string {
  const name = `${subject}-v${version}`;
  const folder = join(BUILT, `own-go-${name}`);
  mkdirSync(folder, { recursive: true });
  const text = (file: string): string =>
    readFileSync(`${ROOT}test/go/testees/${file}.go.txt`, "utf8");
  const shared = text(subject).replaceAll("/acpv1", `/acpv${version}`);
  const files = {
    [`${name}/main.go`]: shared,
    [`${name}/version.go`]: text(`${subject}_v${version}`),
  };
  return buildProgram(folder, files, name);
}
