import { getEventListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { memoryTransports, serveVersions } from "acp-bindings";
import { defineAgent } from "acp-bindings/agent";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };

afterEach(() => void vi.unstubAllGlobals());

/** Counts the entries of the maps and sets, and the listeners of the signals, that are created from now on. */
function countKept(): { stop(): void; count(): number } {
  const created: (Map<unknown, unknown> | Set<unknown>)[] = [];
  const signals: AbortSignal[] = [];
  let isOpen = true;
  const keep = <T>(list: T[], value: T): void => void (isOpen && list.push(value));
  const [OwnMap, OwnSet, OwnController] = [Map, Set, AbortController];
  vi.stubGlobal(
    "Map",
    class<K, V> extends OwnMap<K, V> {
      constructor(entries?: Iterable<readonly [K, V]> | null) {
        super(entries);
        keep(created, this);
      }
    },
  );
  vi.stubGlobal(
    "Set",
    class<T> extends OwnSet<T> {
      constructor(values?: Iterable<T> | null) {
        super(values);
        keep(created, this);
      }
    },
  );
  vi.stubGlobal(
    "AbortController",
    class extends OwnController {
      constructor() {
        super();
        keep(signals, this.signal);
      }
    },
  );
  return {
    stop: () => (isOpen = false),
    count: () =>
      created.reduce((sum, { size }) => sum + size, 0) +
      signals.reduce((sum, signal) => sum + getEventListeners(signal, "abort").length, 0),
  };
}

const agents = defineAgent({
  info,
  newSession: () => ({}),
  closeSession: () => {},
  prompt: async (_, turn) => {
    await turn.text("Hello");
    const call = await turn.toolCall({ title: "Edit a.ts", kind: "edit" });
    await call.update({ status: (await call.ask()) ? "completed" : "failed" });
  },
});

const handlers = {
  session: {
    update: () => {},
    requestPermission: () => ({ outcome: { outcome: "cancelled" } }) as const,
  },
};

test.each([
  ["1", v1.createClient({ info, handlers: handlers as never })],
  ["2", v2.createClient({ info, handlers: handlers as never })],
] as const)(
  "two thousand sessions of version %s, opened and closed, leave no entry and no listener",
  async (_, client) => {
    const kept = countKept();
    const [left, right] = memoryTransports();
    serveVersions(agents, right);
    const connection = await client.connect(left);
    const openAndClose = async (): Promise<void> => {
      const session = await connection.newSession({ cwd: "/" });
      await session.prompt("Hi");
      await session.agent.close?.();
    };
    for (let count = 0; count < 20; count++) await openAndClose();
    // What lives as long as the connection exists by now.
    kept.stop();
    const before = kept.count();
    for (let count = 0; count < 2000; count++) await openAndClose();
    expect(kept.count() - before).toBe(0);
    connection.close();
  },
);
