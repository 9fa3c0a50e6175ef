/*
 * The interface of Standard Schema, version 1 (https://standardschema.dev): libraries that take
 * it, take any schema of the protocol.
 */

/** A schema of any library. */
export interface StandardSchema<Input, Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => ForeignResult<Output> | Promise<ForeignResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A result of any library: its issues may have paths of segments, which have further properties. */
type ForeignResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** The property `~standard` of a schema of this package. */
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
