import { StaleSessionError, type SessionBackend } from "acp-bindings";
import { expect, test } from "vitest";

const session = (state: string) => ({ cwd: "/a", updatedAt: new Date().toISOString(), state });

/**
 * Defines the tests that every backend has to pass.
 *
 * @param create returns an empty backend
 */
export function testBackend(create: () => SessionBackend | Promise<SessionBackend>): void {
  const key = (sessionId: string, principal = "ana") => ({ principal, sessionId });

  test("keeps, changes and deletes a session", async () => {
    const backend = await create();
    expect(await backend.load(key("s"))).toBeUndefined();
    const first = await backend.save(key("s"), { ...session("1"), title: "é'\"" }, undefined);
    const loaded = await backend.load(key("s"));
    expect(loaded).toMatchObject({ state: "1", title: "é'\"", cwd: "/a", revision: first });
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

  test("lists 200 sessions at most", async () => {
    const backend = await create();
    const saves = Array.from({ length: 205 }, (_, index) =>
      backend.save(key(`${index}`), { ...session("x"), cwd: index < 30 ? "/b" : "/a" }, undefined),
    );
    await Promise.all(saves);
    const listed = async (cwd?: string): Promise<number> =>
      new Set((await backend.list("ana", { cwd })).sessions.map(({ sessionId }) => sessionId)).size;
    expect([await listed(), await listed("/a"), await listed("/b")]).toEqual([200, 175, 30]);
  });
}
