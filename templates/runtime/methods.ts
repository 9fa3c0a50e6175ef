import type { Check } from "./validate/diagnosis.js";

/** One method of the protocol, as data. Its key is (side, kind, name). */
export interface MethodDescriptor {
  /** The name on the wire. */
  readonly name: string;
  /** Who handles it; `protocol` means both sides. */
  readonly side: "agent" | "client" | "protocol" | "proxy";
  readonly kind: "request" | "notification";
  /** Name of the definition of its params. */
  readonly params: string;
  /** Name of the definition of its result; requests only. */
  readonly result?: string;
  /** Where its handler stands among the handlers, and its function in the peer. */
  readonly handler: readonly string[];
  /** What must have been negotiated; absent when that is not known. */
  readonly gate?: MethodGate;
  /** Where its params hold a tagged union: handlers may be given by variant then. */
  readonly variants?: { readonly field: string; readonly tag: string };
  /** Places in its messages that need a capability; absent where there are none. */
  readonly places?: readonly GatedPlace[];
  /** What its messages tell about a session; absent where no gate asks for it. */
  readonly facts?: readonly SessionFact[];
  /** The feature that adds it; absent in the base. */
  readonly feature?: string;
}

/** What must have been negotiated before a method may be used. */
export type MethodGate =
  | { readonly kind: "always"; readonly reason: "baseline" | "optional" | "ungated" }
  | {
      readonly kind: "capability";
      /** Who advertises the capability in its initialize message; `session`: the session's live state. */
      readonly side: "agent" | "client" | "session";
      readonly path: readonly string[];
      /** Whether it must be `true`, a list with entries, or just present and not null. */
      readonly test: "true" | "filled" | "present";
      readonly strength: GateStrength;
    }
  | {
      readonly kind: "entry";
      readonly side: "agent" | "client" | "session";
      readonly path: readonly string[];
      readonly entry: { readonly [property: string]: string };
      readonly except: { readonly [property: string]: string };
      readonly strength: GateStrength;
    }
  | {
      readonly kind: "key";
      readonly side: "agent" | "client";
      readonly path: readonly string[];
      /** Where the params name the key that must be present, e.g. `params.mode`. */
      readonly key: string;
      readonly strength: GateStrength;
    };

export type GateStrength = "must" | "should" | "implicit";

/** A gate that asks for a capability of one of the two sides. */
export type CapabilityGate = Extract<MethodGate, { readonly kind: "capability" }> & {
  readonly side: "agent" | "client";
};

/**
 * One step towards a place in a message: the name of a property, every item of a list or
 * value of a map, or only on if the tag has one of these values (`not`: none of them).
 */
export type PlaceStep =
  | string
  | { readonly each: "item" | "value" }
  | { readonly tag: string; readonly values: readonly string[]; readonly not?: true };

/** A place in a message that may only be used after a capability was advertised. */
export interface GatedPlace {
  readonly part: "params" | "result";
  readonly path: readonly PlaceStep[];
  /** The property of the object at the path that is looked at; absent for the value there itself. */
  readonly tag?: string;
  /** The values that are gated; absent where anything but null and an empty list is. */
  readonly values?: readonly string[];
  readonly gate: CapabilityGate;
}

/** What a message tells about its session, for the gates that depend on it. */
export interface SessionFact {
  readonly part: "params" | "result";
  /** Leads to the object that tells it. */
  readonly path: readonly PlaceStep[];
  /** What it tells: the first segment of the gates' paths. */
  readonly fact: string;
  /** The property that says which thing in the session it is about; absent for the session itself. */
  readonly id?: string;
}

/** The checks of definitions, by name: what methods carry is decoded and validated by them. */
export type Checks = { readonly [definition: string]: Check };
