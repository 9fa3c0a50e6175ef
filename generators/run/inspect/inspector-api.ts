/** The exports of `templates/inspect` that the command uses; a test compares the two. */
export interface InspectorModule {
  readonly createLineReader: (receiver: LineReceiver, limit?: number) => LineReader;
  readonly findHandshake: (messages: readonly Recorded[]) => Handshake;
  readonly handshakeId: (recorded: Recorded) => string | undefined;
  readonly isHeader: (value: unknown) => boolean;
  readonly readRecord: (value: unknown, recorder?: Side) => Recorded;
  readonly createInspector: (profile: unknown, withRules: boolean) => Inspector;
}

export type Side = "agent" | "client";

export interface LineReceiver {
  line(text: string): void;
  empty(): void;
  broken(reason: "not-utf8" | "too-long"): void;
}

export interface LineReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

export interface Recorded {
  readonly message: unknown;
  readonly from?: Side;
}

export interface Handshake {
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
