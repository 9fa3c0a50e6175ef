/** Something in the published protocol that a rule objects to and that stays as it is. */
export interface LintException {
  /** The rule's id. */
  readonly rule: string;
  /** What it objects to: a method's name, or a definition's with the way inside. */
  readonly subject: string;
  readonly reason: string;
}

/** The exceptions of a schema, and where they are listed. */
export interface LintExceptions {
  /** The file, as problems name it. */
  readonly file: string;
  readonly exceptions: readonly LintException[];
}
