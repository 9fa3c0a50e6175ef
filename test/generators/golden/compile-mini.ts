import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { compile } from "../../../generators/compile.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { VirtualFile } from "../../../generators/output/file.js";
import { compose } from "../../../generators/schema/compose.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import type { Memo } from "../../../generators/schema/memo.js";
import { TARGETS } from "../../../generators/targets.js";
import { ROOT } from "../../support/paths.js";
import { siteInputs } from "../../support/emit-inputs.js";

/** Where the expected output stands. */
export const EXPECTED = join(ROOT, "test/generators/golden/expected");

/** Named in the output; fixed, so that a release of the tool leaves it as it is. */
const VERSION = "0.0.0";

/** Compiles the mini protocol with every target. */
export async function compileMini(memo?: Memo): Promise<VirtualFile[]> {
  const templates = readTemplates();
  return compile([loadMini()], TARGETS, siteInputs({ templates }), {
    templates,
    version: VERSION,
    ...(memo !== undefined && { memo }),
  });
}

/** The pages of the site that are compared, each with its Markdown twin: one of every kind. */
const PAGES = [
  "index.html",
  "methods/note/save.html",
  "types/Block.html",
  "types/SyncState.html",
  "capabilities.html",
];

/**
 * The compared part of the output, by path: files that are made from the
 * protocol. Of the site these are a few pages and the search index, and of
 * ajv's code the exports.
 */
export function selectExpected(files: readonly VirtualFile[]): Map<string, string> {
  const own = files.filter(
    ({ path, profile, target }) => profile !== "*" && (target !== "docs" || isCompared(path)),
  );
  return new Map(
    own.map(({ path, text, target }) => [path, (EXCERPTS[target] ?? same)(text, path)]),
  );
}

function isCompared(path: string): boolean {
  const page = path.replace("site/mini/", "").replace(/\.md$/, "");
  return PAGES.includes(page);
}

const EXCERPTS: { readonly [target: string]: (text: string, path: string) => string } = {
  ajv: exportsOf,
};

function same(text: string): string {
  return text;
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
    cpSync(join(ROOT, "test/generators/golden/schema"), folder, { recursive: true });
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
