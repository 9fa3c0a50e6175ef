/** The versions and digests that a generated binding was made from. */
export interface ProtocolFacts {
  /** The `protocolVersion` on the wire. */
  readonly version: number;
  /** The name of the profile, e.g. `v1`. */
  readonly profile: string;
  /** The names of the enabled features. */
  readonly features: readonly string[];
  /** The published release that the schema follows, e.g. `1.20.0`. */
  readonly release: string;
  /** The package that the release is of. */
  readonly source: string;
  /** SHA-256 of the structure of its schemas, by the name of the file. */
  readonly digests: { readonly [file: string]: string };
  /** SHA-256 of the composed schema, as canonical JSON. */
  readonly digest: string;
  /** The version of acp-codegen that generated the binding. */
  readonly generator: string;
}
