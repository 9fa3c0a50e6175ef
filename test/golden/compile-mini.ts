import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { compile } from "../../generators/compile.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import type { Protocol } from "../../generators/model/protocol.js";
import type { VirtualFile } from "../../generators/output/file.js";
import { compose } from "../../generators/schema/compose/compose.js";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import type { Memo } from "../../generators/schema/memo.js";
import { TARGETS } from "../../generators/targets.js";
import { ROOT } from "../paths.js";

/** Where the expected output stands. */
export const EXPECTED = join(ROOT, "test/golden/expected");

/** Named in the output; fixed, so that a release of the tool leaves it as it is. */
const VERSION = "0.0.0";

/** Compiles the mini protocol with every target. */
export async function compileMini(memo?: Memo): Promise<VirtualFile[]> {
  const context = { templates: readTemplates(), version: VERSION };
  return compile([loadMini()], TARGETS, { ...context, ...(memo !== undefined && { memo }) });
}

/**
 * The part of the output that is compared, by path: what comes from the
 * protocol. Files that are the same for every protocol are left out, and of
 * ajv's code only the exports are kept.
 */
export function selectExpected(files: readonly VirtualFile[]): Map<string, string> {
  const own = files.filter(
    ({ path, profile }) => profile !== "*" && !path.includes(`/${profile}/assets/`),
  );
  return new Map(
    own.map(({ path, text, target }) => [path, target === "ajv" ? exportsOf(text) : text]),
  );
}

/** The text of every file of a folder, by its path there. */
export function readFolder(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(
    files.map((file) => [relative(folder, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
  );
}

/** The mini protocol speaks the repository's own dialect, which stands beside its modules only here. */
export function loadMini(): Protocol {
  const folder = mkdtempSync(join(tmpdir(), "acp-golden-"));
  try {
    cpSync(join(ROOT, "test/golden/schema"), folder, { recursive: true });
    cpSync(join(ROOT, "schema/dialect"), join(folder, "dialect"), { recursive: true });
    const { protocols, profiles } = loadSources(folder);
    const profile = profiles.get("mini")!;
    return buildProtocol(compose(protocols.get(profile.protocol)!, profile.features), profile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readTemplates(): Map<string, string> {
  return readFolder(join(ROOT, "templates"));
}

/** `export const validateNote: Validator<types.Note>` and so on; what ajv calls its functions does not matter. */
function exportsOf(text: string): string {
  const lines = text.match(/^export .*$/gm) ?? [];
  return `${lines.map((line) => line.replace(/ = \w+ as /, ": ")).join("\n")}\n`;
}
