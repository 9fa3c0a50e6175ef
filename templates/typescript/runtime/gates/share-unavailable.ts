import type { MethodDescriptor } from "../methods.js";
import { missingCapability, type Advertised } from "./capability.js";
import { selectUnavailable, type Unavailable } from "./gates.js";

/** Clients differ in few capabilities, so that there are no more combinations in practice. */
const MOST_KEPT = 32;

/** What is unavailable, by the gates that are closed. */
const kept = new WeakMap<readonly MethodDescriptor[], Map<string, Unavailable>>();

/** The same as `selectUnavailable`, once for all connections whose sides have advertised the same. */
export function shareUnavailable(
  methods: readonly MethodDescriptor[],
  advertised: Advertised,
): Unavailable {
  const gates = methods.flatMap(({ gate, places = [] }) => [
    gate,
    ...places.map((place) => place.gate),
  ]);
  const key = gates.map((gate) => missingCapability(gate, advertised) ?? "").join();
  const known = kept.get(methods) ?? new Map<string, Unavailable>();
  kept.set(methods, known);
  const found = known.get(key) ?? selectUnavailable(methods, advertised);
  if (known.size >= MOST_KEPT) known.clear();
  known.set(key, found);
  return found;
}
