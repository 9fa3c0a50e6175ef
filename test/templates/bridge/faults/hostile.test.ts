import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { BridgeCore } from "../../../../templates/runtime/bridge/core.js";
import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../../out/typescript/src/bridge/tables.js";
import { LIMITS, BoundedMap } from "../../../../templates/runtime/bridge/limits.js";
import { IS_DEEP } from "../../../support/deep.js";
import { changesOf, corpusOf, protocolOf } from "../corpus.js";
import { openCore } from "../open-core.js";
import { HELLO, openV1, openV2, settle, wire } from "../wire.js";

const S = "s";

type Message = { readonly [name: string]: unknown };

describe("the order of messages", () => {
  test.each([1, 2] as const)("is kept over many updates to a client of version %i", (version) => {
    const { core, sent } = openCore(version);
    const count = IS_DEEP ? 100_000 : 10_000;
    for (let index = 0; index < count; index++)
      core.fromAgent({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId: S,
          update: {
            sessionUpdate: "agent_message_chunk",
            messageId: "a",
            content: { type: "text", text: String(index) },
          },
        },
      });
    const texts = sent.client.map(
      ({ params }) => (params as { update: { content: { text: string } } }).update.content.text,
    );
    expect(texts.length).toBe(count);
    expect(texts.findIndex((text, index) => text !== String(index))).toBe(-1);
  });
});

describe("a peer that reuses the id of a request", () => {
  test("gets an answer to each", async () => {
    const wired = wire({ agentVersion: 2 });
    await openV1(wired);
    const list = { id: 7, method: "session/list", params: {} };
    wired.client.send(list);
    wired.client.send(list);
    const ids = [(await wired.agent.next())["id"], (await wired.agent.next())["id"]];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) wired.agent.send({ id, result: { sessions: [] } });
    expect([(await wired.client.next())["id"], (await wired.client.next())["id"]]).toEqual([7, 7]);
  });

  test("or has null as an id, which version 2 does not allow, gets the same id in the response", async () => {
    const wired = wire({ agentVersion: 2 });
    await openV1(wired);
    wired.client.send({ id: null, method: "session/list", params: {} });
    const { id } = await wired.agent.next();
    expect(typeof id).toBe("string");
    wired.client.notify("$/cancel_request", { requestId: null });
    expect(await wired.agent.next()).toMatchObject({ params: { requestId: id } });
    wired.agent.send({ id, result: { sessions: [] } });
    expect(await wired.client.next()).toMatchObject({ id: null, result: { sessions: [] } });
  });
});

describe("a peer that ends", () => {
  test("ends the other side, and all pending requests are answered", async () => {
    const wired = wire({ agentVersion: 2 });
    await openV1(wired);
    const asked = wired.agent.request("session/request_permission", {
      sessionId: S,
      title: "?",
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    });
    await wired.client.next();
    await wired.client.close();
    expect(await asked).toMatchObject({ error: { message: "The client has ended" } });
    await wired.agent.close();
    await wired.done;
  });

  test("before anything was said lets nothing wait for it", () => {
    const answers: object[] = [];
    const core = new BridgeCore({
      tables: { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES },
      onLoss: () => {},
      send: { client: (message) => void answers.push(message), agent: () => {} },
    });
    core.agentClosed();
    core.fromClient({ jsonrpc: "2.0", id: 1, method: "initialize", params: HELLO.client1 });
    expect(answers).toMatchObject([{ id: 1, error: { message: "The agent has ended" } }]);
  });

  test("before the handshake ends it with an error", async () => {
    const wired = wire();
    const hello = wired.client.request("initialize", HELLO.client1);
    await wired.agent.next();
    await wired.agent.close();
    expect(await hello).toMatchObject({ error: { message: "The agent has ended" } });
    await wired.done;
  });
});

