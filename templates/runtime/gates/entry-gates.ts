import { read } from "./capability.js";
import type { MethodGate } from "../methods.js";

/** A gate that asks for a matching entry of a list. */
export type EntryGate = Extract<MethodGate, { readonly kind: "entry" }>;

/** Whether a list has an entry like the params ask for; what is no list has none. */
export function hasEntry(gate: EntryGate, list: unknown, params: unknown): boolean {
  const asked = keyAsked(gate, params);
  if (asked === undefined || !Array.isArray(list)) return false;
  return list.some((entry: unknown) => keyOfEntry(gate, entry) === asked);
}

/** What identifies an entry for a gate; nothing for one that does not count. */
export function keyOfEntry(gate: EntryGate, entry: unknown): string | undefined {
  const isExcepted = Object.entries(gate.except).some(
    ([name, value]) => read(entry, name) === value,
  );
  return isExcepted ? undefined : keyOf(Object.keys(gate.entry).map((name) => read(entry, name)));
}

/** The same of the entry that the params ask for. */
export function keyAsked(gate: EntryGate, params: unknown): string | undefined {
  const paths = Object.values(gate.entry).map((path) => path.split(".").slice(1));
  return keyOf(paths.map((path) => path.reduce(read, params)));
}

function keyOf(values: readonly unknown[]): string | undefined {
  return values.every((value) => typeof value === "string") ? JSON.stringify(values) : undefined;
}
