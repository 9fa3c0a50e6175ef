import { StaleSessionError, type SessionBackend, type SessionEntry } from "acp-bindings";
import { expect, test, vi } from "vitest";

const session = (state: string) => ({ cwd: "/a", updatedAt: new Date().toISOString(), state });

/**
 * Defines the tests that every backend has to pass.
 *
 * @param create returns an empty backend
 * @param damage replaces all values that the last backend has stored
 * @param reports how many lines on the console a damaged value causes
 */
export function testBackend(
  create: () => SessionBackend | Promise<SessionBackend>,
  damage?: (text: string) => unknown,
  reports = 1,
): void {
  const key = (sessionId: string, principal = "ana") => ({ principal, sessionId });

  test("keeps, changes and deletes a session", async () => {
    const backend = await create();
    expect(await backend.load(key("s"))).toBeUndefined();
    const first = await backend.save(
      key("s"),
      { ...session("1"), title: "é'\"", prompts: { k: "m" } },
      undefined,
    );
    const loaded = await backend.load(key("s"));
    const facts = { title: "é'\"", cwd: "/a", prompts: { k: "m" } };
    expect(loaded).toMatchObject({ ...facts, state: "1", revision: first });
    const second = await backend.save(key("s"), session("2"), first);
    expect(second).not.toBe(first);
    const changed = await backend.load(key("s"));
    expect(changed).toMatchObject({ state: "2", cwd: "/a", revision: second });
    expect(changed?.title).toBeUndefined();
    await backend.delete(key("s"));
    await backend.delete(key("s"));
    expect(await backend.load(key("s"))).toBeUndefined();
  });

  test("refuses to save what somebody else has changed, created or deleted", async () => {
    const backend = await create();
    const refused = async (revision: string | undefined): Promise<void> => {
      const saved = backend.save(key("s"), session("lost"), revision);
      await expect(saved).rejects.toBeInstanceOf(StaleSessionError);
    };
    const first = await backend.save(key("s"), session("1"), undefined);
    await refused(undefined);
    const second = await backend.save(key("s"), session("2"), first);
    await refused(first);
    expect((await backend.load(key("s")))?.state).toBe("2");
    await backend.delete(key("s"));
    await refused(second);
    await backend.save(key("s"), session("1"), undefined);
    // Who has read a session before it was deleted does not own the one that was created since.
    await refused(first);
    await refused(second);
    expect((await backend.load(key("s")))?.state).toBe("1");
  });

  test("lets one of many win who save at the same time", async () => {
    const backend = await create();
    let revision: string | undefined;
    for (let round = 0; round < 5; round++) {
      const saves = Array.from({ length: 8 }, (_, index) =>
        backend.save(key("s"), session(`${round} ${index}`), revision),
      );
      const results = await Promise.allSettled(saves);
      const won = results.flatMap((result, index) =>
        result.status === "fulfilled" ? [{ index, revision: result.value }] : [],
      );
      expect(won).toHaveLength(1);
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StaleSessionError);
      const loaded = await backend.load(key("s"));
      expect(loaded).toMatchObject({ state: `${round} ${won[0]!.index}` });
      revision = loaded!.revision;
      expect(revision).toBe(won[0]!.revision);
    }
  });

  test("lists the sessions of a principal, the newest first", async () => {
    const backend = await create();
    const later = () => new Promise((resolve) => setTimeout(resolve, 10));
    for (const [id, cwd] of [
      ["1", "/a"],
      ["2", "/b"],
      ["3", "/a"],
    ] as const) {
      await backend.save(key(id), { ...session("x"), cwd }, undefined);
      await later();
    }
    const first = await backend.load(key("1"));
    await backend.save(key("1"), { ...session("y"), title: "One" }, first!.revision);
    await backend.save(key("1", "bo"), session("z"), undefined);
    const { sessions } = await backend.list("ana", {});
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["1", "3", "2"]);
    expect(sessions[0]).toMatchObject({ cwd: "/a", title: "One" });
    const inB = await backend.list("ana", { cwd: "/b" });
    expect(inB.sessions.map(({ sessionId }) => sessionId)).toEqual(["2"]);
    expect((await backend.list("nobody", { cwd: null, cursor: null })).sessions).toEqual([]);
  });

  test("stores no save that it refuses", async () => {
    const backend = await create();
    await backend.save(key("s"), session(""), undefined);
    const kept: string[] = [];
    const own = async (name: string): Promise<void> => {
      for (let turn = 0; turn < 40; turn++) {
        const { state, revision: opened } = (await backend.load(key("s")))!;
        // Every other time, a second save is based on the first one without opening the session again.
        let [text, revision] = [state, opened];
        for (let saves = 0; saves <= turn % 2; saves++) {
          const word = `${name}${turn}.${saves} `;
          try {
            revision = await backend.save(key("s"), session((text += word)), revision);
            kept.push(word);
          } catch (error) {
            expect(error).toBeInstanceOf(StaleSessionError);
            break;
          }
        }
      }
    };
    await Promise.all(["a", "b", "c", "d"].map(own));
    const stored = (await backend.load(key("s")))!.state.match(/\S+ /g) ?? [];
    expect(stored.toSorted()).toEqual(kept.toSorted());
  });

  /** Saves sessions, half of them in `/b`. */
  const saveMany = async (backend: SessionBackend, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 20)
      await Promise.all(
        Array.from({ length: Math.min(20, count - at) }, (_, index) => {
          const cwd = index % 2 === 0 ? "/b" : "/a";
          return backend.save(key(`${at + index}`), { ...session("x"), cwd }, undefined);
        }),
      );
  };

  /** Reads all pages of a list, and calls a function after the first one. */
  const readPages = async (
    backend: SessionBackend,
    cwd?: string,
    between?: (first: readonly string[]) => Promise<void>,
  ): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ;) {
      const page = await backend.list("ana", { cwd, cursor });
      pages.push(page.sessions.map(({ sessionId }: SessionEntry) => sessionId));
      if (pages.length === 1) await between?.(pages[0]!);
      cursor = page.nextCursor ?? undefined;
      if (cursor === undefined) return pages;
    }
  };

  test("lists every session once, in pages", async () => {
    const backend = await create();
    await saveMany(backend, 430);
    const pages = await readPages(backend);
    expect(pages.map(({ length }) => length)).toEqual([200, 200, 30]);
    expect(new Set(pages.flat()).size).toBe(430);
    const inB = (await readPages(backend, "/b")).flat();
    expect([inB.length, new Set(inB).size]).toEqual([215, 215]);
    expect((await readPages(backend, "/c")).flat()).toEqual([]);
  });

  test("lists every session that is not changed once, whatever happens between two pages", async () => {
    const backend = await create();
    await saveMany(backend, 230);
    const changed = new Set<string>();
    const pages = await readPages(backend, undefined, async (first) => {
      // The place of the next page is known while one of the last 16 sessions is as it was.
      const [last, secondLast, ...before] = first.slice(-15).toReversed();
      const rest = Array.from({ length: 230 }, (_, index) => `${index}`).filter(
        (id) => !first.includes(id),
      );
      for (const id of [last!, ...before, first[0]!, rest[0]!, rest[9]!]) {
        const { revision } = (await backend.load(key(id)))!;
        await backend.save(key(id), session("y"), revision);
        changed.add(id);
      }
      for (const id of [secondLast!, first[1]!, rest[1]!]) {
        await backend.delete(key(id));
        changed.add(id);
      }
      await backend.save(key("new"), session("z"), undefined);
      changed.add("new");
    });
    const listed = pages.flat().filter((id) => !changed.has(id));
    expect([listed.length, new Set(listed).size]).toEqual([210, 210]);
  });

  test("refuses invalid cursors", async () => {
    const backend = await create();
    for (const cursor of ["", "zzz", "2", "0".repeat(15), `${"0".repeat(16)}\n`, "0".repeat(272)])
      await expect(backend.list("ana", { cursor }), cursor).rejects.toMatchObject({ code: -32602 });
  });

  test.skipIf(damage === undefined)("lists the others when a value is not a session", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => {});
    const backend = await create();
    await backend.save(key("damaged"), session("x"), undefined);
    for (const text of ["", '{"sessionId":"dam', "null", "[]", '{"sessionId":"s","session":{}}']) {
      await damage!(text);
      await expect(backend.load(key("damaged")), text).rejects.toThrow(
        /^The session stored in .*[0-9a-f]{64}\/[0-9a-f]{64}.* cannot be read/,
      );
    }
    await backend.save(key("s"), session("x"), undefined);
    for (let times = 0; times < 2; times++) {
      const { sessions } = await backend.list("ana", {});
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s"]);
    }
    expect(report).toHaveBeenCalledTimes(reports);
    report.mockRestore();
    await backend.delete(key("damaged"));
    await backend.save(key("damaged"), session("x"), undefined);
    expect((await backend.list("ana", {})).sessions).toHaveLength(2);
  });
}
