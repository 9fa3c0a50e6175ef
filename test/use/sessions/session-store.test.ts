import { readdirSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  keyValueSessions,
  memorySessions,
  memoryTransports,
  StaleSessionError,
  type SessionBackend,
} from "acp-bindings";
import { defineAgent } from "acp-bindings/agent";
import { fileSessions } from "acp-bindings/file-sessions";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";

interface State {
  readonly cwd: string;
  title?: string;
  readonly turns: string[];
}

const info = { name: "test", version: "1" };
const NOT_FOUND = { code: -32002 };
const folder = temporaryFolder();
const state = (...turns: string[]): State => ({ cwd: "/a", turns });
const add = (turn: string) => (found: State) => void found.turns.push(turn);

test("a store without a backend keeps states while their sessions are open", async () => {
  const store = new v1.SessionStore<State>();
  const id = store.create(state());
  store.create({ cwd: "/b", turns: [] }, "b");
  expect([store.get(id).cwd, store.has("b"), [...store].length]).toEqual(["/a", true, 2]);
  await store.turn(id, add("1"));
  expect(await store.open(id)).toEqual(state("1"));
  expect((await store.list({ cwd: "/b" })).sessions).toMatchObject([{ sessionId: "b" }]);
  await expect(store.list({ cursor: "0".repeat(16) })).rejects.toMatchObject({ code: -32602 });
  store.close("b");
  store.close("b");
  expect(() => store.get("b")).toThrow(
    expect.objectContaining({ code: -32002, data: { sessionId: "b" } }),
  );
  await store.delete(id);
  await expect(store.open(id)).rejects.toMatchObject(NOT_FOUND);
});

