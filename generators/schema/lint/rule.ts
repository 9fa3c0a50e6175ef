import type { Stated } from "./source-index.js";

export const SEVERITIES = ["error", "warning"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a rule objects to: what and where, and what to do about it. */
export interface Objection {
  readonly file: string;
  /** JSON pointer (RFC 6901) inside the file. */
  readonly pointer: string;
  /** The thing that is objected to, as exceptions name it: `session/new`, `Plan.entries`. */
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
}

/** One convention of the schema's sources. */
export interface LintRule {
  readonly id: string;
  readonly severity: Severity;
  /** What it finds. */
  readonly finds: string;
  /** Why that matters. */
  readonly why: string;
  readonly check: (stated: Stated) => Iterable<Objection>;
}
