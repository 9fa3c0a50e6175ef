import { isPresent, read } from "./capability.js";
import { keyOfEntry, type EntryGate } from "./entry-gates.js";
import type { MethodGate } from "../methods.js";

/** A gate that depends on what a session shows at the moment. */
export type SessionGate = Extract<MethodGate, { readonly kind: "entry" | "capability" }> & {
  readonly side: "session";
};

export function isSessionGate(gate: MethodGate | undefined): gate is SessionGate {
  return (gate?.kind === "entry" || gate?.kind === "capability") && gate.side === "session";
}

/** How many keys are remembered for one gate of one session. */
const MOST_KEYS = 1000;

/** What opens one gate in one session: ids of entries of its list, or of things that allow it. */
export interface Keys {
  readonly open: Set<string>;
  /** Whether some were forgotten, so that a key which is not here may be open all the same. */
  isPartial: boolean;
}

/** What is known of one session; a gate that is not here is open. */
export type Session = Map<SessionGate, Keys>;

/** A list says everything anew; one that is too long to remember leaves it unknown. */
export function learnList(
  session: Session,
  gate: EntryGate & SessionGate,
  teller: unknown,
  part: "params" | "result",
): void {
  const list = gate.path.reduce(read, teller);
  if (Array.isArray(list)) {
    if (list.length > MOST_KEYS) return void session.delete(gate);
    session.set(gate, newKeys(list.flatMap((entry: unknown) => keyOfEntry(gate, entry) ?? [])));
  } else if (part === "result" && !isPresent(read(teller, gate.path[0]!)) && !session.has(gate)) {
    // A session that is opened without the list has none.
    session.set(gate, newKeys());
  }
}

/** In an update, what is absent stays, null takes it away and an object takes its place. */
export function learnThing(keys: Keys, gate: SessionGate, teller: unknown, id: string): void {
  const [, property, ...rest] = gate.path;
  const key = idOf(teller, id);
  const reported = read(teller, property!);
  if (key === undefined || reported === undefined) return;
  keys.open.delete(key);
  if (!isPresent(rest.reduce(read, reported))) return;
  keys.open.add(key);
  if (forgetOldest(keys.open, MOST_KEYS)) keys.isPartial = true;
}

export function newKeys(open: Iterable<string> = []): Keys {
  return { open: new Set(open), isPartial: false };
}

export function idOf(holder: unknown, name: string): string | undefined {
  const id = read(holder, name);
  return typeof id === "string" ? id : undefined;
}

/** Maps and sets keep their keys in the order in which they came. */
export function forgetOldest(keyed: Map<string, unknown> | Set<string>, most: number): boolean {
  if (keyed.size <= most) return false;
  for (const oldest of keyed.keys()) return keyed.delete(oldest);
  return false;
}
