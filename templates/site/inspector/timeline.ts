import { key } from "../../typescript/runtime/conformance/conversation.js";
import { RecentMap } from "../../typescript/runtime/conformance/memory.js";
import { at, textOf, list } from "../../typescript/runtime/conformance/select.js";
import { otherSide, type Side } from "../../typescript/runtime/conformance/transcript.js";
import type { Captured } from "./capture.js";
import type { Finding } from "./findings.js";
import type { Inspected } from "./inspector.js";
/** What was found about a line; of an earlier line, the findings only. */
export type LineFindings = {
  readonly line: number;
  readonly findings: readonly Finding[];
} & Partial<Pick<Inspected, "from" | "kind" | "method">>;

/** A row of a timeline: a message, several updates of the same kind, or something else. */
export interface TimelineRow {
  readonly kind:
    "request" | "response" | "notification" | "update" | "line" | "finding" | EventKind;
  /** The line in the capture; of several updates the first one. */
  readonly line: number;
  /** In milliseconds. */
  readonly time?: number;
  readonly from?: Side;
  readonly method?: string;
  /** The id of a request, or of the one that is answered. */
  readonly id?: string;
  readonly session?: string;
  /** The kind of an update. */
  readonly update?: string;
  /** How many updates the row stands for. */
  readonly count?: number;
  /** The method or event, with an id, a count or a duration. */
  readonly head: string;
  readonly text: string;
  /** Whether the answer is an error, or the line unusable. */
  readonly isError?: boolean;
  /** How long the answer took, in milliseconds. */
  readonly ms?: number;
  readonly findings: readonly Finding[];
  /** The message; of several updates the last one. */
  readonly message?: unknown;
}

type Headless = Omit<TimelineRow, "head">;

type EventKind = Extract<Captured, { event: unknown }>["event"]["kind"];

/** A request without an answer. */
export interface OpenCall {
  readonly from: Side;
  readonly method: string;
  readonly id: string;
  readonly line: number;
  readonly time?: number;
  readonly session?: string;
}

/** The maximum number of open calls that are remembered. */
const MOST_OPEN = 10_000;

/** How much of the texts of folded updates a row has, in UTF-16 code units. */
const LONGEST_TEXT = 2000;

/** Turns lines with their findings into the rows of a timeline; updates that follow each other are one row. */
export class Timeline {
  readonly #emit: (row: Headless) => void;
  readonly #open = new RecentMap<string, OpenCall>(MOST_OPEN);
  /** Updates that later ones may still join. */
  #folded: Headless | undefined;

  constructor(emit: (row: TimelineRow) => void) {
    this.#emit = (row) => emit({ ...row, head: headOf(row) });
  }

