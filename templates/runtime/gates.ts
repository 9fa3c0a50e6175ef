import {
  missingCapability,
  type Advertised,
  type GateStrength,
  type MethodDescriptor,
} from "./methods.js";

export class Gates {
  readonly #advertised: Advertised = {};
  constructor(_methods: readonly MethodDescriptor[]) {}
  advertise(side: "agent" | "client", message: unknown): void {
    this.#advertised[side] = message;
  }
  missing(method: MethodDescriptor, params?: unknown): string | undefined {
    return missingCapability(method.gate, this.#advertised, params);
  }
  findClosed(
    _method: MethodDescriptor,
    _part: "params" | "result",
    _value: unknown,
  ): { pointer: string; capability: string; strength: GateStrength } | undefined {
    return undefined;
  }
  learn(_method: MethodDescriptor, _params: unknown, _result?: unknown): void {}
}
