import { withoutControls } from "../../schema/controls.js";
import { IMPACTS, worst, type Impact } from "../../schema/compare/impact.js";
import { colors as pc } from "../colors.js";
import { count } from "./format.js";
import type { FoundChange, FoundComparison } from "../../run/diff.js";

type Format = "text" | "markdown" | "json";

/** Prints a comparison for people, for a pull request, or for programs. */
export function printComparison(comparison: FoundComparison, format: Format): string {
  switch (format) {
    case "json":
      return JSON.stringify(comparison, null, 2);
    case "markdown":
      return printMarkdown(comparison);
    case "text":
      return printText(comparison);
    default:
      return format satisfies never;
  }
}

/**
 * Returns whether the impact of a comparison reaches a limit; any change reaches `safe`.
 */
export function reaches(comparison: FoundComparison, limit: Impact | "never"): boolean {
  if (limit === "never" || comparison.changes.length === 0) return false;
  const found = worst(comparison.sender, comparison.receiver);
  return IMPACTS.indexOf(found) <= IMPACTS.indexOf(limit);
}

function printText(comparison: FoundComparison): string {
  const blocks = [...byDefinition(comparison)].map(([title, changes]) =>
    [pc.bold(withoutControls(title)), ...changes.map((change) => colored(change))].join("\n"),
  );
  return [...blocks, summary(comparison), verdict(comparison)].join("\n");
}

function colored(change: FoundChange): string {
  const { sign, place, what } = described(change);
  const impact = impactText(change);
  const text = withoutControls(`  ${sign} ${place}: ${what}`);
  const paint = { "+": pc.green, "-": pc.red, "~": pc.yellow, ">": pc.cyan }[sign];
  return paint(text) + (impact === "" ? "" : pc.dim(` (${impact})`));
}

/** Prints the impact of a change; empty when it is safe. */
function impactText({ sender, receiver }: FoundChange): string {
  if (sender === receiver) return sender === "safe" ? "" : sender;
  const parts = Object.entries({ senders: sender, receivers: receiver });
  return parts
    .filter(([, impact]) => impact !== "safe")
    .map(([who, impact]) => `${impact} for ${who}`)
    .join(", ");
}

function printMarkdown(comparison: FoundComparison): string {
  const rows = comparison.changes.map((change) => {
    const { place, what } = described(change);
    const cells = [change.definition ?? "(root)", place, change.kind, what].map(inCode);
    return `| ${[...cells, change.sender, change.receiver].join(" | ")} |`;
  });
  const head = [
    "| definition | place | change | what | sender | receiver |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  const table = rows.length > 0 ? [...head, ...rows, ""] : [];
  return [`${summary(comparison)}  `, verdict(comparison), "", ...table].join("\n").trimEnd();
}

/** Prints text of a schema as code in a cell of a table. */
function inCode(text: string): string {
  const ticks = "`".repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const safe = withoutControls(text.replaceAll("|", "\\|"));
  return ticks.length === 1 ? `\`${safe}\`` : `${ticks} ${safe} ${ticks}`;
}

function described({ pointer, kind, before, after }: FoundChange): {
  readonly sign: "+" | "-" | "~" | ">";
  readonly place: string;
  readonly what: string;
} {
  const place = pointer.replace(/^\/\$defs\/[^/]+/, "") || "/";
  switch (kind) {
    case "added":
      return { sign: "+", place, what: short(after) };
    case "removed":
      return { sign: "-", place, what: short(before) };
    case "changed":
      return { sign: "~", place, what: `${short(before)} -> ${short(after)}` };
    case "renamed":
      return { sign: ">", place, what: `was ${String(before)}` };
    default:
      return kind satisfies never;
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function byDefinition({ changes }: FoundComparison): ReadonlyMap<string, FoundChange[]> {
  const groups = new Map<string, FoundChange[]>();
  for (const change of changes) {
    const { definition = "(root)", feature } = change;
    const title = feature === undefined ? definition : `${definition} [${feature}]`;
    groups.set(title, [...(groups.get(title) ?? []), change]);
  }
  return groups;
}

function summary({ counts, changes }: FoundComparison): string {
  const { common, identical, changed, added, removed, renamed } = counts;
  return (
    `${count(changes.length, "difference")}; definitions: ${common} in both (${identical} identical, ` +
    `${changed} changed), ${added} added, ${removed} removed, ${renamed} of them renamed`
  );
}

function verdict({ sender, receiver }: FoundComparison): string {
  return `worst for senders: ${sender}, for receivers: ${receiver}`;
}
