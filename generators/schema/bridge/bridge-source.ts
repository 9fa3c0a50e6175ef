import type { Json } from "../json-schema/json.js";

/** How version 1 and version 2 correspond, from `schema/bridge/` (dialect: `bridge.schema.json`). */
export interface BridgeSource {
  /** By the definition's name in version 1, or in version 2 where version 1 has none. */
  readonly definitions: ReadonlyMap<string, Placed<PairSource>>;
  /** By the method's name in version 1, or in version 2 where version 1 has none. */
  readonly methods: ReadonlyMap<string, Placed<MethodPairSource>>;
  /** Losses that depend on the state of a conversation, by id. */
  readonly states: ReadonlyMap<string, Placed<StateLossSource>>;
}

/** An entry and the file that declares it, as problems name it. */
export interface Placed<Entry> {
  readonly file: string;
  readonly entry: Entry;
}

/** The direction of a conversion, by the version of its result. */
export type ConversionDirection = "toV1" | "toV2";

/** The consequence for the receiver. */
export type LossKind = "approximate" | "dropped" | "rejected";

/** Two definitions that correspond, as far as they differ. */
export interface PairSource {
  /** The name in version 2 where it is another. */
  readonly v2?: string;
  /** The one direction in which the pair is used. */
  readonly only?: ConversionDirection;
  /** Version 2 has a union with this tag around the value of version 1. */
  readonly wrap?: { readonly tag: string; readonly value: string };
  readonly compute?: ComputeSource;
  /** The properties that the computation knows. */
  readonly covers?: { readonly v1?: readonly string[]; readonly v2?: readonly string[] };
  readonly properties?: { readonly [name: string]: PropertySource };
  readonly variants?: { readonly [tag: string]: VariantSource };
  readonly values?: { readonly [value: string]: ValueSource };
  readonly toV1?: readonly LossCase[];
  readonly toV2?: readonly LossCase[];
}

/** Names of functions of the runtime. */
export type ComputeSource = { readonly [Way in ConversionDirection]?: string };

export interface PropertySource extends DirectedCases {
  /** The name in version 2, or `object/name` for a property of another property. */
  readonly rename?: string;
  readonly wrap?: "marker";
  readonly compute?: ComputeSource;
  readonly state?: string;
}

export interface VariantSource extends DirectedCases {
  readonly rename?: string;
  readonly compute?: ComputeSource;
  readonly state?: string;
}

/** A value of an enumeration that only one version has. */
export type ValueSource = { readonly [Way in ConversionDirection]?: ReplacementSource };

export interface ReplacementSource {
  /** The value that is sent instead; absent when the value around it has to be given up. */
  readonly as?: string | number;
  readonly loss: LossKind | "none";
  readonly text: string;
}

export interface MethodPairSource extends DirectedCases {
  readonly rename?: string;
  readonly state?: string;
}

export interface StateLossSource {
  readonly direction: ConversionDirection;
  readonly loss: LossKind;
  readonly text: string;
}

/** The effect in each direction, by its reason. */
export interface DirectedCases {
  readonly toV1?: readonly LossCase[];
  readonly toV2?: readonly LossCase[];
}

export interface LossCase {
  /** `present`, `absent`, `null`, `limit`, `details`, `always`, or a reason of a computation. */
  readonly when: string;
  /** The value that is sent instead. */
  readonly set?: Json;
  /** The value for which nothing is lost. */
  readonly unless?: Json;
  readonly do?: "omit" | "clamp" | "reject";
  /** `none` when absent. */
  readonly loss?: LossKind | "none";
  readonly text?: string;
}
