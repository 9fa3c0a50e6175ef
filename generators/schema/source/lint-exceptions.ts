/** A violation in the published protocol that cannot be changed any more. */
export interface LintException {
  /** The rule's id. */
  readonly rule: string;
  /** A method's name, or a definition's with the path inside it. */
  readonly subject: string;
  readonly reason: string;
}

/** The exceptions of a schema, and where they are listed. */
export interface LintExceptions {
  /** The file, as problems name it. */
  readonly file: string;
  readonly exceptions: readonly LintException[];
}
