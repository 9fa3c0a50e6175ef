import type { MethodDescriptor, MethodTrait } from "./methods.js";

/** The only method that the runtime knows by its name: it comes before everything else. */
export const INITIALIZE = "initialize";

/** Returns the method `initialize`; undefined for a protocol without one. */
export function findInitialize(methods: readonly MethodDescriptor[]): MethodDescriptor | undefined {
  return methods.find(({ name, side }) => name === INITIALIZE && side === "agent");
}

/** Returns whether a method has a trait. */
export function hasTrait(
  { traits }: Pick<MethodDescriptor, "traits">,
  trait: MethodTrait,
): boolean {
  return traits !== undefined && traits.includes(trait);
}

/** Returns whether a method has one of several traits. */
export function hasAnyTrait(
  { traits }: Pick<MethodDescriptor, "traits">,
  any: readonly MethodTrait[],
): boolean {
  return traits !== undefined && traits.some((trait) => any.includes(trait));
}

/** The traits of methods that open a session again. */
export const REOPENING: readonly MethodTrait[] = ["loads-session", "resumes-session"];

/** Returns the first method of a kind with a trait; undefined when there is none. */
export function findMethod(
  methods: readonly MethodDescriptor[],
  trait: MethodTrait,
  kind: MethodDescriptor["kind"] = "request",
): MethodDescriptor | undefined {
  return methods.find((method) => method.kind === kind && hasTrait(method, trait));
}
