import {
  isPresent,
  missingCapability,
  pathNames,
  pathText,
  read,
  type Advertised,
} from "./capability.js";
import { didYouMean } from "../did-you-mean.js";
import { findInitialize } from "../find-method.js";
import { hasEntry } from "./entry-gates.js";
import type { CapabilityGate, MethodDescriptor } from "../methods.js";
import {
  unavailableFields,
  findUnavailable,
  type UnavailableField,
  type UnavailableFields,
} from "./gated-places.js";
import { SessionFacts } from "./session-facts.js";
import * as sentences from "../sentences.js";
import { isSessionGate } from "./session-keys.js";

/** The closed gates, as far as they depend only on what was advertised. */
export interface Unavailable {
  /** The capability that each unavailable method lacks. */
  readonly methods: ReadonlyMap<MethodDescriptor, string>;
  readonly params: ReadonlyMap<MethodDescriptor, UnavailableFields>;
  readonly result: ReadonlyMap<MethodDescriptor, UnavailableFields>;
}

/**
 * The gates of one connection: what both sides have advertised, the state of the sessions, and
 * which gates that opens. A side that has not advertised yet has no capabilities.
 *
 * Methods are compared by identity, so callers must pass the original descriptors. Messages may
 * hold anything: values of a wrong type count as absent, and only own properties are read.
 */
export class Gates {
  readonly #methods: readonly MethodDescriptor[];
  readonly #select: typeof selectUnavailable;
  readonly #advertised: Advertised = {};
  readonly #sessions: SessionFacts;
  /** Computed on first use after a side has advertised. */
  #unavailable: Unavailable | undefined;

  /** @param select finds the closed gates */
  constructor(
    methods: readonly MethodDescriptor[],
    select: typeof selectUnavailable = selectUnavailable,
  ) {
    this.#methods = methods;
    this.#select = select;
    this.#sessions = new SessionFacts(methods);
  }

  /**
   * Records the initialize message of a side: the params of the client, or the result of the
   * agent. The message must not be modified afterwards.
   */
  advertise(side: "agent" | "client", message: unknown): void {
    this.#advertised[side] = message;
    this.#unavailable = undefined;
  }

  /**
   * Checks whether a method may be used.
   *
   * @param params the params of the call; without them, a gate with keys is open when any key is
   *   advertised, and gates that depend on an entry or on the state of a session are open
   * @returns the path of the missing capability; undefined when the method may be used
   */
  missing(method: MethodDescriptor, params?: unknown): string | undefined {
    const { gate } = method;
    if (gate === undefined || gate.kind === "always") return undefined;
    if (params !== undefined) {
      if (isSessionGate(gate))
        return this.#sessions.isOpen(gate, params) ? undefined : pathText(gate.path);
      if (gate.kind === "key") return missingCapability(gate, this.#advertised, params);
      if (gate.kind === "entry" && gate.side !== "session") {
        const list = gate.path.reduce(read, this.#advertised[gate.side]);
        return hasEntry(gate, list, params) ? undefined : pathText(gate.path);
      }
    }
    return this.#findUnavailable().methods.get(method);
  }

  /**
   * Returns whether a side advertised a capability. That of a vendor, below `_meta`, may have any
   * value besides null and false.
   *
   * @param path the path in the initialize message
   * @throws TypeError when the side cannot advertise it
   */
  supports(path: string, side: "agent" | "client"): boolean {
    const all = findInitialize(this.#methods)?.capabilities ?? [];
    const own = all.filter((one) => one.side === side);
    const names = pathNames(path);
    const gate = own.find((one) => one.path.join() === names.join());
    if (gate !== undefined) return missingCapability(gate, this.#advertised) === undefined;
    if (names.includes("_meta")) {
      const value = names.reduce(read, this.#advertised[side]);
      return isPresent(value) && value !== false;
    }
    const known = own.map((one) => pathText(one.path));
    throw new TypeError(sentences.unknownCapability(path, side, didYouMean(path, known)));
  }

  /**
   * Returns the first field in a message that needs a capability which was not advertised, with
   * the strength of the rule; undefined when there is none. The caller decides what follows.
   */
  findMissingCapability(
    method: MethodDescriptor,
    part: "params" | "result",
    value: unknown,
  ): UnavailableField | undefined {
    const places = this.#findUnavailable()[part].get(method);
    return places === undefined ? undefined : findUnavailable(places, value);
  }

  /**
   * Records the facts about a session in a message of either side. Call it for every decoded
   * message: with the params when they arrive, and again with the result.
   */
  learn(method: MethodDescriptor, params: unknown, result?: unknown): void {
    this.#sessions.learn(method, params, result);
  }

  #findUnavailable(): Unavailable {
    return (this.#unavailable ??= this.#select(this.#methods, this.#advertised));
  }
}

/** Returns the gates that are closed by what was advertised. */
export function selectUnavailable(
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