describe.each([
  ["memory", memorySessions],
  ["files", () => fileSessions(temporaryFolder())],
] as [string, () => SessionBackend][])("two stores with one backend: %s", (_, backendOf) => {
  test("a session that was stored after a turn is opened by another store", async () => {
    const time = Date.UTC(2100, 0);
    vi.useFakeTimers({ toFake: ["Date"], now: time });
    onTestFinished(() => void vi.useRealTimers());
    const [a, b] = stores(backendOf());
    const id = a.create(state());
    // Nothing is stored before the first turn has ended.
    await expect(b.open(id)).rejects.toMatchObject(NOT_FOUND);
    await a.turn(id, add("1"));
    expect(await b.open(id)).toEqual(state("1"));
    b.get(id).title = "Notes";
    await b.save(id);
    const { sessions } = await a.list({});
    const updatedAt = new Date(time).toISOString();
    expect(sessions).toMatchObject([{ sessionId: id, cwd: "/a", title: "Notes", updatedAt }]);
    expect((await a.list({ cwd: "/b" })).sessions).toEqual([]);
  });

  test("the first owner cannot save a turn after a second one has", async () => {
    const [a, b] = stores(backendOf());
    const id = a.create(state());
    await a.turn(id, add("1"));
    await b.open(id);
    await b.turn(id, add("2"));
    const lost = a.turn(id, add("lost"));
    await expect(lost).rejects.toBeInstanceOf(StaleSessionError);
    await expect(lost).rejects.toMatchObject({ code: -32603, data: { reason: "session_changed" } });
    // It has to be opened again.
    expect(() => a.get(id)).toThrow(expect.objectContaining(NOT_FOUND));
    expect(await a.open(id)).toEqual(state("1", "2"));
    await a.turn(id, add("3"));
    await expect(b.save(id)).rejects.toBeInstanceOf(StaleSessionError);
  });

  test("turns that run while a session is opened, closed and opened again are stored", async () => {
    const [store] = stores(backendOf());
    const id = store.create(state());
    await store.turn(id, add("1"));
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const turns = ["2", "3"].map((name) =>
      store.turn(id, async (found) => {
        found.turns.push(name);
        await ended;
      }),
    );
    expect((await store.open(id)).turns).toEqual(["1", "2", "3"]);
    store.close(id);
    expect([store.has(id), [...store]]).toEqual([false, []]);
    expect((await store.open(id)).turns).toEqual(["1", "2", "3"]);
    expect(store.has(id)).toBe(true);
    store.close(id);
    end();
    await Promise.all(turns);
    expect(store.has(id)).toBe(false);
    await store.open(id);
    await store.turn(id, add("4"));
  });

  test("a slow load does not replace what was opened meanwhile", async () => {
    const backend = backendOf();
    const [first] = stores(backend);
    const id = first.create(state());
    await first.turn(id, add("1"));
    let load: SessionBackend["load"] = async (...key) => {
      load = backend.load;
      const loaded = await load(...key);
      begin();
      await ended;
      return loaded;
    };
    const [store] = stores({ ...backend, load: (...key) => load(...key) });
    let begin = (): void => {};
    let end = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const opening = store.open(id);
    await begun;
    await store.open(id);
    await store.turn(id, add("2"));
    end();
    expect(await opening).toEqual(state("1", "2"));
    await store.turn(id, add("3"));
  });

  test("a session that is deleted is not stored by its last turn", async () => {
    const [a, b] = stores(backendOf());
    const id = a.create(state());
    await a.turn(id, async (found) => {
      await a.delete(id);
      found.turns.push("1");
    });
    await expect(b.open(id)).rejects.toMatchObject(NOT_FOUND);
    await a.delete(id);
    expect((await a.list({})).sessions).toEqual([]);
  });

  test("principals do not see each other's sessions", async () => {
    const backend = backendOf();
    const [ana, bo] = ["ana", "bo"].map(
      (principal) => new v1.SessionStore<State>({ backend, principal }),
    ) as [v1.SessionStore<State>, v1.SessionStore<State>];
    const id = ana.create(state());
    await ana.turn(id, add("ana"));
    await expect(bo.open(id)).rejects.toMatchObject(NOT_FOUND);
    expect((await bo.list({})).sessions).toEqual([]);
    bo.create(state(), id);
    await bo.turn(id, add("bo"));
    await bo.delete(id);
    expect(await ana.open(id)).toEqual(state("ana"));
  });

  test("encode, decode and describe say how a state is stored", async () => {
    const backend = backendOf();
    const options = {
      backend,
      encode: (found: Map<string, string>) => JSON.stringify([...found]),
      decode: (text: string) => new Map(JSON.parse(text) as [string, string][]),
      describe: (found: Map<string, string>) => ({ cwd: found.get("folder")! }),
    };
    const [a, b] = [new v1.SessionStore(options), new v1.SessionStore(options)];
    const id = a.create(new Map([["folder", "/c"]]));
    await a.turn(id, () => {});
    expect((await b.open(id)).get("folder")).toBe("/c");
    const wrong = new v1.SessionStore<object>({ backend });
    await expect(wrong.turn(wrong.create({}), () => {})).rejects.toThrow("describe");
  });
});

test.each([1, 3])(
  "a save to files is kept or refused at whatever call of it another process saves, %i times",
  async (saves) => {
    const key = { principal: "", sessionId: "s" };
    const stored = (text: string) => ({
      cwd: "/a",
      updatedAt: "2026-01-01T00:00:00Z",
      state: text,
    });
    const ends = new Set<string>();
    for (let at = 0, calls = at; calls >= at; at++) {
      const backend = fileSessions(temporaryFolder(join(folder, "calls-")));
      const first = await backend.save(key, stored("first"), undefined);
      calls = 0;
      const restore = beforeCalls(async () => {
        if (calls++ !== at) return;
        for (let count = 0; count < saves; count++) {
          const { state: text, revision } = (await backend.load(key))!;
          await backend.save(key, stored(`${text} other`), revision);
        }
      });
      const saved = await backend.save(key, stored("first own"), first).then(
        () => "kept",
        (error: unknown) => (error instanceof StaleSessionError ? "refused" : error),
      );
      restore();
      ends.add(`${(await backend.load(key))!.state}: ${String(saved)}`);
    }
    const other = " other".repeat(saves);
    expect(ends).toEqual(
      new Set([`first${other}: refused`, `first own${other}: kept`, "first own: kept"]),
    );
  },
);

