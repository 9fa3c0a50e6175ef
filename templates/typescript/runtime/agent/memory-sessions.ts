import { keyValueSessions } from "./key-value-sessions.js";
import type { SessionBackend } from "./session-backend.js";

interface Value {
  readonly value: string;
  readonly revision: string;
}

/** Returns a backend that keeps sessions in the memory of this process, for several stores. */
export function memorySessions(): SessionBackend {
  const owners = new Map<string, Map<string, Value>>();
  const valuesOf = (owner: string): Map<string, Value> => owners.get(owner) ?? new Map();
  return keyValueSessions({
    get: async (owner, name) => valuesOf(owner).get(name),
    set: async (owner, name, value, revision) => {
      const values = valuesOf(owner);
      if (values.get(name)?.revision !== revision) return undefined;
      const next = crypto.randomUUID();
      // The newest value is the last one.
      values.delete(name);
      owners.set(owner, values.set(name, { value, revision: next }));
      return next;
    },
    delete: async (owner, name) => void valuesOf(owner).delete(name),
    names: async (owner) => [...valuesOf(owner).keys()].reverse(),
  });
}
