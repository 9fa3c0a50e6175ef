import type { Json } from "./json.js";

/** One rule of the conformance checker, as the site shows it. */
export interface RuleSource {
  readonly id: string;
  /** Where it comes from. */
  readonly source: string;
  readonly level: "error" | "warning";
  /** The protocol versions that it holds for, by number. */
  readonly versions: readonly number[];
  /** What it demands, in a sentence; empty when the checker does not say. */
  readonly title: string;
  readonly rationale: string;
  readonly examples: readonly RuleExample[];
}

/** A conversation that keeps a rule, and one that breaks it. */
export interface RuleExample {
  readonly valid: readonly RecordedMessage[];
  readonly invalid: readonly RecordedMessage[];
  /** The protocol version that it is of; that of the rule when absent. */
  readonly version?: number;
}

export interface RecordedMessage {
  readonly from: string;
  readonly message: Json;
}