/** Has a function called before each call of the file system; returns the function that ends this. */
function beforeCalls(run: () => Promise<void>): () => void {
  const names = ["link", "mkdir", "open", "readdir", "readFile", "rename", "rm", "stat"] as const;
  const originals = names.map((name) => fs[name]);
  for (const [index, name] of names.entries())
    Object.assign(fs, {
      [name]: async (...given: never[]) => {
        await run();
        return (originals[index] as (...given: never[]) => unknown)(...given);
      },
    });
  syncBuiltinESMExports();
  return () => {
    for (const [index, name] of names.entries()) Object.assign(fs, { [name]: originals[index] });
    syncBuiltinESMExports();
  };
}

test("a turn that is cancelled, or loses its connection, while it is saved is stored before its answer", async () => {
  const memory = memorySessions();
  const saves: (() => void)[] = [];
  const backend: SessionBackend = {
    ...memory,
    save: async (...given) => {
      await new Promise<void>((end) => saves.push(end));
      return memory.save(...given);
    },
  };
  const saving = () => vi.waitFor(() => expect(saves).toHaveLength(1));
  const endSave = (): void => saves.pop()!();
  const [store, other] = [new v1.SessionStore<State>({ backend }), stores(memory)[0]];
  const agent = v1.createAgent({
    info,
    handlers: {
      session: {
        new: ({ cwd }) => ({ sessionId: store.create({ cwd, turns: [] }, "s") }),
        prompt: (_, { session }) =>
          store.turn(session.id, ({ turns }) => {
            turns.push(`${turns.length}`);
            return { stopReason: "end_turn" };
          }),
      },
    },
  });
  const connection = await connectV1(agent);
  const session = await connection.newSession({ cwd: "/a" });
  const cancelled = session.prompt("text");
  await saving();
  cancelled.cancel();
  expect(await Promise.race([cancelled, sleep(50).then(() => "waits")])).toBe("waits");
  endSave();
  expect(await cancelled).toMatchObject({ stopReason: "cancelled" });
  expect((await other.open("s")).turns).toEqual(["0"]);
  const lost = Promise.resolve(session.prompt("text")).catch(() => {});
  await saving();
  connection.close();
  endSave();
  await lost;
  await vi.waitFor(async () => expect((await other.open("s")).turns).toEqual(["0", "1"]));
  const next = store.save("s");
  await saving();
  endSave();
  await next;
});

test("values with other names are not listed", async () => {
  // Others keep copies of the only session.
  let [stored, value] = ["", ""];
  const backend = keyValueSessions({
    get: async () => ({ value, revision: "1" }),
    set: async (_owner, name, text) => {
      [stored, value] = [name, text];
      return "1";
    },
    delete: async () => {},
    names: async () => [
      stored,
      ...[stored.toUpperCase(), `${stored}0`, `${stored}.json`, `${stored}\n`],
      ...[stored.slice(1), `.${stored}`],
    ],
  });
  const [store] = stores(backend);
  await store.turn(store.create(state(), "s"), add("1"));
  const { sessions } = await store.list();
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s"]);
});

test("without a principal, and with an empty one, callers are the same", async () => {
  const backend = memorySessions();
  const storeOf = (principal: unknown) =>
    new v1.SessionStore<State>({ backend, principal: principal as string });
  const [none, empty] = [storeOf(undefined), storeOf("")];
  const id = none.create(state());
  await none.turn(id, add("1"));
  expect(await empty.open(id)).toEqual(state("1"));
  for (const principal of [1, ["ana"], {}, true])
    expect(() => storeOf(principal)).toThrow(TypeError);
});

