/** One reason why a value is invalid. */
export interface Issue {
  /** JSON pointer (RFC 6901) into the value. */
  readonly pointer: string;
  /**
   * The keyword of JSON Schema that failed; `required`, `depth` or `undeclared` for rules without
   * a keyword.
   */
  readonly rule: string;
  readonly expected: string;
  /** A short rendering of the value, for logs on this side only. */
  readonly found: string;
}

/** Options of a decode: how unknown values are treated, and how many issues are reported. */
export interface DecodeOptions {
  /**
   * The treatment of unknown tags and values of closed unions and enumerations: `keep` (default)
   * accepts them and reports them in `notes`; `reject` rejects them as the schema does.
   */
  readonly unknown?: "keep" | "reject";
  /** The maximum number of reported issues; 16 by default. */
  readonly maxIssues?: number;
}

/** The result of a decode: the value or its repaired form with notes, or the issues. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly Note[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A repair of a value, or an unknown value that was kept. */
export interface Note {
  /** `repaired` when a decode flag changed the value, `kept` when it is in the result unchanged. */
  readonly kind: "repaired" | "kept";
  /** JSON pointer (RFC 6901) into the input. */
  readonly pointer: string;
  readonly rule: NoteRule;
  readonly reason: string;
}

/**
 * The decode flag that was applied, or: `unknown` for a tag or value that is neither listed nor,
 * where custom values are allowed, marked as custom by a leading `_`; `unsafe-integer` for an
 * integer that a number cannot represent exactly; `empty-result` for an empty result of a request
 * that stands for a successful one.
 */
export type NoteRule =
  | "default-on-error"
  | "default-on-null"
  | "skip-invalid-items"
  | "unknown"
  | "unsafe-integer"
  | "empty-result";
