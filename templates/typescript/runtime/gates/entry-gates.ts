import { read } from "./capability.js";
import type { MethodGate } from "../methods.js";

/** A gate that requires a matching entry in a list. */
export type EntryGate = Extract<MethodGate, { readonly kind: "entry" }>;

/** Returns whether a list has the entry that the params refer to; false for values that are not lists. */
export function hasEntry(gate: EntryGate, list: unknown, params: unknown): boolean {
  const key = keyOfParams(gate, params);
  if (key === undefined || !Array.isArray(list)) return false;
  return list.some((entry: unknown) => keyOfEntry(gate, entry) === key);
}

/**
 * Returns the entry that the params refer to although the gate excludes it; undefined when there
 * is none.
 *
 * @param advertised the message that has the list
 */
export function findExcluded(gate: EntryGate, advertised: unknown, params: unknown): unknown {
  const list = gate.path.reduce(read, advertised);
  const key = keyOfParams(gate, params);
  if (key === undefined || !Array.isArray(list)) return undefined;
  return list.find((entry: unknown) => isExcluded(gate, entry) && ownKey(gate, entry) === key);
}

/** Returns the key of an entry for a gate; undefined for an entry that the gate excludes. */
export function keyOfEntry(gate: EntryGate, entry: unknown): string | undefined {
  return isExcluded(gate, entry) ? undefined : ownKey(gate, entry);
}

function isExcluded({ except }: EntryGate, entry: unknown): boolean {
  return Object.entries(except).some(([name, value]) => read(entry, name) === value);
}

function ownKey(gate: EntryGate, entry: unknown): string | undefined {
  return keyOf(Object.keys(gate.entry).map((name) => read(entry, name)));
}

/** Returns the key of the entry that the params refer to. */
export function keyOfParams(gate: EntryGate, params: unknown): string | undefined {
  const paths = Object.values(gate.entry).map((path) => path.split(".").slice(1));
  return keyOf(paths.map((path) => path.reduce(read, params)));
}

function keyOf(values: readonly unknown[]): string | undefined {
  return values.every((value) => typeof value === "string") ? JSON.stringify(values) : undefined;
}
