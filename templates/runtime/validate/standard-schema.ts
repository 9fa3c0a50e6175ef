/*
 * The interface of Standard Schema, version 1 (https://standardschema.dev): libraries that take
 * it, take any schema of the protocol.
 */

/** The property `~standard` of a schema. */
export interface StandardProperties<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** The types of the schema; never present at run time. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** The result of a validation. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One reason why a value is invalid. */
export interface StandardIssue {
  readonly message: string;
  /** The keys of the properties and items around the invalid value, from the outside in. */
  readonly path?: readonly PropertyKey[] | undefined;
}
