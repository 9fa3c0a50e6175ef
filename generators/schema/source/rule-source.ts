import type { Json } from "../json-schema/json.js";

/** The rules of conduct for agents and clients, as readers see them. */
export interface RuleBook {
  readonly rules: readonly RuleSource[];
}

export type RuleLevel = "error" | "warning" | "note";

/** One rule of the conformance checker, as the site shows it. */
export interface RuleSource {
  readonly id: string;
  /** The subject of the rule. */
  readonly area: string;
  /** The source of the rule. */
  readonly source: string;
  readonly level: RuleLevel;
  /** Given where it is another one in version 2. */
  readonly levelInVersion2?: RuleLevel;
  /** The protocol versions that it holds for, by number. */
  readonly versions: readonly number[];
  /** The features without which it has no meaning. */
  readonly features: readonly string[];
  /** The methods of the base without which it has no meaning. */
  readonly methods: readonly string[];
  /** The requirement, in one sentence. */
  readonly title: string;
  readonly rationale: string;
  readonly examples: readonly RuleExample[];
}

/** A conversation that keeps a rule, and one that breaks it. */
export interface RuleExample {
  readonly valid: readonly RecordedMessage[];
  readonly invalid: readonly RecordedMessage[];
  /** The protocol version that it is of, by number. */
  readonly version: number;
  /** The feature that it shows; absent for examples of the base. */
  readonly feature?: string;
  /** The line that breaks the rule, counted from 1. */
  readonly line: number;
}

export interface RecordedMessage {
  readonly from: string;
  readonly message: Json;
}

/** A documentation without rules. */
export const NO_RULES: RuleBook = { rules: [] };
