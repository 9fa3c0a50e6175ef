import type { Decoded } from "../../typescript/runtime/validate/decode-result.js";
import type { Undeclared } from "./undeclared.js";

/** The decoders of a profile, by definition. */
export interface ValueChecks {
  /** The tags and enumeration values of all definitions; without them, no misspelling is found. */
  readonly names?: readonly string[];
  /** Finds the undeclared properties of a value; without it, none is reported. */
  readonly undeclared?: (definition: string, value: unknown) => readonly Undeclared[];
  /** Decodes a value as a definition; undefined for one that the profile does not have. */
  readonly decode: (definition: string, value: unknown) => Decoded<unknown> | undefined;
}
