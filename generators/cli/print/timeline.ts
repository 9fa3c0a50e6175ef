import type { Finding, OpenCall, Row } from "../../run/inspect/inspector-api.js";
import { withoutControls } from "../../schema/controls.js";
import { colors as pc } from "./colors.js";
import { count } from "./format.js";

/** The width of a line that does not go to a terminal, in characters. */
const WIDTH = 200;

/** The least width for a text; a narrower terminal wraps it. */
const LEAST = 20;

/** The indentation of what belongs to a row. */
const INDENT = " ".repeat(12);

const MARKS = { error: pc.red("✗"), warning: pc.yellow("!"), note: pc.dim("·") } as const;

/** Prints the rows of a timeline for people, with times that begin at its first row. */
export class TimelinePrinter {
  readonly #width: number;
  #start: number | undefined;

  /** @param width the columns of the terminal; undefined for another output */
  constructor(width: number | undefined) {
    this.#width = width ?? WIDTH;
  }

  row(row: Row): string[] {
    this.#start ??= row.time;
    const findings = row.findings.map((finding) => this.#finding(finding, row));
    if (row.kind === "finding") return findings;
    const head = withoutControls(row.head);
    const clock = this.#clock(row.time);
    const arrow = row.from === undefined ? " " : row.from === "client" ? "→" : "←";
    const start = `${clock} ${arrow} ${head}`;
    const text = row.text === "" ? "" : this.#fit(row.text, start.length + 2);
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

  #finding({ level, rule, path, message }: Finding, { kind, line }: Row): string {
    const place = path === "" ? "" : ` ${path}`;
    const where = kind === "finding" ? ` in line ${line}` : "";
    const text = this.#fit(`${place}${where}: ${message}`, INDENT.length + 2 + rule.length);
    return `${INDENT}${MARKS[level]} ${rule}${text}`;
  }

  #clock(time: number | undefined): string {
    if (time === undefined || this.#start === undefined) return " ".repeat(9);
    return ((time - this.#start) / 1000).toFixed(3).padStart(9);
  }

  /** Returns a text on one line that fits behind what is before it. */
  #fit(text: string, before: number): string {
    const room = Math.max(LEAST, this.#width - before);
    const line = withoutControls(text.slice(0, room * 2).replace(/\s+/g, " "));
    return line.length > room ? `${line.slice(0, room - 1)}…` : line;
  }
}

/** Prints the state of a conversation that goes on. */
export function printOpen(calls: readonly OpenCall[], now: number): string {
  const [oldest] = calls;
  if (oldest === undefined) return "no open call";
  const since =
    oldest.time === undefined ? "" : ` for ${((now - oldest.time) / 1000).toFixed(0)} s`;
  return `${count(calls.length, "open call")}, ${withoutControls(oldest.method)}${since}`;
}

function painterOf({ kind, isError = false }: Row): (text: string) => string {
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