describe("a peer that sends without end", () => {
  test("waits while the other side does not read", async () => {
    // The client's side is never read.
    const blocked = {
      readable: new ReadableStream({
        start: (controller) =>
          controller.enqueue({
            jsonrpc: "2.0",
            id: 1,
            method: "initialize",
            params: HELLO.client1,
          }),
      }),
      writable: new WritableStream({ write: () => new Promise(() => {}) }),
    };
    const wired = wire({ agentVersion: 2, client: blocked });
    wired.agent.send({ id: (await wired.agent.next())["id"], result: HELLO.agent2 });
    let taken = 0;
    const [near, far] = [wired.transcripts.agent, 20_000];
    for (let index = 0; index < far; index++)
      wired.agent.notify("session/update", {
        sessionId: S,
        update: {
          sessionUpdate: "agent_message_chunk",
          messageId: "a",
          content: { type: "text", text: "x" },
        },
      });
    await settle();
    taken = near.length;
    expect(taken).toBeGreaterThan(500);
    expect(taken).toBeLessThan(5000);
  });

  test("makes the bridge forget the least recently used", () => {
    const map = new BoundedMap<number, number>(10);
    for (let index = 0; index < 100; index++) {
      map.set(index, index);
      map.get(0);
    }
    expect([...map.values()].length).toBe(10);
    expect(map.get(0)).toBe(0);
    expect(map.get(98)).toBe(98);
    expect(map.get(50)).toBeUndefined();
  });

  test("makes the bridge forget by size as well, but never the only entry", () => {
    const forgotten: string[] = [];
    const map = new BoundedMap<string, string>(
      10,
      100,
      () => false,
      (value) => forgotten.push(value),
    );
    for (const key of ["a", "b", "c"]) {
      map.set(key, key);
      map.resize(key, 40);
    }
    expect({ size: map.size, forgotten }).toEqual({ size: 80, forgotten: ["a"] });
    map.resize("b", 500);
    expect({ size: map.size, forgotten }).toEqual({ size: 500, forgotten: ["a", "c"] });
    map.resize("unknown", 500);
    map.delete("b");
    expect(map.size).toBe(0);
  });

  test("gets an error when too many of its messages arrive before the handshake has ended", () => {
    const sent: { readonly client: object[]; readonly agent: object[] } = { client: [], agent: [] };
    const core = new BridgeCore({
      tables: { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES },
      agentVersion: 2,
      onLoss: () => {},
      send: {
        client: (message) => void sent.client.push(message),
        agent: (message) => void sent.agent.push(message),
      },
    });
    core.fromClient({ jsonrpc: "2.0", id: "hello", method: "initialize", params: HELLO.client1 });
    for (let id = 0; id <= LIMITS.early; id++)
      core.fromClient({ jsonrpc: "2.0", id, method: "session/list", params: {} });
    expect(sent.client).toMatchObject([{ id: LIMITS.early, error: { code: -32029 } }]);
    core.fromAgent({ jsonrpc: "2.0", id: "hello", result: HELLO.agent2 });
    expect(sent.agent.length).toBe(1 + LIMITS.early);
  });

  test.each([1, 2] as const)(
    "cancels unknown requests of a client of version %i without a search of all others",
    (version) => {
      const { core } = openCore(version);
      for (let id = 0; id < LIMITS.requests; id++) {
        const sessionId = `s${id % LIMITS.sessions}`;
        core.fromClient({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId } });
      }
      const start = performance.now();
      for (let index = 0; index < 200_000; index++)
        core.fromClient({
          jsonrpc: "2.0",
          method: "$/cancel_request",
          params: { requestId: `unknown-${index}` },
        });
      expect(performance.now() - start).toBeLessThan(4000);
    },
  );

  test("gets an error when too many of its requests are not answered", () => {
    const { core, sent } = openCore(1);
    for (let id = 0; id <= LIMITS.requests; id++)
      core.fromClient({ jsonrpc: "2.0", id, method: "session/list", params: {} });
    expect(sent.agent.length).toBe(LIMITS.requests);
    expect(sent.client).toMatchObject([{ id: LIMITS.requests, error: { code: -32029 } }]);
  });
});

describe("a prompt that waits", () => {
  const prompt = (core: BridgeCore, sessionId: string, id: number): void =>
    core.fromClient({
      jsonrpc: "2.0",
      id,
      method: "session/prompt",
      params: { sessionId, prompt: [] },
    });

  test("is answered when its session is one too many", () => {
    const { core, sent } = openCore(1);
    for (let id = 0; id <= LIMITS.sessions; id++) prompt(core, `s${id}`, id);
    expect(sent.client).toMatchObject([
      { id: 0, error: { message: "The bridge has too many sessions" } },
    ]);
  });

  test("is refused when too many of its session wait", () => {
    const { core, sent } = openCore(1);
    for (let id = 0; id <= LIMITS.prompts; id++) prompt(core, S, id);
    expect(sent.client).toMatchObject([{ id: LIMITS.prompts, error: { code: -32029 } }]);
    expect(sent.agent.length).toBe(LIMITS.prompts);
  });
});

