import { Gates } from "../gates/gates.js";
import type { GatedPlace, GateStrength, MethodDescriptor } from "../methods.js";
import { otherSide, type Side } from "./transcript.js";
import type { TranscriptStep } from "./step.js";

/** A use of something in a message that was not advertised. */
export interface ClosedGate {
  /** The method; for a field of its message, followed by the first segment of the field's path. */
  readonly gate: string;
  readonly message: string;
  /** JSON pointer to the use. */
  readonly path: string;
  readonly strength: GateStrength;
}

/** One gated field of a method, as a method of its own, so that each field is checked separately. */
interface SingleField {
  readonly method: MethodDescriptor;
  readonly place: GatedPlace;
}

/** The closed gates of one step. */
interface StepGates {
  readonly step: TranscriptStep;
  readonly method: ClosedGate | undefined;
  places?: readonly ClosedGate[];
}

/** The gates of a table of methods in the current state of one conversation. */
export class NegotiatedGates {
  readonly #methods: readonly MethodDescriptor[];
  readonly #byName = new Map<string, readonly MethodDescriptor[]>();
  readonly #places = new Map<MethodDescriptor, readonly SingleField[]>();
  readonly #gates: Gates;
  #last: StepGates | undefined;

  constructor(methods: readonly MethodDescriptor[]) {
    this.#methods = methods;
    for (const method of methods) {
      this.#places.set(method, split(method));
      this.#byName.set(method.name, [...(this.#byName.get(method.name) ?? []), method]);
    }
    this.#gates = this.#create();
  }

  /** Records params and result of an accepted `initialize`. */
  initialize(client: unknown, agent: unknown): void {
    advertise(this.#gates, client, agent);
  }

  /** Records the facts about a session in a message. */
  learn(step: TranscriptStep): void {
    const method = this.#find(step);
    const { kind, params, result } = step;
    if (method === undefined || kind === "error") return;
    if (kind === "result") this.#gates.learn(method, params, result ?? null);
    else this.#gates.learn(method, params);
  }

  /** Returns whether the table has a method of this name. */
  knows(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns the closed gate of the method of a request or notification. */
  closedMethod(step: TranscriptStep): ClosedGate | undefined {
    return this.#of(step).method;
  }

  /** Returns the closed gates of fields in a message, at most one for each row of the table. */
  closedPlaces(step: TranscriptStep): readonly ClosedGate[] {
    return (this.#of(step).places ??= this.#closedPlaces(step));
  }

  /** Returns the closed gates of a step, cached for the rules that are checked one after the other. */
  #of(step: TranscriptStep): StepGates {
    if (this.#last?.step !== step) this.#last = { step, method: this.#closedMethod(step) };
    return this.#last;
  }

  #closedMethod(step: TranscriptStep): ClosedGate | undefined {
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

  #closedPlaces(step: TranscriptStep): ClosedGate[] {
    const method = this.#find(step);
    const isResult = step.kind === "result";
    const isInitialize = isResult && /(^|\/)initialize$/.test(step.method);
    if (method === undefined || step.kind === "error") return [];
    const gates = isInitialize ? this.#create(step.params, step.result) : this.#gates;
    const part = isResult ? "result" : "params";
    const value = isResult ? step.result : step.params;
    // One check of all fields at once, which nearly always finds no closed gate.
    if (gates.findMissingCapability(method, part, value) === undefined) return [];
    return this.#places.get(method)!.flatMap(({ method: one, place }) => {
      const closed = gates.findMissingCapability(one, part, value);
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

  /** Returns the method of a request or notification, or the one that a response answers. */
  #find({ kind, from, method, call }: TranscriptStep): MethodDescriptor | undefined {
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

function split({ facts: _, gate: __, ...method }: MethodDescriptor): SingleField[] {
  return (method.places ?? []).map((place) => ({ method: { ...method, places: [place] }, place }));
}

function absent(side: "agent" | "client" | "session"): string {
  return side === "session" ? "the session has not advertised" : `the ${side} did not advertise`;
}
