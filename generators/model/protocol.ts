import type { Area } from "../schema/compose/bundle.js";
import type {
  Json,
  JsonObject,
  JsonSchema,
  EntityScope,
  StateChanges,
} from "../schema/json-schema/json.js";
import type {
  FeatureStatus,
  MethodExample,
  MethodFacts,
  MethodKind,
  PublishedNames,
  MethodSide,
  Upstream,
} from "../schema/source/sources.js";
import type { Gate } from "./gate.js";
import type { Field, Shape } from "./shape.js";

export type { Area };

/**
 * A protocol as data: everything an emitter needs, in any language, without
 * knowledge of JSON Schema. Built from a bundle by `buildProtocol`.
 */
export interface Protocol {
  /** The protocol version, e.g. `v1`. */
  readonly version: string;
  /** The `protocolVersion` on the wire. */
  readonly versionNumber: number;
  /** The name it is generated under, e.g. `v1-unstable`: a folder, a subpath, a URL segment. */
  readonly profile: string;
  /** The options of the command that select it, e.g. `--profile v1-unstable`. */
  readonly flags: string;
  readonly title: string;
  readonly description: string;
  readonly upstream: Upstream;
  /** The features that are on, sorted by name. */
  readonly features: readonly Feature[];
  /** Domains, in reading order. */
  readonly areas: readonly Area[];
  /** Sorted by name. */
  readonly definitions: readonly Definition[];
  /** The published names of parts inside of definitions, by path. */
  readonly partNames: PublishedNames;
  /** The sent forms of the definitions that a sender's type opens for received values, by name. */
  readonly sent: ReadonlyMap<string, Definition>;
  /** The received forms of the definitions that a lenient receiver changes, by name. */
  readonly received: ReadonlyMap<string, Definition>;
  /** In the order of the envelope unions. */
  readonly methods: readonly Method[];
  /** The handshake of ACP; absent for other protocols, which have no roles then. */
  readonly initialize?: Initialize;
  /** The bundle as plain JSON Schema 2020-12, as published. */
  readonly schema: JsonSchema;
  /** The methods in upstream's `meta.json` format. */
  readonly meta: JsonObject;
}

export interface Feature {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly status: FeatureStatus;
  /** The features without which it is not on. */
  readonly requires: readonly string[];
  /** The URL of the proposal's discussion. */
  readonly proposal?: string;
}

/** One named type. */
export interface Definition {
  /** The name in the schema. */
  readonly name: string;
  /** The name in generated code. */
  readonly identifier: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly area: string;
  /** The feature that adds it; absent in the base. */
  readonly feature?: string;
  /** Plumbing: one of the JSON-RPC envelopes that are derived from the methods. */
  readonly envelope: boolean;
  /** The methods whose params or result it is. */
  readonly messages: readonly MessageRole[];
  readonly shape: Shape;
  /** What such a message changes in what its receiver knows, where the schema says so. */
  readonly state?: StateChanges;
  /** What such a message belongs to, where the schema says so. */
  readonly scope?: EntityScope;
  readonly examples: readonly Json[];
  /** The file that declares it, as problems name it; absent for derived definitions. */
  readonly file?: string;
}

/** The part a definition plays in a method. */
export interface MessageRole {
  readonly side: MethodSide;
  readonly kind: MethodKind;
  readonly method: string;
  readonly part: "params" | "result";
}

/** One method. Its key is (side, kind, name): one name can occur twice. */
export interface Method extends MethodFacts {
  /** The name on the wire. */
  readonly name: string;
  /** The side that handles it; `protocol` means both. */
  readonly side: MethodSide;
  readonly kind: MethodKind;
  /** The definition of its params. */
  readonly params: string;
  /** The definition of its result; requests only. */
  readonly result?: string;
  /** The required capability; absent when the source does not specify one. */
  readonly gate?: Gate;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly MethodExample[];
  readonly area: string;
  readonly feature?: string;
  /**
   * The path of its handler in generated interfaces: `["session", "setMode"]`.
   */
  readonly handler: readonly string[];
}

/** The request that opens a connection, in which both sides advertise their capabilities. */
export interface Initialize {
  readonly method: Method;
  /** The result, by which the agent introduces itself. */
  readonly agent: InitializeMessage;
  /** The params, by which the client introduces itself. */
  readonly client: InitializeMessage;
}

export interface InitializeMessage {
  readonly definition: Definition;
  /** The properties that the sender's author chooses: all but `protocolVersion` and `_meta`. */
  readonly options: readonly InitializeOption[];
  /** The property that holds the capabilities, e.g. `agentCapabilities`. */
  readonly capabilities?: string;
}

/** A property of an initialize message, under a name that both roles share. */
export interface InitializeOption {
  /** `agentInfo` and `clientInfo` are `info`; capabilities likewise. */
  readonly name: string;
  readonly field: Field;
  /** Always true of `info`, which the schema of v1 only recommends. */
  readonly required: boolean;
  readonly description: string;
}