  /** @param captured what the line has; absent for an earlier line */
  add(found: LineFindings, captured: Captured | undefined): void {
    const { line, findings } = found;
    if (captured === undefined) {
      this.flush();
      this.#emit({ kind: "finding", line, text: "", findings });
      return;
    }
    const base = { line, findings, ...(captured.time !== undefined && { time: captured.time }) };
    if ("event" in captured) {
      const { kind, from, text, code, signal } = captured.event;
      if (kind === "header") return;
      this.flush();
      const said = text ?? signal ?? (code === undefined ? "" : `code ${code}`);
      this.#emit({ ...base, kind, text: said, ...(from !== undefined && { from }) });
    } else if ("broken" in captured) {
      this.flush();
      const { from, text = "" } = captured.broken;
      this.#emit({
        ...base,
        kind: "line",
        text,
        isError: true,
        ...(from !== undefined && { from }),
      });
    } else this.#message(found, base, captured.recorded.message);
  }

  /** Gives the updates that were held back. */
  flush(): void {
    const row = this.#folded;
    this.#folded = undefined;
    if (row !== undefined) this.#emit(row);
  }

  /** Returns the requests without an answer, the oldest first. */
  open(): OpenCall[] {
    return [...this.#open.values()];
  }

  #message(
    { from, kind, method }: LineFindings,
    base: Pick<TimelineRow, "line" | "findings" | "time">,
    message: unknown,
  ): void {
    const session = textOf(at(message, "params", "sessionId"));
    const row = {
      ...base,
      message,
      text: summarize(message),
      ...(from !== undefined && { from }),
      ...(method !== undefined && { method }),
      ...(session !== "" && { session }),
    };
    const update = textOf(at(message, "params", "update", "sessionUpdate"));
    if (kind === "notification" && update !== "") {
      this.#fold({ ...row, kind: "update", update, count: 1 });
      return;
    }
    this.flush();
    const id = at(message, "id");
    if (kind === "request") this.#call(row, from!, key(id));
    else if (kind === "response") this.#answer(row, from!, key(id));
    else
      this.#emit({
        ...row,
        kind: kind === "notification" ? kind : "line",
        isError: kind === "invalid",
      });
  }

  #call(row: Omit<Headless, "kind">, from: Side, id: string): void {
    const { method = "", line, time, session } = row;
    this.#open.set(`${from} ${id}`, {
      ...{ from, method, id, line },
      ...(time !== undefined && { time }),
      ...(session !== undefined && { session }),
    });
    this.#emit({ ...row, kind: "request", id });
  }

  #answer(row: Omit<Headless, "kind">, from: Side, id: string): void {
    const name = `${otherSide(from)} ${id}`;
    const call = this.#open.get(name);
    this.#open.delete(name);
    const isError = at(row.message, "error") !== undefined;
    const ms =
      row.time !== undefined && call?.time !== undefined ? row.time - call.time : undefined;
    this.#emit({
      ...row,
      ...{ kind: "response", id, isError },
      ...(call?.session !== undefined && { session: call.session }),
      ...(ms !== undefined && { ms }),
    });
  }

  /** Joins an update with those before it that are of the same kind and without findings. */
  #fold(row: Headless & { readonly count: number }): void {
    const before = this.#folded;
    if (before === undefined || !isSameKind(before, row)) {
      this.flush();
      this.#folded = row;
    } else {
      // Chunks are parts of a text; other updates have their own.
      const isPart = at(row.message, "params", "update", "content", "text") !== undefined;
      const text = isPart ? (before.text + row.text).slice(0, LONGEST_TEXT) : row.text;
      this.#folded = { ...before, text, message: row.message, count: before.count! + 1 };
    }
    if (row.findings.length > 0) this.flush();
  }
}

function isSameKind(one: Headless, other: Headless): boolean {
  if (one.session !== other.session || one.update !== other.update || one.from !== other.from)
    return false;
  return other.findings.length === 0 && toolOf(one) === toolOf(other);
}

function toolOf({ message }: Headless): string {
  return textOf(at(message, "params", "update", "toolCallId"));
}

function headOf({ kind, method, id = "", update = "", count = 1, ms, isError }: Headless): string {
  switch (kind) {
    case "request":
      return `${method} #${id}`;
    case "response": {
      const took =
        ms === undefined ? "" : `  ${ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`}`;
      return `  ${method ?? "?"} #${id} ${isError === true ? "ERROR" : "ok"}${took}`;
    }
    case "notification":
      return `  ${method}`;
    case "update":
      return `  ${update}${count > 1 ? ` × ${count}` : ""}`;
    case "line":
      return "  not a message";
    case "finding":
      return "";
    default:
      return `  ${kind}`;
  }
}

/** Where a short text about a message may be, in the order of preference. */
const PLACES: readonly (readonly string[])[] = [
  ["error", "message"],
  ["result", "stopReason"],
  ["result", "outcome", "outcome"],
  ["result", "sessionId"],
  ["params", "update", "content", "text"],
  ["params", "update", "title"],
  ["params", "update", "status"],
  ["params", "update", "state"],
  ["params", "update", "currentModeId"],
  ["params", "toolCall", "title"],
  ["params", "path"],
  ["params", "command"],
  ["params", "cwd"],
  ["params", "modeId"],
  ["params", "message"],
];

/** Returns a short text that says what a message is about; empty when there is none. */
function summarize(message: unknown): string {
  for (const place of PLACES) {
    const text = textOf(at(message, ...place));
    if (text !== "") return text;
  }
  const [block] = list(at(message, "params", "prompt"));
  return textOf(at(block, "text"));
}
