import type { Captured } from "../inspector/capture.js";
import type { Finding } from "../inspector/findings.js";
import {
  Timeline,
  type LineFindings,
  type OpenCall,
  type TimelineRow,
} from "../inspector/timeline.js";
import { otherSide } from "../../typescript/runtime/conformance/transcript.js";

/** A finding, and where its rule or place is described. */
export interface LinkedFinding extends Finding {
  readonly url?: string;
}

/** What a line has, and what was found about it; of an earlier line, the findings only. */
export type ConversationEntry = readonly [found: LineFindings, captured?: Captured | null];

/** The state of an open call in a row. */
export type Bar = "none" | "begin" | "open" | "end";

/** A row with its place among the entries, and the calls that are open there. */
export interface PlacedRow {
  row: TimelineRow;
  /** The position of its first message among all. */
  readonly first: number;
  readonly bars: readonly Bar[];
}

/** A prompt and what came of it. */
export interface Turn {
  readonly row: number;
  readonly text: string;
  end: string | undefined;
}

/** How many open calls are drawn. */
const MOST_BARS = 6;

/** A conversation as it is shown: its rows, sessions and turns. */
export class Conversation {
  readonly rows: PlacedRow[] = [];
  readonly captured: Captured[] = [];
  readonly sessions: Map<string, Turn[]> = new Map();
  calls = 0;
  findings = 0;
  /** Whether rows that were given before have changed. */
  hasChanged = false;
  readonly #timeline: Timeline = new Timeline((row) => this.#add(row));
  readonly #bars: (string | undefined)[] = [];
  readonly #turns: Map<string, Turn> = new Map();
  #next = 0;

  add([found, captured]: ConversationEntry): void {
    this.findings += found.findings.length;
    if (captured !== undefined && captured !== null) {
      if (!("event" in captured) || captured.event.kind !== "header") this.captured.push(captured);
      this.#timeline.add(found, captured);
    } else this.#addFindings(found);
  }

  /** Gives the updates that were held back. */
  flush(): void {
    this.#timeline.flush();
  }

  open(): readonly OpenCall[] {
    return this.#timeline.open();
  }

  /** Returns the messages that a row stands for. */
  messagesOf({ row, first }: PlacedRow): readonly Captured[] {
    return this.captured.slice(first, first + (row.count ?? 1));
  }

  #add(row: TimelineRow): void {
    const index = this.rows.length;
    this.rows.push({ row, first: this.#next, bars: this.#barsOf(row) });
    this.#next += row.count ?? 1;
    if (row.session !== undefined && !this.sessions.has(row.session))
      this.sessions.set(row.session, []);
    const { kind, from, id = "", session = "", method } = row;
    if (kind === "request") {
      this.calls += 1;
      if (method !== "session/prompt") return;
      const turn: Turn = { row: index, text: row.text, end: undefined };
      this.sessions.get(session)?.push(turn);
      this.#turns.set(`${from} ${id}`, turn);
    } else if (kind === "response" && from !== undefined) {
      const turn = this.#turns.get(`${otherSide(from)} ${id}`);
      if (turn !== undefined) turn.end = row.isError === true ? "error" : row.text || "done";
    }
  }

  #addFindings(found: LineFindings): void {
    this.#timeline.flush();
    const placed = this.rows.findLast(({ row }) => row.line <= found.line);
    if (placed === undefined) return;
    placed.row = { ...placed.row, findings: [...placed.row.findings, ...found.findings] };
    this.hasChanged = true;
  }

  #barsOf({ kind, from, id }: TimelineRow): readonly Bar[] {
    const bars = this.#bars;
    const before = bars.slice(0, MOST_BARS);
    let changed = -1;
    let bar: Bar = "open";
    if (kind === "request") {
      const free = bars.findIndex((one) => one === undefined);
      changed = free < 0 ? bars.length : free;
      bars[changed] = `${from} ${id}`;
      bar = "begin";
    } else if (kind === "response" && from !== undefined) {
      changed = bars.indexOf(`${otherSide(from)} ${id}`);
      if (changed >= 0) bars[changed] = undefined;
      bar = "end";
    }
    while (bars.length > 0 && bars.at(-1) === undefined) bars.pop();
    const length = Math.min(MOST_BARS, Math.max(before.length, changed + 1));
    return Array.from({ length }, (_, at): Bar =>
      at === changed ? bar : before[at] === undefined ? "none" : "open",
    );
  }
}
