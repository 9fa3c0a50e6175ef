/** One thing that is wrong with a value. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) into the value. */
  readonly path: string;
  /** The keyword of JSON Schema that failed; `required`, `depth` or `undeclared` for what has none here. */
  readonly rule: string;
  readonly expected: string;
  /** A short rendering of what was there, for people on this side only. */
  readonly found: string;
}

/** Checks a value strictly and, when it fits, tells the compiler its type. */
export interface Validator<T> {
  (value: unknown): value is T;
  /** What was wrong in the last call, at most 16 mistakes; empty when nothing was. */
  readonly errors: readonly ValidationError[];
}

/** How a decode takes what the schema does not know, and how much it reports. */
export interface DecodeOptions {
  /**
   * Unknown tags and values of closed unions and enumerations: `keep` (default) takes them
   * as they are and notes them in `dropped`; `reject` refuses them as the schema does.
   */
  readonly unknown?: "keep" | "reject";
  /** How many errors are reported at most; 16 when absent. */
  readonly maxErrors?: number;
}

/** What a value decodes to: itself or its repaired form, or why it cannot be used. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T; readonly dropped: readonly Dropped[] }
  | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** Something that a decode has repaired, or kept without knowing it. */
export interface Dropped {
  /** JSON pointer (RFC 6901) into the input. */
  readonly path: string;
  readonly rule: DropRule;
  readonly reason: string;
}

/**
 * The decode flag that was applied, or: `unknown` for a tag or value that is
 * neither listed nor, where others are allowed, left to vendors by a leading
 * `_`; `unsafe-integer` for one that a number cannot hold exactly.
 */
export type DropRule =
  "default-on-error" | "default-on-null" | "skip-invalid-items" | "unknown" | "unsafe-integer";
