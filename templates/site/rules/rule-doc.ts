import type { TranscriptEntry } from "../../typescript/runtime/conformance/index.js";

/** A conversation that keeps a rule, and one that breaks it in one line. */
export interface Example {
  readonly valid: readonly TranscriptEntry[];
  readonly invalid: readonly TranscriptEntry[];
  /** The line that breaks the rule, counted from 1. */
  readonly line: number;
  /** Other rules that cannot but be broken as well, each in the order of their lines. */
  readonly also?: readonly string[];
  /** The feature that it shows; absent for examples of the base. */
  readonly feature?: string;
}

/** The documentation of one rule of the table in `templates/typescript/runtime/conformance`. */
export interface RuleDoc {
  readonly rule: string;
  /** The requirement, in a few words. */
  readonly title: string;
  /** The consequence of a violation; one or two sentences. */
  readonly rationale: string;
  /** The features without which it has no meaning. */
  readonly features?: readonly string[];
  /** The methods of the base without which it has no meaning. */
  readonly methods?: readonly string[];
  readonly examples: readonly Example[];
}
