/** One error of a value. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) into the value. */
  readonly path: string;
  /**
   * The keyword of JSON Schema that failed; `required`, `depth` or `undeclared` for rules without
   * a keyword.
   */
  readonly rule: string;
  readonly expected: string;
  /** A short rendering of the value, for logs on this side only. */
  readonly found: string;
}

/** Validates a value strictly and narrows its type. */
export interface Validator<T> {
  (value: unknown): value is T;
  /** The errors of the last call, at most 16; empty when the value was valid. */
  readonly errors: readonly ValidationError[];
}

/** Options of a decode: how unknown values are treated, and how many errors are reported. */
export interface DecodeOptions {
  /**
   * The treatment of unknown tags and values of closed unions and enumerations: `keep` (default)
   * accepts them and reports them in `dropped`; `reject` rejects them as the schema does.
   */
  readonly unknown?: "keep" | "reject";
  /** The maximum number of reported errors; 16 by default. */
  readonly maxErrors?: number;
}

/** The result of a decode: the value or its repaired form, or the errors. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T; readonly dropped: readonly Dropped[] }
  | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** A repair of a value, or an unknown value that was kept. */
export interface Dropped {
  /** JSON pointer (RFC 6901) into the input. */
  readonly path: string;
  readonly rule: DropRule;
  readonly reason: string;
}

/**
 * The decode flag that was applied, or: `unknown` for a tag or value that is neither listed nor,
 * where custom values are allowed, marked as custom by a leading `_`; `unsafe-integer` for an
 * integer that a number cannot represent exactly.
 */
export type DropRule =
  "default-on-error" | "default-on-null" | "skip-invalid-items" | "unknown" | "unsafe-integer";
