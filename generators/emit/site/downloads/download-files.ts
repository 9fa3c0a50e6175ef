import type { Json } from "../../../schema/json-schema/json.js";
import { CHANGES_FILE, comparisonsOf } from "../changes/profile-comparison.js";
import { CHECKLIST_FILE, checklistJson } from "../articles/checklist-article.js";
import { DOWNLOADS } from "../articles/downloads-article.js";
import { llmsFullText, llmsSmallText, llmsText } from "./llms.js";
import { openRpc } from "./openrpc.js";
import type { RenderedPage } from "../render.js";
import type { Site } from "../model/site.js";

/** The files of a profile for programs, by the names that pages link to. */
export const DOWNLOAD_FILES: readonly string[] = DOWNLOADS.map(({ file }) => file);

/** Makes the files of a profile for programs. */
export function downloads(
  site: Site,
  pages: readonly RenderedPage[],
): readonly (readonly [path: string, text: string])[] {
  const { protocol } = site;
  return [
    ["schema.json", json(protocol.schema as unknown as Json)],
    ["meta.json", json(protocol.meta)],
    ["openrpc.json", json(openRpc(site))],
    [CHANGES_FILE, json({ comparisons: comparisonsOf(site) as unknown as Json })],
    [CHECKLIST_FILE, json({ profile: protocol.profile, ...checklistJson(protocol.methods) })],
    ["llms.txt", llmsText(site, pages)],
    ["llms-small.txt", llmsSmallText(site, pages)],
    ["llms-full.txt", llmsFullText(site, pages)],
  ];
}

/** Line separators are escaped, which JSON does not demand: many readers take them for line ends. */
function json(value: Json): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
}
