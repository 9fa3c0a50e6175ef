import type { Finding, OpenCall, TimelineRow } from "../../tools/inspect/inspector-api.js";
import { withoutControls } from "../../schema/controls.js";
import { colors as pc } from "../colors.js";
import { count } from "./format.js";

/** The width of a line that does not go to a terminal, in characters. */
const WIDTH = 200;

/** The least width for a text, which is left out where there is less, and for a finding, which wraps. */
const LEAST = { text: 8, finding: 20 };

/** The indentation of what belongs to a row. */
const INDENT = " ".repeat(12);

const MARKS = { error: pc.red("✗"), warning: pc.yellow("!"), note: pc.dim("·") } as const;

/** Prints the rows of a timeline for people. */
export class TimelinePrinter {
  readonly #width: number;

  /** @param width the columns of the terminal; undefined for another output */
  constructor(width: number | undefined) {
    this.#width = width ?? WIDTH;
  }

  /** @param began the time that the clock counts from, in milliseconds */
  row(row: TimelineRow, began: number | undefined): string[] {
    const findings = row.findings.map((finding) => this.#finding(finding, row));
    if (row.kind === "finding") return findings;
    const head = withoutControls(row.head);
    const clock = printClock(row.time, began);
    const arrow = row.from === undefined ? " " : row.from === "client" ? "→" : "←";
    const start = `${clock} ${arrow} ${head}`;
    const room = this.#width - start.length - 2;
    const text = room < LEAST.text ? "" : fit(row.text, room);
    const line = `${pc.dim(clock)} ${arrow} ${painterOf(row)(head)}`;
    return [text === "" ? line : `${line}  ${pc.dim(text)}`, ...findings];
  }

  /** Prints the requests that a conversation has left open. */
  open(calls: readonly OpenCall[]): string[] {
    return calls.map(
      ({ from, method, id, line }) =>
        `${INDENT}… ${withoutControls(`${method} #${id}`)} of the ${from} in line ${line} is not answered`,
    );
  }

  #finding({ level, rule, path, message }: Finding, { kind, line }: TimelineRow): string {
    const place = path === "" ? "" : ` ${path}`;
    const where = kind === "finding" ? ` in line ${line}` : "";
    const room = this.#width - INDENT.length - 2 - rule.length;
    const text = fit(`${place}${where}: ${message}`, Math.max(LEAST.finding, room));
    return `${INDENT}${MARKS[level]} ${rule}${text}`;
  }
}

/** Returns a text on one line that has at most so many characters. */
function fit(text: string, room: number): string {
  const line = withoutControls(text.slice(0, room * 2).replace(/\s+/g, " "));
  return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}

function printClock(time: number | undefined, began: number | undefined): string {
  if (time === undefined || began === undefined) return " ".repeat(9);
  return ((time - began) / 1000).toFixed(3).padStart(9);
}

/** Prints the state of a conversation that goes on. */
export function printOpen(calls: readonly OpenCall[], now: number): string {
  const [oldest] = calls;
  if (oldest === undefined) return "no open call";
  const since =
    oldest.time === undefined ? "" : ` for ${((now - oldest.time) / 1000).toFixed(0)} s`;
  return `${count(calls.length, "open call")}, ${withoutControls(oldest.method)}${since}`;
}

function painterOf({ kind, isError = false }: TimelineRow): (text: string) => string {
  switch (kind) {
    case "request":
      return pc.bold;
    case "response":
      return isError ? pc.red : pc.green;
    case "notification":
    case "update":
    case "finding":
      return (text) => text;
    case "line":
      return pc.red;
    default:
      return kind === "stderr" ? pc.yellow : pc.dim;
  }
}
