import type { SourceIndex } from "./source-index.js";

const SEVERITIES = ["error", "warning"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One violation of a rule: the problem, its location, and the remedy. */
export interface Diagnostic {
  readonly file: string;
  /** JSON pointer (RFC 6901) inside the file. */
  readonly pointer: string;
  /** The subject of the violation, as exceptions name it: `session/new`, `Plan.entries`. */
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
}

/** One convention of the schema's sources. */
export interface LintRule {
  readonly id: string;
  readonly severity: Severity;
  /** A description of the violations that it reports. */
  readonly finds: string;
  /** The reason for the rule. */
  readonly why: string;
  readonly check: (index: SourceIndex) => Iterable<Diagnostic>;
}
