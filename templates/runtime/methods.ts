import { isRecord } from "./messages.js";
import type { Check } from "./walk.js";

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

/** The checks of definitions, by name: what methods carry is decoded and validated by them. */
export type Checks = { readonly [definition: string]: Check };

/** What each side has said about itself in its initialize message, once it has. */
export interface Advertised {
  agent?: unknown;
  client?: unknown;
}

/**
 * Whether a gate that depends on a capability is open.
 *
 * @param params what the method is called with; without them, a gate with keys is open when any key is advertised
 * @returns the path of the capability that is missing, or nothing when the gate
 *   is open or does not depend on a capability
 */
export function missingCapability(
  gate: MethodGate | undefined,
  advertised: Advertised,
  params?: unknown,
): string | undefined {
  if (gate?.kind !== "capability" && gate?.kind !== "key") return undefined;
  // What a session shows at the moment is not followed here.
  if (gate.side === "session") return undefined;
  const value = gate.path.reduce(read, advertised[gate.side]);
  const path = gate.path.join(".");
  if (gate.kind === "capability") return isOpen(gate.test, value) ? undefined : path;
  const key = gate.key.split(".").slice(1).reduce(read, params);
  if (typeof key === "string") return isPresent(read(value, key)) ? undefined : `${path}.${key}`;
  const keys = Object.keys(isRecord(value) ? value : {});
  return keys.some((name) => name !== "_meta" && isPresent(read(value, name))) ? undefined : path;
}

function read(holder: unknown, name: string): unknown {
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function isOpen(test: "true" | "filled" | "present", value: unknown): boolean {
  if (test === "true") return value === true;
  return test === "filled" ? Array.isArray(value) && value.length > 0 : isPresent(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
