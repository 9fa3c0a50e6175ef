import type { Annotation } from "../annotations.js";
import { colors as pc } from "../colors.js";
import type { InspectResult } from "../../tools/inspect/inspect.js";
import type { LineReport, MethodCounts } from "../../tools/inspect/statistics.js";
import type { CapturedEvent, Finding } from "../../tools/inspect/inspector-api.js";
import { withoutControls } from "../../schema/controls.js";
import { count, cut } from "./format.js";

/** The length of a line of standard error or of a log that is printed, in characters. */
const SHOWN = 200;

/** Prints the report about a line for people, then each finding on a line. */
export function printLine(report: LineReport, name: string): string {
  const { line, from, kind, method, verdict, findings } = report;
  const to = from === "client" ? "agent" : "client";
  const parts = [...(from === undefined ? [] : [from, "->", to]), method, kind];
  const about = parts.filter((part) => part !== undefined).join(" ");
  const head = [
    pc.bold(`${name}:${line}:`),
    ...(about === "" ? [] : [withoutControls(about)]),
    ...(verdict === undefined ? [] : [about === "" ? paint(verdict) : `(${paint(verdict)})`]),
  ].join(" ");
  return [head, ...findings.map(printFinding)].join("\n");
}

/** Prints what was recorded besides messages. */
export function printEvent({ number, event }: CapturedEvent, name: string): string {
  const { kind, from, text, code, signal } = event;
  const what = [from, kind, code, signal].filter((part) => part !== undefined).join(" ");
  const said = text === undefined ? "" : `: ${cut(text, SHOWN)}`;
  return `${pc.bold(`${name}:${number}:`)} ${pc.dim(withoutControls(what) + said)}`;
}

function printFinding({ level, rule, path, message }: Finding): string {
  const place = path === "" ? "" : ` ${path}`;
  const color = { error: pc.red, warning: pc.yellow, note: pc.dim }[level];
  return `  ${color(level)} ${rule}${withoutControls(`${place}: ${message}`)}`;
}

function paint(verdict: NonNullable<LineReport["verdict"]>): string {
  switch (verdict) {
    case "valid":
      return pc.green(verdict);
    case "repaired":
      return pc.yellow(verdict);
    case "invalid":
    case "unreadable":
      return pc.red(verdict);
    default:
      return verdict satisfies never;
  }
}

/** Prints the summary of a transcript for people. */
export function printSummary(result: InspectResult): string {
  const { profiles, conversations, withRules, lines, bytes, messages, unreadable } = result;
  const rules =
    withRules === conversations
      ? "with the rules of behavior"
      : withRules > 0
        ? `${withRules} of them with the rules of behavior`
        : "without the rules of behavior, which need an initialize at the start";
  const broken = unreadable === 0 ? "" : ` (${unreadable} unreadable)`;
  const { valid, repaired, invalid, errors, warnings, notes } = result;
  return [
    `${pc.bold(profiles.join(", "))}: ${count(conversations, "conversation")}, ${rules}`,
    `${count(messages, "message")} in ${count(lines, "line")}${broken}, ${(bytes / 1e6).toFixed(1)} MB: ` +
      `${valid} valid, ${repaired} repaired, ${invalid} invalid`,
    ...(result.methods.length > 0 ? [printMethods(result.methods)] : []),
    ...result.rules.map(({ rule, level, count: number }) => `  ${level} ${rule}: ${number}`),
    [count(errors, "error"), count(warnings, "warning"), count(notes, "note")].join(", "),
  ].join("\n");
}

function printMethods(methods: readonly MethodCounts[]): string {
  const rows = methods.map(({ from, kind, method, ...counts }) => {
    const { messages, valid, repaired, invalid, rulesBroken } = counts;
    const numbers = [messages, valid, repaired, invalid, rulesBroken].map(String);
    return [from, kind, withoutControls(method) || "-", ...numbers];
  });
  const head = [
    ...["from", "kind", "method"],
    ...["messages", "valid", "repaired", "invalid", "findings"],
  ];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column < 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("  ");
  return [pc.dim(`  ${line(head)}`), ...rows.map((row) => `  ${line(row)}`)].join("\n");
}

/** Returns the findings about a line as annotations. */
export function inspectAnnotations({ line, findings }: LineReport, file: string): Annotation[] {
  return findings.flatMap(({ level, rule, path, message }): Annotation[] =>
    level === "note"
      ? []
      : [{ level, file, line, title: rule, message: `${path} ${message}`.trim() }],
  );
}
