// The adapter starter with a mock model. Its argument is the starter's folder.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { stdio } from "acp-bindings/stdio";

const load = (path) => import(pathToFileURL(join(process.argv[2], path)).href);
const { createAdapter } = await load("dist/adapter.js");

const finish = (unified) => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  },
});
const say = (delta) => [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta },
  { type: "text-end", id: "1" },
];
const call = (toolCallId, toolName, input) => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

const STEPS = [
  [
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hm" },
    { type: "reasoning-end", id: "0" },
    { type: "tool-input-start", id: "t1", toolName: "read_file" },
    call("t1", "read_file", { path: "a.txt" }),
    finish("tool-calls"),
  ],
  [call("t2", "write_file", { path: "a.txt", text: "new" }), finish("tool-calls")],
  [...say("Done"), finish("length")],
];

let step = 0;
const model = new MockLanguageModelV3({
  doStream: async ({ abortSignal }) => {
    const chunks = STEPS[step++];
    if (chunks !== undefined) return { stream: simulateReadableStream({ chunks }) };
    // Talks without end, until its request is aborted.
    const stream = new ReadableStream({
      start: (controller) => {
        say("On and on").forEach((chunk) => controller.enqueue(chunk));
        abortSignal.addEventListener("abort", () => controller.error(abortSignal.reason));
      },
    });
    return { stream };
  },
});

await createAdapter({ model, contextWindow: 100 }).connect(stdio()).closed;
