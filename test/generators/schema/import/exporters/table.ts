import type { Problem } from "../../../../../generators/schema/problem.js";
import type { Imported } from "./documents.js";

/** Prints what becomes of schemas, as the table of the manual. */
export function exporterTable(imported: readonly Imported[]): string {
  const rows = imported.map((one) => `| ${one.exporter} | ${one.from} | ${resultOf(one)} |`);
  return ["| Written by | From | |", "| --- | --- | --- |", ...rows].join("\n");
}

function resultOf({ outcome }: Imported): string {
  if (!outcome.isAccepted) return `refused: ${outcome.problems.map(causeOf).join(", ")}`;
  return outcome.flags === "" ? "accepted" : `with \`${outcome.flags}\``;
}

/** Causes by their messages; the message for others. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/has groups, alternatives/, "patterns with groups"],
  [/can take very long/, "slow patterns"],
  [/^unknown keyword "(.*)"$/, "`$1`"],
  [/^`(.*)` accepts no value$/, "`$1`"],
  [/^an object cannot have properties and be a map/, "maps with properties"],
];

function causeOf({ message, others = [] }: Problem): string {
  const [pattern, text] = CAUSES.find(([one]) => one.test(message)) ?? [/^.*$/, "$&"];
  const cause = pattern.exec(message)![0].replace(pattern, text);
  return others.length === 0 ? cause : `${cause} (${others.length + 1})`;
}