describe("what an agent makes the bridge keep", () => {
  test.each([1, 2] as const)("is bounded, for a client of version %i", (version) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { core, sent, losses } = openCore(version);
    const update = (index: number): void => {
      const id = String(index);
      const content = { type: "text", text: "x".repeat(100) };
      const updates = [
        { sessionUpdate: "agent_message_chunk", messageId: id, content },
        { sessionUpdate: "tool_call", toolCallId: id, title: id },
        {
          sessionUpdate: "tool_call_update",
          toolCallId: id,
          title: id,
          content: [{ type: "content", content }],
        },
        { sessionUpdate: "terminal_update", terminalId: id, command: id },
        { sessionUpdate: "plan_update", plan: { type: "items", planId: id, entries: [] } },
      ];
      for (const value of updates)
        core.fromAgent({
          jsonrpc: "2.0",
          method: "session/update",
          params: { sessionId: index % 2 === 0 ? S : id, update: value },
        });
      // Two questions under one id, which are both answered.
      for (let left = 2; left > 0; left--)
        core.fromAgent({
          jsonrpc: "2.0",
          id: id.padEnd(200),
          method: "elicitation/create",
          params: {
            sessionId: S,
            mode: "url",
            message: "?",
            elicitationId: id,
            url: "https://a.b",
          },
        });
      const result = { action: "decline" };
      for (const message of sent.client)
        if (message["method"] === "elicitation/create")
          core.fromClient({ jsonrpc: "2.0", id: message["id"], result });
      expect(sent.agent.splice(0).length).toBe(2);
      sent.client.length = 0;
      losses.length = 0;
    };
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const fill = (from: number): void => {
      for (let index = from; index < from + 10_000; index++) update(index);
    };
    fill(0);
    const before = heap();
    fill(10_000);
    fill(20_000);
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024);
  });

  test("is bounded in bytes, too", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { core, sent, losses } = openCore(1);
    const chunk = (sessionId: string, toolCallId: string, text: string): void => {
      const content = { type: "content", content: { type: "text", text } };
      core.fromAgent({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId,
          update: { sessionUpdate: "tool_call_content_chunk", toolCallId, content },
        },
      });
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 300; index++) {
      // A new text each time, so that none is shared.
      const text = Buffer.alloc(2 ** 19, String(index)).toString("latin1");
      for (const half of ["1", "2"]) chunk(`s${index % 20}`, String(index), half + text);
      sent.client.length = 0;
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 * LIMITS.size);
    losses.length = 0;
    for (const half of ["a", "b", "c"]) chunk(S, "last", half + "x".repeat(LIMITS.contentSize / 2));
    expect(losses.map(({ place }) => place)).toContain("content-cut");
    expect(JSON.stringify(sent.client.at(-1)).length).toBeLessThan(1.1 * LIMITS.contentSize);
  });
});

