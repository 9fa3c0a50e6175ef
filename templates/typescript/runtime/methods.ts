import type { Check } from "./validate/check.js";

/** One method of the protocol, as data. Its key is (side, kind, name). */
export interface MethodDescriptor {
  /** The name on the wire. */
  readonly name: string;
  /** The side that handles it; `protocol` means both sides. */
  readonly side: "agent" | "client" | "protocol" | "proxy";
  readonly kind: "request" | "notification";
  /** Name of the definition of its params. */
  readonly params: string;
  /** Name of the definition of its result; requests only. */
  readonly result?: string;
  /** The path of its handler among the handlers, and of its function in the peer. */
  readonly handler: readonly string[];
  /** The condition for its use; absent when it is unknown. */
  readonly gate?: MethodGate;
  /**
   * The value that advertises the gate's capability when a handler is given; absent when the value
   * does not follow from the handler.
   */
  readonly advertise?: true | { readonly [name: string]: never };
  /**
   * The property of its params that holds a tagged union, and the union's tag: handlers can then
   * be given by variant.
   */
  readonly variants?: { readonly field: string; readonly tag: string };
  /** What both sides can advertise in its messages; only `initialize` has it. */
  readonly capabilities?: readonly CapabilityGate[];
  /** Fields in its messages that need a capability; absent when there are none. */
  readonly places?: readonly GatedPlace[];
  /** Facts about a session in its messages; absent when no gate depends on them. */
  readonly facts?: readonly SessionFact[];
  /** What the method does; absent for methods that only their handlers give a meaning. */
  readonly traits?: readonly MethodTrait[];
  /**
   * The result of a request that ends with a cancelled turn; absent for a request that then fails
   * with the error "request cancelled".
   */
  readonly cancelledResult?: object;
  /** The members of the result that are implied where a received result lacks them. */
  readonly impliedResult?: object;
  /** The feature that adds the method; absent for methods of the base. */
  readonly feature?: string;
}

/** What a method does. The runtime finds methods by their traits, and only `initialize` by its name. */
export type MethodTrait =
  /** It starts the work of a session. */
  | "starts-turn"
  /** It ends the work of the session that its params name. */
  | "cancels-turn"
  /** It carries the updates of a session. */
  | "updates-session"
  /** Its result names a new session. */
  | "creates-session"
  /** Its result names a new session that begins with the history of another one. */
  | "forks-session"
  /** It opens a session again and replays its history. */
  | "loads-session"
  /** It opens a session again. */
  | "resumes-session"
  /** Its result has a page of the sessions. */
  | "lists-sessions"
  /** The session is not open after its result. */
  | "ends-session"
  /** The session that its params name need not be open. */
  | "accepts-closed-session"
  /** It changes the mode of a session. */
  | "sets-mode"
  /** Its result has the configuration options of a session. */
  | "sets-config-option"
  /** Its result has the title of a session. */
  | "sets-title"
  /** Its result names a terminal that has to be released. */
  | "creates-terminal"
  /** It releases a terminal. */
  | "releases-terminal"
  /** It asks the user for permission; its cancelled result is also the result after `$/cancel_request`. */
  | "requests-permission"
  /** It logs in or out, so it does not wait for a login. */
  | "changes-authentication"
  /** Its params are reduced to the context that the agent advertises. */
  | "suggests-edits"
  /** It is `initialize` for a proxy that a conductor routes messages to. */
  | "initializes-proxy"
  /** Its params contain a message that a conductor routes. */
  | "wraps-message";

/** The descriptor of a known method, with its names as literal types. */
export interface MethodOf<
  Name extends string,
  Side extends MethodDescriptor["side"],
  Kind extends MethodDescriptor["kind"],
  Params extends string,
  Result extends string = never,
> extends MethodDescriptor {
  readonly name: Name;
  readonly side: Side;
  readonly kind: Kind;
  readonly params: Params;
  /** Requests only. */
  readonly result?: Result;
}

/** A condition, negotiated in the handshake, for the use of a method. */
export type MethodGate =
  | { readonly kind: "always"; readonly reason: "baseline" | "optional" | "ungated" }
  | {
      readonly kind: "capability";
      /**
       * The side that advertises the capability in its initialize message; `session` for the
       * current state of the session.
       */
      readonly side: "agent" | "client" | "session";
      readonly path: readonly string[];
      /** Whether the value must be `true`, a list with entries, or only present and not null. */
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
      /** The path in the params to the name of the required key, e.g. `params.mode`. */
      readonly key: string;
      readonly strength: GateStrength;
    };

export type GateStrength = "must" | "should" | "implicit";

/** A gate that depends on a capability of the agent or the client. */
export type CapabilityGate = Extract<MethodGate, { readonly kind: "capability" }> & {
  readonly side: "agent" | "client";
};

/**
 * One step of a path into a message: the name of a property, every item of a list or every value
 * of a map, or a condition on a tag, which must have one of these values (`not`: none of them).
 */
export type PlaceStep =
  | string
  | { readonly each: "item" | "value" }
  | { readonly tag: string; readonly values: readonly string[]; readonly not?: true };

/** A field of a message that may only be used after a capability was advertised. */
export interface GatedPlace {
  readonly part: "params" | "result";
  readonly path: readonly PlaceStep[];
  /**
   * The property, of the object at the path, whose value is gated; absent when the value at the
   * path itself is gated.
   */
  readonly tag?: string;
  /** The gated values; absent when every value except null and an empty list is gated. */
  readonly values?: readonly string[];
  readonly gate: CapabilityGate;
}

/** A fact about a session in a message, for the gates that depend on it. */
export interface SessionFact {
  readonly part: "params" | "result";
  /** The path to the object that contains the fact. */
  readonly path: readonly PlaceStep[];
  /** The name of the fact: the first segment of the gates' paths. */
  readonly fact: string;
  /**
   * The property that identifies the item of the session that the fact is about; absent for the
   * session itself.
   */
  readonly id?: string;
}

/** The checks of definitions, by name, which decode and validate messages. */
export type Checks = { readonly [definition: string]: Check };
