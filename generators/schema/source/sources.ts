import type { GateSource, Json, JsonObject, JsonSchema } from "../json-schema/json.js";
import type { Definitions } from "../json-schema/references.js";

/** The contents of `schema/`, read and checked against the dialect, but not yet composed. */
export interface Sources {
  /** The protocol versions by name, e.g. `v1`. */
  readonly protocols: ReadonlyMap<string, ProtocolSource>;
  /** The named profiles, in the order of the profiles file. */
  readonly profiles: ReadonlyMap<string, ProfileSource>;
}

/** A named selection: a protocol version and a set of its features. */
export interface ProfileSource {
  readonly name: string;
  readonly protocol: string;
  readonly title: string;
  readonly description: string;
  readonly features: readonly string[];
}

/** A protocol version: its base modules and the features one can add. */
export interface ProtocolSource {
  readonly file: string;
  readonly name: string;
  /** The `protocolVersion` on the wire. */
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly upstream: Upstream;
  /** The features that became part of the base, with the release since which they are; absent: none. */
  readonly promoted?: { readonly [feature: string]: string };
  /** The annotations that the published schema has; absent: none. */
  readonly publishes?: readonly string[];
  /** Absent: single messages only, and errors whose id may be null. */
  readonly envelopes?: EnvelopeOptions;
  /** The published names of parts inside of definitions, by path: `ContentBlock/text`. */
  readonly partNames?: PublishedNames;
  /** In the order of the methods in the envelope unions. */
  readonly modules: readonly ModuleSource[];
  readonly features: ReadonlyMap<string, FeatureSource>;
}

/** Names of parts by the path of each. */
export type PublishedNames = { readonly [path: string]: string };

/** The published release that a base follows. */
export interface Upstream {
  /** The crate that publishes it; the file of an imported schema. */
  readonly crate: string;
  readonly release: string;
  /** SHA-256 of the structure of the published schemas, or of the imported one, by file. */
  readonly digests: { readonly [path: string]: string };
}

/** The JSON-RPC forms of a protocol version, as far as they do not follow from its methods. */
export interface EnvelopeOptions {
  /** Whether messages may be sent in batches; default: no. */
  readonly batches?: boolean;
  /** Whether the id of an error may be null where that of a request may not; default: yes. */
  readonly nullErrorId?: boolean;
}

/** One base module: the methods and definitions of one domain. */
export interface ModuleSource {
  readonly file: string;
  /** The domain, from the file's name; modules of the same name form one area. */
  readonly area: string;
  readonly title: string;
  readonly description: string;
  readonly methods: readonly MethodSource[];
  readonly definitions: Definitions;
}

export type MethodSide = "agent" | "client" | "protocol" | "proxy";

/** Returns the side that a published definition names: `both` for a message that either side handles. */
export function publishedSide(sides: readonly MethodSide[]): MethodSide | "both" {
  return sides.includes("agent") && sides.includes("client") ? "both" : sides[0]!;
}

/** Returns whether a method, tag or value is a vendor's: the protocol reserves a leading `_` for them. */
export function isVendorName(name: string): boolean {
  return name.startsWith("_");
}

export type MethodKind = "request" | "notification";

/** What a method does, for the runtimes; `schema/dialect/keywords.schema.json` describes each value. */
export type MethodTrait =
  | "starts-turn"
  | "cancels-turn"
  | "updates-session"
  | "creates-session"
  | "forks-session"
  | "loads-session"
  | "resumes-session"
  | "lists-sessions"
  | "ends-session"
  | "accepts-closed-session"
  | "sets-mode"
  | "sets-config-option"
  | "sets-title"
  | "creates-terminal"
  | "releases-terminal"
  | "requests-permission"
  | "changes-authentication"
  | "suggests-edits"
  | "initializes-proxy"
  | "wraps-message";

/** What the schema says of a method's role in a conversation. */
export interface MethodFacts {
  readonly traits?: readonly MethodTrait[];
  /** The result of a request that ends with a cancelled turn. */
  readonly cancelledResult?: JsonObject;
  /** The members of the result that are implied where a received result lacks them. */
  readonly impliedResult?: JsonObject;
}

/** Returns the facts of a method of any form. */
export function methodFacts({ traits, cancelledResult, impliedResult }: MethodFacts): MethodFacts {
  return {
    ...(traits !== undefined && { traits }),
    ...(cancelledResult !== undefined && { cancelledResult }),
    ...(impliedResult !== undefined && { impliedResult }),
  };
}

/** A method as it is written in a module. */
export interface MethodSource extends MethodFacts {
  readonly name: string;
  readonly side: MethodSide;
  readonly kind: MethodKind;
  readonly params: string;
  readonly result?: string;
  readonly gate: GateSource;
  readonly summary: string;
  readonly description: string;
  readonly after?: readonly string[];
  readonly examples: readonly MethodExample[];
}

export interface MethodExample {
  readonly title: string;
  readonly params: Json;
  readonly result?: Json;
}

/** The status of a proposal, or `vendor` for what one product adds and nobody proposes. */
export type FeatureStatus = "unstable" | "frozen" | "proposed" | "vendor";

/** One overlay file. */
export interface FeatureSource {
  readonly file: string;
  readonly name: string;
  readonly protocol: string;
  readonly title: string;
  readonly description: string;
  readonly status: FeatureStatus;
  readonly proposal?: string;
  readonly requires: readonly string[];
  /** The feature's own definitions and those of the modules that it includes, each with its file. */
  readonly modules: readonly Pick<ModuleSource, "file" | "definitions">[];
  readonly methods: readonly MethodSource[];
  readonly add: Additions;
  /** Additions that apply only together with another feature, by that feature's name. */
  readonly with: { readonly [feature: string]: Additions };
}

/** Additions to existing definitions. */
export type Additions = {
  readonly [definition: string]: Pick<JsonSchema, "properties" | "oneOf" | "anyOf">;
};