describe("malformed messages", () => {
  const STRANGE: readonly unknown[] = [
    null,
    1,
    "text",
    [],
    [{}],
    {},
    { jsonrpc: "2.0" },
    { jsonrpc: "2.0", id: 1 },
    { jsonrpc: "2.0", id: {}, method: "session/prompt" },
    { jsonrpc: "2.0", id: 1, result: 1, error: 2 },
    { jsonrpc: "2.0", id: 1, method: "initialize", result: {} },
    { jsonrpc: "2.0", method: "__proto__", params: {} },
    { jsonrpc: "2.0", id: 2, method: "constructor" },
    { jsonrpc: "2.0", id: 3, method: "session/prompt" },
    { jsonrpc: "2.0", id: 4, method: "session/prompt", params: [] },
    { jsonrpc: "2.0", method: "session/update", params: { sessionId: 5, update: 6 } },
    { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "unknown" } },
    { jsonrpc: "2.0", method: "$/cancel_request" },
    JSON.parse(
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"__proto__","update":{"sessionUpdate":"__proto__","__proto__":{"polluted":true}}}}',
    ),
  ];

  test.each([1, 2] as const)("do not end the bridge of a client of version %i", async (version) => {
    const wired = wire({ agentVersion: version === 1 ? 2 : 1 });
    await (version === 1 ? openV1 : openV2)(wired);
    for (const message of STRANGE) {
      if (typeof message !== "object" || message === null || Array.isArray(message)) continue;
      wired.client.send(message as Message);
      wired.agent.send(message as Message);
    }
    await settle();
    wired.client.take();
    wired.agent.take();
    void wired.client.request("session/list", {}, "last");
    expect((await wired.agent.next())["method"]).toBe("session/list");
    expect(({} as Message)["polluted"]).toBeUndefined();
  });

  test.each([1, 2] as const)(
    "of any kind are taken by the bridge of a client of version %i",
    (version) => {
      const { core } = openCore(version);
      for (const message of STRANGE) {
        core.fromClient(message);
        core.fromAgent(message);
      }
      for (const [side, profile] of [
        ["client", version === 1 ? "v1-full" : "v2-full"],
        ["agent", version === 1 ? "v2-full" : "v1-full"],
      ] as const) {
        const protocol = protocolOf(profile);
        const { samples } = corpusOf(protocol);
        const take = (message: unknown): void =>
          side === "client" ? core.fromClient(message) : core.fromAgent(message);
        let id = 0;
        for (const { name, kind, params, side: handler } of protocol.methods) {
          if (handler === side || name === "initialize") continue;
          for (const sample of samples(params))
            for (const changed of [sample, ...changesOf(sample)])
              take({
                jsonrpc: "2.0",
                method: name,
                params: changed,
                ...(kind === "request" && { id: `${side}-${id++}` }),
              });
        }
      }
      core.agentClosed();
      core.clientClosed();
    },
  );
});

describe("long and deep values", () => {
  const LONG = "x".repeat(2 ** 20);
  const update = (core: BridgeCore, sessionId: string, value: object): void =>
    core.fromAgent({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId, update: value },
    });

  test.each([1, 2] as const)("in ids are bounded, for a client of version %i", (version) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { core, sent, losses } = openCore(version);
    // A new text each time, so that none is shared.
    const long = (index: number): string => Buffer.alloc(2 ** 18, `${index} `).toString("latin1");
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 600; index++) {
      const id = long(index);
      update(core, id, { sessionUpdate: "state_update", state: "running" });
      update(core, S, { sessionUpdate: "tool_call_update", toolCallId: id, title: "T" });
      update(core, S, { sessionUpdate: "agent_message", messageId: id, content: null });
      update(core, S, { sessionUpdate: "terminal_update", terminalId: id, command: id });
      const content = [{ type: "terminal", terminalId: "x" }];
      update(core, S, { sessionUpdate: "tool_call_update", toolCallId: id, content });
      core.fromAgent({ jsonrpc: "2.0", id, method: "_ask", params: {} });
      sent.client.length = 0;
      sent.agent.length = 0;
      losses.length = 0;
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * LIMITS.size);
  });

  test("that may repeat a prompt are held as far as the limits allow", () => {
    const { core, sent } = openCore(1);
    core.fromClient({
      jsonrpc: "2.0",
      id: 1,
      method: "session/prompt",
      params: { sessionId: S, prompt: [] },
    });
    const content = [{ type: "text", text: LONG }];
    for (let index = 0; index < 10; index++)
      update(core, S, { sessionUpdate: "user_message", messageId: String(index), content });
    expect(sent.client.length).toBeGreaterThan(1);
  });

  test("are cut in the paths of losses", () => {
    const { core, losses } = openCore(1);
    losses.length = 0;
    const properties = { [LONG]: { type: "string", format: "_own" } };
    core.fromAgent({
      jsonrpc: "2.0",
      id: 1,
      method: "elicitation/create",
      params: {
        sessionId: S,
        mode: "form",
        message: "?",
        requestedSchema: { type: "object", properties },
      },
    });
    expect(losses.length).toBe(1);
    expect(losses[0]!.path.length).toBeLessThan(400);
  });

  test("of a terminal whose end is reported again are not sent again", () => {
    const { core, sent } = openCore(1);
    const content = [{ type: "terminal", terminalId: "t" }];
    update(core, S, { sessionUpdate: "tool_call_update", toolCallId: "c", title: "T", content });
    const end = { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 1 } };
    update(core, S, end);
    const count = sent.client.length;
    for (let index = 0; index < 100; index++) update(core, S, end);
    expect(sent.client.length).toBe(count);
  });
});
