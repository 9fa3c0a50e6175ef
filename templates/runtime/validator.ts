/** Checks a value strictly and, when it fits, tells the compiler its type. */
export interface Validator<T> {
  (value: unknown): value is T;
  /** What was wrong in the last call; null or absent when nothing was. */
  errors?: readonly ValidationError[] | null;
}

/** One thing that is wrong with a value. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) of the place in the value. */
  readonly instancePath: string;
  /** The keyword that failed, as a URI reference into the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message?: string;
}
