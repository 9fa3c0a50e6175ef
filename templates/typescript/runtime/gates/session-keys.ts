import { isPresent, read } from "./capability.js";
import { keyOfEntry, type EntryGate } from "./entry-gates.js";
import type { MethodGate } from "../methods.js";

/** A gate that depends on the current state of a session. */
export type SessionGate = Extract<MethodGate, { readonly kind: "entry" | "capability" }> & {
  readonly side: "session";
};

export function isSessionGate(gate: MethodGate | undefined): gate is SessionGate {
  return (gate?.kind === "entry" || gate?.kind === "capability") && gate.side === "session";
}

/** The maximum number of remembered keys for one gate of one session. */
const MAX_KEYS = 1000;

/** The keys that open a gate in one session: ids of list entries, or of items that allow the call. */
export interface Keys {
  readonly open: Set<string>;
  /** Whether some keys were dropped, so that a missing key may be open as well. */
  isPartial: boolean;
}

/** The known keys of one session; a gate without keys is open. */
export type Session = Map<SessionGate, Keys>;

/** Replaces the keys of a gate by those of a list. A list that is too long makes the gate unknown. */
export function learnList(
  session: Session,
  gate: EntryGate & SessionGate,
  holder: unknown,
  part: "params" | "result",
): void {
  const list = gate.path.reduce(read, holder);
  if (Array.isArray(list)) {
    if (list.length > MAX_KEYS) return void session.delete(gate);
    session.set(gate, newKeys(list.flatMap((entry: unknown) => keyOfEntry(gate, entry) ?? [])));
  } else if (part === "result" && !isPresent(read(holder, gate.path[0]!)) && !session.has(gate)) {
    // A session that was opened without the list has no entries.
    session.set(gate, newKeys());
  }
}

/** Updates the key of one item: an absent property keeps it, null removes it, an object adds it. */
export function learnItem(keys: Keys, gate: SessionGate, holder: unknown, id: string): void {
  const [, property, ...rest] = gate.path;
  const key = idOf(holder, id);
  const reported = read(holder, property!);
  if (key === undefined || reported === undefined) return;
  keys.open.delete(key);
  if (!isPresent(rest.reduce(read, reported))) return;
  keys.open.add(key);
  if (forgetOldest(keys.open, MAX_KEYS)) keys.isPartial = true;
}

export function newKeys(open: Iterable<string> = []): Keys {
  return { open: new Set(open), isPartial: false };
}

export function idOf(holder: unknown, name: string): string | undefined {
  const id = read(holder, name);
  return typeof id === "string" ? id : undefined;
}

/** Drops the oldest key of a collection that exceeds its limit; maps and sets keep insertion order. */
export function forgetOldest(keyed: Map<string, unknown> | Set<string>, most: number): boolean {
  if (keyed.size <= most) return false;
  for (const oldest of keyed.keys()) return keyed.delete(oldest);
  return false;
}
