import type { InspectListener, InspectResult } from "../../tools/inspect/inspect.js";
import type { Transcript } from "../../tools/inspect/open-transcript.js";
import type { Captured, CapturedEvent, Finding } from "../../tools/inspect/inspector-api.js";
import type { LineReport } from "../../tools/inspect/statistics.js";
import { MAX_ANNOTATIONS, type Annotation } from "../annotations.js";
import { inspectAnnotations, printEvent, printLine, printSummary } from "./inspect.js";
import { createProgress } from "./progress.js";
import type { Terminal } from "../terminal.js";

export interface TranscriptFlags {
  readonly json?: boolean;
  /** Print the summary only. */
  readonly quiet?: boolean;
  /** Print every message and every note, not only errors and warnings. */
  readonly all?: boolean;
  /** The level from which findings count; notes are printed when they count. */
  readonly failOn?: "error" | "warning" | "note";
  /** The number of findings to print; all when absent. */
  readonly maxFindings?: number;
}

/** Prints the reports of an inspection while it runs. */
export interface TranscriptPrinter extends Required<InspectListener> {
  readonly finish: (result: InspectResult) => Promise<void>;
}

export function createTranscriptPrinter(
  { name, size }: Transcript,
  flags: TranscriptFlags,
  terminal: Terminal,
): TranscriptPrinter {
  const progress = createProgress(size, terminal.streams.stderr);
  const annotations: Annotation[] = [];
  const print = createLinePrinter(flags, name);
  let text = "";
  const flush = async (): Promise<void> => {
    if (text !== "") progress.clear();
    await terminal.drain(text);
    text = "";
  };
  return {
    line: (report, captured) => {
      if (!flags.quiet) text += print(report, captured);
      if (annotations.length < MAX_ANNOTATIONS && size !== undefined) {
        annotations.push(...inspectAnnotations(report, name));
      }
    },
    read: async (bytes, lines) => {
      progress.show(bytes, lines);
      await flush();
    },
    finish: async (result) => {
      progress.clear();
      text += flags.json
        ? `${JSON.stringify({ type: "summary", ...result })}\n`
        : `${printSummary(result)}\n`;
      await flush();
      if (!flags.json) terminal.annotate(annotations);
    },
  };
}

/** The number of different notes that are remembered. */
const MAX_NOTED = 1000;

/** Returns a function that prints the report about a line; empty for a line that is not shown. */
function createLinePrinter(
  { json, all, failOn, maxFindings = Infinity }: TranscriptFlags,
  name: string,
): (report: LineReport, captured?: Captured) => string {
  let left = maxFindings;
  let isCut = false;
  /** Notes that were printed: one that is repeated is counted in the summary, unless it is for a program. */
  const noted = new Set<string>();
  const isShown = ({ level, rule, message }: Finding, method = ""): boolean => {
    const key = `${rule} ${method} ${message}`;
    if (json || level !== "note" || noted.size >= MAX_NOTED) return true;
    const isNew = !noted.has(key);
    noted.add(key);
    return isNew;
  };
  return (report, captured) => {
    if (captured !== undefined && "event" in captured) {
      if (!all || captured.event.kind === "header") return "";
      return `${json ? eventJson(captured) : printEvent(captured, name)}\n`;
    }
    const findings =
      all || failOn === "note"
        ? report.findings.filter((finding) => isShown(finding, report.method))
        : report.findings.filter(({ level }) => level !== "note");
    if (findings.length === 0 && !all) return "";
    const shown = findings.slice(0, left);
    left -= shown.length;
    const isFirstCut = !isCut && shown.length < findings.length;
    isCut ||= isFirstCut;
    const cut = { ...report, findings: shown };
    const isHidden = shown.length === 0 && findings.length > 0;
    const text = isHidden ? "" : `${json ? toJson(cut) : printLine(cut, name)}\n`;
    return isFirstCut && !json ? `${text}More findings are counted, but not shown.\n` : text;
  };
}

function eventJson({ number, event }: CapturedEvent): string {
  return JSON.stringify({ type: "event", line: number, ...event });
}

function toJson(report: LineReport): string {
  const type =
    report.verdict === undefined ? "rule" : report.verdict === "unreadable" ? "line" : "message";
  return JSON.stringify({ type, ...report });
}
