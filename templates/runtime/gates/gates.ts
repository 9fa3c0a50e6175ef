import { missingCapability, read, type Advertised } from "./capability.js";
import { hasEntry } from "./entry-gates.js";
import type { CapabilityGate, MethodDescriptor } from "../methods.js";
import {
  unavailableFields,
  findUnavailable,
  type UnavailableField,
  type UnavailableFields,
} from "./gated-paths.js";
import { SessionFacts } from "./session-facts.js";
import { isSessionGate } from "./session-keys.js";

/** What is closed, as far as it depends on nothing but what was advertised. */
interface Unavailable {
  /** The capability that a method lacks. */
  readonly methods: ReadonlyMap<MethodDescriptor, string>;
  readonly params: ReadonlyMap<MethodDescriptor, UnavailableFields>;
  readonly result: ReadonlyMap<MethodDescriptor, UnavailableFields>;
}

/**
 * What both sides have advertised on one connection, what its sessions have shown, and
 * which gates that opens. A side that has not advertised has no capability.
 *
 * Methods are the descriptors themselves, not copies of them. Messages may hold anything:
 * values of a wrong type count as absent, and only own properties are read.
 */
export class Gates {
  readonly #methods: readonly MethodDescriptor[];
  readonly #advertised: Advertised = {};
  readonly #sessions: SessionFacts;
  /** Worked out when it is first asked for after a side has advertised. */
  #unavailable: Unavailable | undefined;

  constructor(methods: readonly MethodDescriptor[]) {
    this.#methods = methods;
    this.#sessions = new SessionFacts(methods);
  }

  /**
   * Takes in what a side says of itself: the client in the params of `initialize`, the
   * agent in the result. The message must not be changed afterwards.
   */
  advertise(side: "agent" | "client", message: unknown): void {
    this.#advertised[side] = message;
    this.#unavailable = undefined;
  }

  /**
   * Whether a method may be used.
   *
   * @param params what it is called with; without them only what does not depend on them
   *   counts: a gate with keys is open when any key is advertised, gates that ask for an
   *   entry or for the state of a session are open
   * @returns the path of what is missing, or nothing when the method may be used
   */
  missing(method: MethodDescriptor, params?: unknown): string | undefined {
    const { gate } = method;
    if (gate === undefined || gate.kind === "always") return undefined;
    if (params !== undefined) {
      if (isSessionGate(gate))
        return this.#sessions.isOpen(gate, params) ? undefined : gate.path.join(".");
      if (gate.kind === "key") return missingCapability(gate, this.#advertised, params);
      if (gate.kind === "entry" && gate.side !== "session") {
        const list = gate.path.reduce(read, this.#advertised[gate.side]);
        return hasEntry(gate, list, params) ? undefined : gate.path.join(".");
      }
    }
    return this.#findUnavailable().methods.get(method);
  }

  /**
   * The first place in a message that needs a capability which was not advertised. How
   * strongly the protocol forbids it is said with it; what follows is the caller's decision.
   */
  findClosed(
    method: MethodDescriptor,
    part: "params" | "result",
    value: unknown,
  ): UnavailableField | undefined {
    const places = this.#findUnavailable()[part].get(method);
    return places === undefined ? undefined : findUnavailable(places, value);
  }

  /**
   * Takes in what a message tells about its session, whichever side sent it. To be called
   * for every decoded message: with the params when they come, and again with the result.
   */
  learn(method: MethodDescriptor, params: unknown, result?: unknown): void {
    this.#sessions.learn(method, params, result);
  }

  #findUnavailable(): Unavailable {
    return (this.#unavailable ??= findUnavailableGates(this.#methods, this.#advertised));
  }
}

function findUnavailableGates(
  methods: readonly MethodDescriptor[],
  advertised: Advertised,
): Unavailable {
  const unavailable = { methods: new Map(), params: new Map(), result: new Map() };
  const isUnavailable = (gate: CapabilityGate): boolean =>
    missingCapability(gate, advertised) !== undefined;
  for (const method of methods) {
    const missing = missingCapability(method.gate, advertised);
    if (missing !== undefined) unavailable.methods.set(method, missing);
    for (const part of ["params", "result"] as const) {
      const ofPart = (method.places ?? []).filter((place) => place.part === part);
      const places = unavailableFields(ofPart, isUnavailable);
      if (places !== undefined) unavailable[part].set(method, places);
    }
  }
  return unavailable;
}
