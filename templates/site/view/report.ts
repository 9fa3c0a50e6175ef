import type { LinkedFinding } from "./conversation.js";
import type { TimelineRow } from "../inspector/timeline.js";

/** The longest message in a report, in UTF-16 code units. */
const LONGEST = 20_000;

/** Returns a row with its findings as Markdown, for a bug report. */
export function reportOf(row: TimelineRow, messages: readonly unknown[]): string {
  const { line, from, head, findings } = row;
  const sender = from === undefined ? "" : `, sent by the ${from}`;
  const lines = findings.map(
    ({ level, rule, path, message, url }: LinkedFinding) =>
      `- ${level} ${url === undefined ? `\`${rule}\`` : `[${rule}](${url})`}${path === "" ? "" : ` at \`${path}\``}: ${message}`,
  );
  const shown = messages.map((message) => JSON.stringify(message, null, 2)).join("\n");
  const text = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}\n…` : shown;
  // A fence that is longer than any in the text.
  const fence = "`".repeat(
    Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return [
    `**${head.trim()}** (line ${line}${sender})`,
    ...(lines.length > 0 ? ["", ...lines] : []),
    ...(text === "" ? [] : ["", `${fence}json`, text, fence]),
    "",
  ].join("\n");
}

/** Puts a text into the clipboard; a page that is opened as a file may lack the newer way. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
