import { Gates } from "../gates/gates.js";
import type { GatedPlace, GateStrength, MethodDescriptor } from "../methods.js";
import { otherSide, type Side } from "./transcript.js";
import type { Step } from "./step.js";

/** Something in a message that needs what was not advertised. */
export interface ClosedGate {
  /** The method, and for a place in its message the field that leads there. */
  readonly gate: string;
  readonly message: string;
  /** The JSON pointer to it. */
  readonly path: string;
  readonly strength: GateStrength;
}

/** One place of a method, as a method of its own, so that each place is looked at. */
interface OnePlace {
  readonly method: MethodDescriptor;
  readonly place: GatedPlace;
}

/** What is closed to one step. */
interface Closed {
  readonly step: Step;
  readonly method: ClosedGate | undefined;
  places?: readonly ClosedGate[];
}

/** The gates of a table of methods, as one conversation has opened them so far. */
export class NegotiatedGates {
  readonly #methods: readonly MethodDescriptor[];
  readonly #byName = new Map<string, readonly MethodDescriptor[]>();
  readonly #places = new Map<MethodDescriptor, readonly OnePlace[]>();
  readonly #gates: Gates;
  #last: Closed | undefined;

  constructor(methods: readonly MethodDescriptor[]) {
    this.#methods = methods;
    for (const method of methods) {
      this.#places.set(method, split(method));
      this.#byName.set(method.name, [...(this.#byName.get(method.name) ?? []), method]);
    }
    this.#gates = this.#create();
  }

  /** Takes in params and result of an accepted `initialize`. */
  greet(client: unknown, agent: unknown): void {
    advertise(this.#gates, client, agent);
  }

  /** Takes in what a message tells of its session. */
  learn(step: Step): void {
    const method = this.#find(step);
    const { kind, params, result } = step;
    if (method === undefined || kind === "error") return;
    if (kind === "result") this.#gates.learn(method, params, result ?? null);
    else this.#gates.learn(method, params);
  }

  /** Whether the table has a method of this name. */
  knows(name: string): boolean {
    return this.#byName.has(name);
  }

  /** What a request or notification lacks to be sent at all. */
  closedMethod(step: Step): ClosedGate | undefined {
    return this.#of(step).method;
  }

  /** The places in a message that lack what they need; at most one for each row of the table. */
  closedPlaces(step: Step): readonly ClosedGate[] {
    return (this.#of(step).places ??= this.#closedPlaces(step));
  }

  /** What is closed to a step; several rules ask for it one after the other. */
  #of(step: Step): Closed {
    if (this.#last?.step !== step) this.#last = { step, method: this.#closedMethod(step) };
    return this.#last;
  }

  #closedMethod(step: Step): ClosedGate | undefined {
    if (step.kind !== "request" && step.kind !== "notification") return undefined;
    const method = this.#find(step);
    const missing = method && this.#gates.missing(method, step.params ?? {});
    if (missing === undefined || method?.gate === undefined || method.gate.kind === "always")
      return undefined;
    const { side, strength } = method.gate;
    return {
      gate: method.name,
      message: `${method.name} needs ${missing}, which ${absent(side)}`,
      path: "/method",
      strength,
    };
  }

  #closedPlaces(step: Step): ClosedGate[] {
    const method = this.#find(step);
    const isResult = step.kind === "result";
    const isGreeting = isResult && /(^|\/)initialize$/.test(step.method);
    if (method === undefined || step.kind === "error") return [];
    const gates = isGreeting ? this.#create(step.params, step.result) : this.#gates;
    const part = isResult ? "result" : "params";
    const value = isResult ? step.result : step.params;
    // Nearly always nothing is closed, which one look at all places together tells.
    if (gates.findClosed(method, part, value) === undefined) return [];
    return this.#places.get(method)!.flatMap(({ method: one, place }) => {
      const closed = gates.findClosed(one, part, value);
      if (closed === undefined) return [];
      const { pointer, capability, strength } = closed;
      const [first = place.tag] = place.path;
      return {
        gate: `${method.name} ${String(first)}`,
        message: `this needs ${capability}, which ${absent(place.gate.side)}`,
        path: `/${part}${pointer}`,
        strength,
      };
    });
  }

  /** The method of a request or notification, or the one that a response answers. */
  #find({ kind, from, method, call }: Step): MethodDescriptor | undefined {
    const isSent = kind === "request" || kind === "notification";
    if (!isSent && call === undefined) return undefined;
    const handler: Side = isSent ? otherSide(from) : from;
    const asKind = isSent ? kind : "request";
    return this.#byName
      .get(method)
      ?.find(
        (one) =>
          one.kind === asKind &&
          (one.side === handler || one.side === "protocol" || one.side === "proxy"),
      );
  }

  #create(client?: unknown, agent?: unknown): Gates {
    const single = [...this.#places.values()].flat().map(({ method }) => method);
    const gates = new Gates([...this.#methods, ...single]);
    advertise(gates, client, agent);
    return gates;
  }
}

function advertise(gates: Gates, client: unknown, agent: unknown): void {
  gates.advertise("client", client);
  gates.advertise("agent", agent);
}

function split({ facts: _, gate: __, ...method }: MethodDescriptor): OnePlace[] {
  return (method.places ?? []).map((place) => ({ method: { ...method, places: [place] }, place }));
}

function absent(side: "agent" | "client" | "session"): string {
  return side === "session" ? "the session has not shown" : `the ${side} did not advertise`;
}
