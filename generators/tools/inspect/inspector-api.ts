/** The exports of `templates/site/inspector` that the command uses; a test compares the two. */
export interface InspectorModule {
  readonly openCapture: (
    take: (captured: Captured) => void,
    recorder?: Side,
    limit?: number,
  ) => OpenCapture;
  readonly findHandshake: (messages: readonly Recorded[]) => RecordedHandshake;
  readonly handshakeId: (recorded: Recorded) => string | undefined;
  readonly parseFilter: (text: string) => (row: TimelineRow) => boolean;
  readonly Timeline: new (emit: (row: TimelineRow) => void) => Timeline;
  readonly createInspector: (profile: unknown, withRules: boolean) => Inspector;
}

export type Side = "agent" | "client";

/** A capture that is read as bytes, however they are cut. */
export interface OpenCapture {
  /** The number of lines so far. */
  readonly lines: number;
  push(chunk: Uint8Array): void;
  end(): void;
}

export interface Recorded {
  readonly message: unknown;
  readonly from?: Side;
}

/** Something that was recorded besides messages. */
export interface RecordedEvent {
  readonly kind: "header" | "stderr" | "signal" | "end" | "exit" | "lost" | "text";
  readonly from?: Side;
  readonly text?: string;
  readonly code?: number;
  readonly signal?: string;
}

/** A line without a usable message. */
export interface Broken {
  readonly rule: string;
  readonly message: string;
  readonly from?: Side;
  readonly text?: string;
}

/** What a capture has in one place: a message, a broken line, or something else that happened. */
export type Captured = {
  readonly number: number;
  /** Length of its text in UTF-16 code units. */
  readonly size: number;
  /** In milliseconds. */
  readonly time?: number;
} & (
  { readonly recorded: Recorded } | { readonly broken: Broken } | { readonly event: RecordedEvent }
);

export type CapturedEvent = Extract<Captured, { readonly event: RecordedEvent }>;

export interface RecordedHandshake {
  readonly ids: readonly string[];
  readonly version?: number;
  readonly isAgreed: boolean;
}

export interface Inspector {
  readonly inspect: (recorded: Recorded, line: number) => Inspected;
  readonly end: () => readonly Violation[];
}

export interface Inspected {
  readonly from: Side;
  readonly kind: "request" | "notification" | "response" | "invalid";
  readonly method?: string;
  readonly definition?: string;
  readonly verdict: "valid" | "repaired" | "invalid";
  readonly findings: readonly Finding[];
  readonly violations: readonly Violation[];
}

export interface Finding {
  readonly level: "error" | "warning" | "note";
  readonly rule: string;
  readonly path: string;
  readonly message: string;
}

export interface Violation {
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly line: number;
  readonly message: string;
  readonly path?: string;
}

/** Turns lines with their findings into rows. */
export interface Timeline {
  add(found: LineFindings, captured: Captured | undefined): void;
  /** Gives the updates that were held back. */
  flush(): void;
  open(): OpenCall[];
}

export type LineFindings = {
  readonly line: number;
  readonly findings: readonly Finding[];
} & Partial<Pick<Inspected, "from" | "kind" | "method">>;

/** A row of a timeline: a message, several updates of the same kind, or something else. */
export interface TimelineRow {
  readonly kind:
    "request" | "response" | "notification" | "update" | "line" | "finding" | RecordedEvent["kind"];
  readonly line: number;
  /** In milliseconds. */
  readonly time?: number;
  readonly from?: Side;
  readonly method?: string;
  readonly id?: string;
  readonly session?: string;
  readonly update?: string;
  readonly count?: number;
  /** The method or event, with an id, a count or a duration. */
  readonly head: string;
  readonly text: string;
  readonly isError?: boolean;
  /** How long the answer took, in milliseconds. */
  readonly ms?: number;
  readonly findings: readonly Finding[];
  readonly message?: unknown;
}

/** A request without an answer. */
export interface OpenCall {
  readonly from: Side;
  readonly method: string;
  readonly id: string;
  readonly line: number;
  readonly time?: number;
  readonly session?: string;
}
