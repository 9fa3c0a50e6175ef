import type { GateSource, JsonSchema } from "../json-schema/json.js";
import type { FeatureSource, MethodSource, ProtocolSource } from "../source/sources.js";

/**
 * The composition of a protocol version and a set of features: the single JSON
 * Schema and the methods, with every fact that can be derived filled in.
 */
export interface Bundle {
  readonly protocol: Pick<
    ProtocolSource,
    "name" | "number" | "title" | "description" | "upstream" | "publishes" | "partNames"
  >;
  /** The features that are on, sorted by name. */
  readonly features: readonly FeatureSource[];
  /** The domains in the order of their modules. */
  readonly areas: readonly Area[];
  /** Every definition by name, envelopes included, in the order of the modules. */
  readonly definitions: ReadonlyMap<string, BundleDefinition>;
  /** In the order of the envelope unions. */
  readonly methods: readonly BundleMethod[];
  /** The schema of any message, without its definitions. */
  readonly root: JsonSchema;
  /** Of an imported schema, which was rewritten: returns the pointer of a place as it was written. */
  readonly toWritten?: (pointer: string) => string;
}

/** A domain of the protocol, for grouping. */
export interface Area {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The origin of an item. */
export interface Origin {
  /** The file that declares it; absent for derived definitions. */
  readonly file?: string;
  readonly area: string;
  /** The feature that adds it; absent in the base. */
  readonly feature?: string;
}

export interface BundleDefinition extends Origin {
  readonly name: string;
  readonly schema: JsonSchema;
}

export interface BundleMethod extends Omit<MethodSource, "gate">, Origin {
  /** The required capability; absent when an imported schema does not specify one. */
  readonly gate?: GateSource;
  /** JSON pointer of the method in its file. */
  readonly pointer: string;
}
