import type { Validator } from "./validator.js";

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
  /** The feature that adds it; absent in the base. */
  readonly feature?: string;
}

/** What must have been negotiated before a method may be used. */
export type MethodGate =
  | { readonly kind: "always"; readonly reason: "baseline" | "optional" | "ungated" }
  | {
      readonly kind: "capability";
      /** Who advertises the capability, in its initialize message. */
      readonly side: "agent" | "client";
      readonly path: readonly string[];
      /** Whether it must be `true`, or just present and not null. */
      readonly test: "true" | "present";
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
      readonly key: string;
      readonly strength: GateStrength;
    };

export type GateStrength = "must" | "should" | "implicit";

/** Validators by the name of the definition they check. */
export type Validators = { readonly [definition: string]: Validator<unknown> };

/** What each side has said about itself in its initialize message, once it has. */
export interface Advertised {
  agent?: unknown;
  client?: unknown;
}

/**
 * Whether a capability gate is open.
 *
 * @returns the path of the capability that is missing, or nothing when the gate
 *   is open or does not depend on a capability
 */
export function missingCapability(
  gate: MethodGate | undefined,
  advertised: Advertised,
): string | undefined {
  if (gate?.kind !== "capability") return undefined;
  let value: unknown = advertised[gate.side];
  for (const name of gate.path) {
    const holder = typeof value === "object" && value !== null ? value : {};
    value = Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined;
  }
  const open = gate.test === "true" ? value === true : value !== undefined && value !== null;
  return open ? undefined : gate.path.join(".");
}
