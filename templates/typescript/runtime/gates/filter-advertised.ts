import { findInitialize } from "../find-method.js";
import { missingCapability, read } from "./capability.js";
import type { GatedPlace, MethodDescriptor } from "../methods.js";

/**
 * Filters what an agent advertises to one client: removes list entries of its `initialize` result
 * that need a capability which the client did not advertise, such as login methods that need a
 * terminal. Nested lists are not filtered.
 *
 * @param advertised the agent's result; not modified
 * @param client the client's `initialize` params
 * @returns the same object when nothing is removed
 */
export function filterAdvertised<Advertised extends object>(
  advertised: Advertised,
  methods: readonly MethodDescriptor[],
  client: unknown,
): Advertised {
  const initialize = findInitialize(methods);
  const unavailable = (initialize?.places ?? []).filter(
    ({ part, gate }) =>
      part === "result" &&
      gate.side === "client" &&
      missingCapability(gate, { client }) !== undefined,
  );
  return unavailable.reduce<unknown>(
    (result, place) => withoutEntries(result, place, place.path),
    advertised,
  ) as Advertised;
}

function withoutEntries(value: unknown, place: GatedPlace, path: GatedPlace["path"]): unknown {
  const [step, ...rest] = path;
  if (typeof step === "string") {
    const inner = read(value, step);
    const kept = withoutEntries(inner, place, rest);
    return inner === kept ? value : { ...(value as object), [step]: kept };
  }
  const isEntries = step !== undefined && "each" in step && rest.length === 0;
  if (!isEntries || !Array.isArray(value)) return value;
  const kept = value.filter((entry: unknown) => !isNamed(entry, place));
  return kept.length === value.length ? value : kept;
}

function isNamed(entry: unknown, { tag, values = [] }: GatedPlace): boolean {
  const value = tag === undefined ? entry : read(entry, tag);
  return typeof value === "string" && values.includes(value);
}
