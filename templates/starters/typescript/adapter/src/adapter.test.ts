import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { text, type ClientSession, type received } from "#acp/v1";
import { connectMocks } from "#acp/v1/mocks";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createAdapter } from "./adapter.js";

type Result = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>;
type Chunk = Result["stream"] extends ReadableStream<infer Part> ? Part : never;
type Reason = Extract<Chunk, { type: "finish" }>["finishReason"]["unified"];

/** The end of a step that took 10 tokens and gave 5. */
const finish = (unified: Reason): Chunk => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  },
});
const saying = (...words: readonly string[]): Chunk[] => [
  { type: "text-start", id: "1" },
  ...words.map((delta): Chunk => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
];
const calling = (toolName: string, input: object): Chunk => ({
  type: "tool-call",
  toolCallId: "t1",
  toolName,
  input: JSON.stringify(input),
});

/** A model that streams these chunks, one list a request. */
const modelOf = (...steps: readonly Chunk[][]): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    doStream: steps.map((chunks) => ({ stream: simulateReadableStream({ chunks }) })),
  });

/** Connects a client with one file, whose user answers every question alike. */
async function start(
  model: MockLanguageModelV3,
  permission: "allow_once" | "reject_once" = "allow_once",
): Promise<{
  readonly session: ClientSession;
  readonly updates: () => readonly received.SessionUpdate[];
  readonly files: Map<string, string>;
  readonly close: () => void;
}> {
  const files = new Map([["/project/a.txt", "old"]]);
  const mock = await connectMocks(createAdapter({ model, contextWindow: 100 }), {
    user: { permission },
    handlers: {
      fs: {
        readTextFile: ({ path }) => ({ content: files.get(path) ?? "" }),
        writeTextFile: ({ path, content }) => void files.set(path, content),
      },
    },
  });
  return {
    session: await mock.client.newSession({ cwd: "/project" }),
    updates: () => mock.paramsOf("session/update").map(({ update }) => update),
    files,
    close: mock.close,
  };
}

const usage = { sessionUpdate: "usage_update", used: 15, size: 100 };

test("text, thoughts and usage are streamed as they come", async () => {
  const { close, session, updates } = await start(
    modelOf([
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "Hm" },
      { type: "reasoning-end", id: "0" },
      ...saying("Hello", " there"),
      finish("stop"),
    ]),
  );
  assert.deepEqual(await session.prompt("Go"), { stopReason: "end_turn" });
  assert.deepEqual(updates(), [
    { sessionUpdate: "agent_thought_chunk", content: text("Hm") },
    { sessionUpdate: "agent_message_chunk", content: text("Hello") },
    { sessionUpdate: "agent_message_chunk", content: text(" there") },
    usage,
  ]);
  close();
});

test("a tool call begins once, and what follows are updates of it", async () => {
  const input = { path: "a.txt" };
  const { close, session, updates } = await start(
    modelOf(
      [
        { type: "tool-input-start", id: "t1", toolName: "read_file" },
        { type: "tool-input-delta", id: "t1", delta: JSON.stringify(input) },
        { type: "tool-input-end", id: "t1" },
        calling("read_file", input),
        finish("tool-calls"),
      ],
      [...saying("Done"), finish("stop")],
    ),
  );
  await session.prompt("Go");
  const facts = { toolCallId: "t1", title: "read_file", name: "read_file", kind: "read" };
  const content = [{ type: "content", content: text("old") }];
  assert.deepEqual(updates().slice(0, 3), [
    { sessionUpdate: "tool_call", ...facts, status: "pending" },
    { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "in_progress", rawInput: input },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "completed",
      content,
      rawOutput: "old",
    },
  ]);
  close();
});

for (const [answer, status, saved] of [
  ["allow_once", "completed", "new"],
  ["reject_once", "failed", "old"],
] as const) {
  test(`a tool that needs consent is asked for, and has ${status} when the user answers "${answer}"`, async () => {
    const model = modelOf(
      [calling("write_file", { path: "a.txt", text: "new" }), finish("tool-calls")],
      [...saying("Well"), finish("stop")],
    );
    const { close, session, updates, files } = await start(model, answer);
    assert.deepEqual(await session.prompt("Go"), { stopReason: "end_turn" });
    assert.equal(files.get("/project/a.txt"), saved);
    const states = updates().flatMap((update) => ("status" in update ? [update.status] : []));
    const consent = answer === "allow_once" ? ["in_progress"] : [];
    assert.deepEqual(states, ["in_progress", "pending", ...consent, status]);
    close();
  });
}

for (const [reason, stopReason] of [
  ["length", "max_tokens"],
  ["content-filter", "refusal"],
  ["other", "end_turn"],
] as const) {
  test(`a model that ends with "${reason}" stops with ${stopReason}`, async () => {
    const { close, session } = await start(modelOf([...saying("Hm"), finish(reason)]));
    assert.deepEqual(await session.prompt("Go"), { stopReason });
    close();
  });
}

test("a model that fails is an error of the request, without its text", async () => {
  const failing: Chunk[] = [{ type: "error", error: new Error("secret") }, finish("error")];
  const { close, session } = await start(modelOf(failing));
  await assert.rejects(async () => session.prompt("Go"), {
    code: -32603,
    message: "Internal error",
  });
  close();
});

test("a gateway that wants a key is an error that names the variable", async () => {
  const error = Object.assign(new Error("no key"), { name: "GatewayAuthenticationError" });
  const { close, session } = await start(modelOf([{ type: "error", error }, finish("error")]));
  await assert.rejects(async () => session.prompt("Go"), /AI_GATEWAY_API_KEY/);
  close();
});

test("an agent that would never end is stopped", async () => {
  const again = [calling("read_file", { path: "a.txt" }), finish("tool-calls")];
  const { close, session } = await start(modelOf(...Array<Chunk[]>(20).fill(again)));
  assert.deepEqual(await session.prompt("Go"), { stopReason: "max_turn_requests" });
  close();
});

test("a turn that is cancelled stops the model, and is forgotten", async () => {
  const model = modelOf([...saying("Hi"), finish("stop")]);
  const { doStream } = model;
  // At first it streams without end, and stops as the request of a real model does.
  model.doStream = async (options) => {
    model.doStream = doStream;
    const stream = new ReadableStream<Chunk>({
      start: (controller) => {
        saying("Well").forEach((chunk) => controller.enqueue(chunk));
        const { abortSignal } = options;
        abortSignal?.addEventListener("abort", () => controller.error(abortSignal.reason));
      },
    });
    return { stream };
  };
  const { close, session, updates } = await start(model);
  const turn = session.prompt("Go");
  while (updates().length === 0) await sleep(1);
  turn.cancel();
  assert.deepEqual(await turn, { stopReason: "cancelled" });
  await session.prompt("Go");
  const said = model.doStreamCalls.at(-1)?.prompt.filter(({ role }) => role === "user");
  assert.equal(said?.length, 1);
  close();
});
