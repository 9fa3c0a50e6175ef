import type { JsonObject } from "./json.js";

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
  readonly valid: readonly RuleExample[];
  readonly invalid: readonly RuleExample[];
}

/** A conversation that keeps a rule, or breaks it. */
export interface RuleExample {
  readonly note: string;
  readonly messages: readonly { readonly from: string; readonly message: JsonObject }[];
}