test("ids and principals are no paths", async () => {
  const parent = temporaryFolder();
  const backend = fileSessions(join(parent, "sessions"));
  for (const name of ["../../x", "/etc/passwd", "a\0b", "x".repeat(5000), "", "..", "CON", "é"]) {
    const store = new v1.SessionStore<State>({ backend, principal: name });
    store.create(state(), name);
    await store.turn(name, add(name));
    expect((await store.list({})).sessions.map(({ sessionId }) => sessionId)).toEqual([name]);
  }
  expect(readdirSync(parent)).toEqual(["sessions"]);
  expect(readdirSync(join(parent, "sessions")).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(
    true,
  );
});

describe("defineAgent with a store", () => {
  const agentOf = (sessions: v1.SessionStore<State>) =>
    defineAgent<State>({
      info,
      sessions,
      newSession: ({ cwd }) => ({ cwd, turns: [] }),
      replaySession: async (session, { turns }) => {
        for (const turn of turns) await session.text(turn);
      },
      prompt: async (prompt, { state: { turns } }) => {
        for (const block of prompt) if (block.type === "text") turns.push(block.text);
      },
    });

  test("version 1: load, resume, list, close and delete follow from it", async () => {
    const [a, b] = stores(memorySessions());
    const first = await connectV1(agentOf(a)[0] as v1.Agent);
    const { id, prompt } = await first.newSession({ cwd: "/a" }).then((opened) => ({
      id: opened.id,
      prompt: (text: string) => opened.prompt(text),
    }));
    await prompt("one");
    const second = await connectV1(agentOf(b)[0] as v1.Agent);
    const loaded = await second.loadSession({ sessionId: id, cwd: "/a" });
    expect(loaded.state.messages.map(({ content }) => content)).toMatchObject([[{ text: "one" }]]);
    await loaded.prompt("two");
    const lost: unknown = await Promise.resolve(prompt("lost")).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: -32603, data: { reason: "session_changed" } });
    await expect(Promise.resolve(prompt("unknown"))).rejects.toMatchObject(NOT_FOUND);
    await first.resumeSession({ sessionId: id, cwd: "/a" });
    expect(a.get(id).turns).toEqual(["one", "two"]);
    expect((await first.agent.session.list?.({}))?.sessions).toMatchObject([{ sessionId: id }]);
    await first.agent.session.close?.({ sessionId: id });
    expect([a.has(id), b.has(id)]).toEqual([false, true]);
    await first.agent.session.delete?.({ sessionId: id });
    expect((await first.agent.session.list?.({}))?.sessions).toEqual([]);
  });

  test("version 2: a retry on a connection to another store is answered with its first message", async () => {
    const [a, b] = stores(memorySessions());
    const retryable = { idempotencyKey: "__proto__" };
    const first = await connectV2(agentOf(a)[1] as v2.Agent);
    const { messageId } = await first.session.prompt("one", retryable);
    const { connection } = await connectV2(agentOf(b)[1] as v2.Agent);
    const again = await connection.resumeSession({ sessionId: first.id, cwd: "/a" });
    expect(await again.prompt("one", retryable)).toMatchObject({ messageId });
    expect(b.get(first.id).turns).toEqual(["one"]);
    expect((await again.prompt("two")).messageId).not.toBe(messageId);
  });
});

function stores(backend: SessionBackend): [v1.SessionStore<State>, v1.SessionStore<State>] {
  return [new v1.SessionStore({ backend }), new v1.SessionStore({ backend })];
}

async function connectV1(agent: v1.Agent) {
  const [left, right] = memoryTransports();
  agent.connect(left);
  const handlers = { session: { requestPermission: () => v1.CANCELLED } };
  return v1.createClient({ info, handlers }).connect(right);
}

async function connectV2(agent: v2.Agent) {
  const [left, right] = memoryTransports();
  agent.connect(left);
  const handlers = { session: { requestPermission: () => v2.CANCELLED } };
  const connection = await v2.createClient({ info, handlers }).connect(right);
  const session = await connection.newSession({ cwd: "/a" });
  return { connection, session, id: session.id };
}
