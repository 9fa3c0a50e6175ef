import { expect, test } from "vitest";
import { memoryTransports } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };

/** What types allow, but not the protocol. */
type Wrong = any;

const VALUES = [
  { value: "fast", name: "Fast" },
  { value: "deep", name: "Deep" },
];

function select(version: 1 | 2, currentValue: string, isGrouped = false): object {
  const group = { group: "all", groupId: "all", name: "All", options: VALUES };
  const { group: _, ...v2Group } = group;
  const { groupId: __, ...v1Group } = group;
  const options = isGrouped ? [version === 1 ? v1Group : v2Group] : VALUES;
  const id = version === 1 ? { id: "model" } : { configId: "model" };
  return { ...id, name: "Model", category: "model", type: "select", currentValue, options };
}

/** Connects a client to an agent whose sessions have an option. */
async function connected(version: 1 | 2, option: object, errors: unknown[] = []): Promise<Wrong> {
  const opened = { sessionId: "s", configOptions: [option] };
  const session: Wrong = {
    new: () => opened,
    setConfigOption: () => ({ configOptions: [option] }),
    prompt: () => ({ stopReason: "end_turn" }),
    ...(version === 2 && { list: () => ({ sessions: [] }), resume: () => ({}), close: () => ({}) }),
  };
  const [near, far] = memoryTransports();
  const { createAgent, createClient } = version === 1 ? v1 : (v2 as Wrong);
  const onError = (error: unknown): void => void errors.push(error);
  const capabilities = version === 1 ? {} : { capabilities: { session: {} } };
  createAgent({ info, ...capabilities, handlers: { session }, onError }).connect(far);
  const asked = { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) };
  return createClient({ info, handlers: { session: asked } }).connect(near);
}

test.each([1, 2] as const)(
  "a client selects only what a session offers, version %i",
  async (version) => {
    for (const isGrouped of [false, true]) {
      const client = await connected(version, select(version, "fast", isGrouped));
      const session = await client.newSession({ cwd: "/" });
      const { agent } = session;
      const set = (configId: string, value: unknown): Promise<unknown> =>
        agent.setConfigOption({ configId, ...(version === 2 && { type: "id" }), value });
      await expect(set("modl", "deep")).rejects.toThrow(
        'SetSessionConfigOptionRequest at /configId: expected one of "model", found "modl"',
      );
      await expect(set("model", "deeper")).rejects.toThrow(
        'at /value: expected one of "fast", "deep", found "deeper"',
      );
      await expect(set("model", "deep")).resolves.toBeDefined();
      for (const value of [true, 5, "deeper"])
        await expect(session.setOption({ category: "model" }, value)).rejects.toThrow(
          `at /value: expected one of "fast", "deep", found ${JSON.stringify(value)}`,
        );
      for (const [option, text] of [
        ["model", 'session.setOption needs an object, not "model": session.setOption({ category:'],
        [undefined, "session.setOption needs an object, not undefined"],
        [{ category: 5 }, "category of session.setOption needs a string, not 5"],
      ] as const)
        await expect(session.setOption(option as never, "deep")).rejects.toThrow(text);
      const other = client.agent.session.setConfigOption({
        sessionId: "s",
        configId: "modl",
        value: "deep",
        ...(version === 2 && { type: "id" }),
      });
      await expect(other).rejects.toThrow('expected one of "model"');
      client.close();
    }
  },
);

test.each([1, 2] as const)(
  "an agent offers an option with one of its values, version %i",
  async (version) => {
    const errors: unknown[] = [];
    const client = await connected(version, select(version, "slow"), errors);
    await expect(client.newSession({ cwd: "/" })).rejects.toMatchObject({
      code: -32603,
      data: { pointer: "/configOptions/0/currentValue", rule: "offered" },
    });
    expect(String(errors[0])).toContain('expected one of "fast", "deep", found "slow"');
    client.close();
  },
);

test("a relative path is not sent", async () => {
  const client = await connected(1, select(1, "fast"));
  const refused = async (params: object, pointer: string): Promise<void> =>
    expect(client.newSession(params)).rejects.toThrow(
      `NewSessionRequest at ${pointer}: expected an absolute path, found `,
    );
  await refused({ cwd: "shop" }, "/cwd");
  await refused({ cwd: "file:///shop" }, "/cwd");
  await refused(
    { cwd: "/shop", additionalDirectories: ["/docs", "."] },
    "/additionalDirectories/1",
  );
  for (const cwd of ["/shop", "C:\\shop", "d:/shop", "\\\\server\\shop"])
    await expect(client.newSession({ cwd })).resolves.toBeDefined();
  client.close();
});
