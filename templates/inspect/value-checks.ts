import type { Decoded } from "../runtime/validate/decode-result.js";

/** The decoders of a profile, by definition. */
export interface ValueChecks {
  /** The tags and enumeration values of all definitions; without them, no misspelling is found. */
  readonly names?: readonly string[];
  /** Decodes a value as a definition; undefined for one that the profile does not have. */
  readonly decode: (definition: string, value: unknown) => Decoded<unknown> | undefined;
}
