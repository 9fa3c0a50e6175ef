import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Prompts; the last one in a request says what the model does. */
export const PROMPTS = { answer: "(answer)", tool: "(use a tool)", slow: "(answer slowly)" };

/** The command that the model runs with a tool. It changes a file, so that agents ask for permission. */
const COMMAND = "touch placeholder.txt";
const SLOW_MS = 50;

/** The model's reply: texts, or the call of a tool. */
interface Reply {
  /** An id that no other reply has. */
  readonly id: string;
  readonly texts: readonly string[];
  readonly tool: { readonly name: string; readonly input: object } | undefined;
}

/** An event of a stream. */
type Event = { readonly type?: string; readonly [key: string]: unknown };

/** The events of a reply in each API, by the end of its path. */
const APIS: { readonly [path: string]: (reply: Reply) => readonly Event[] } = {
  "/chat/completions": ({ id, texts, tool }) => {
    const chunk = (delta: object, finish_reason: string | null = null): Event => ({
      ...{ id, object: "chat.completion.chunk", created: 0, model: "placeholder" },
      choices: [{ index: 0, delta, finish_reason }],
    });
    const call = tool && { name: tool.name, arguments: JSON.stringify(tool.input) };
    const tool_calls = [{ index: 0, id, type: "function", function: call }];
    const deltas = tool ? [{ tool_calls }] : texts.map((content) => ({ content }));
    const end = chunk({}, tool ? "tool_calls" : "stop");
    return [...deltas.map((delta) => chunk({ role: "assistant", ...delta })), end];
  },
  "/responses": ({ id, texts, tool }) => {
    const part = tool
      ? { type: "function_call", name: tool.name, arguments: JSON.stringify(tool.input) }
      : { type: "message", content: [{ type: "output_text", text: texts.join("") }] };
    const item = { ...part, id, call_id: id, role: "assistant" };
    const usage = { input_tokens: 9, output_tokens: 9, total_tokens: 18 };
    return [
      { type: "response.created", response: { id } },
      { type: "response.output_item.added", item: { ...item, content: [] } },
      ...texts.map((delta) => ({ type: "response.output_text.delta", item_id: id, delta })),
      { type: "response.output_item.done", item },
      { type: "response.completed", response: { id, output: [item], usage } },
    ];
  },
  "/messages": ({ id, texts, tool }) => {
    const usage = { input_tokens: 9, output_tokens: 9 };
    const message = { id, type: "message", role: "assistant", content: [], usage };
    const content_block = tool
      ? { type: "tool_use", id, name: tool.name, input: {} }
      : { type: "text", text: "" };
    const deltas = tool
      ? [{ type: "input_json_delta", partial_json: JSON.stringify(tool.input) }]
      : texts.map((text) => ({ type: "text_delta", text }));
    return [
      { type: "message_start", message: { ...message, model: "placeholder" } },
      { type: "content_block_start", index: 0, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: tool ? "tool_use" : "end_turn" }, usage },
      { type: "message_stop" },
    ];
  },
  ":streamGenerateContent": ({ id, texts, tool }) => {
    const chunk = (part: object, end = {}): Event => ({
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, ...end }],
    });
    const call = tool && { name: tool.name, args: tool.input, id };
    const parts = call ? [{ functionCall: call }] : texts.map((text) => ({ text }));
    return [...parts.map((part) => chunk(part)), chunk({ text: "" }, { finishReason: "STOP" })];
  },
};

/** Starts a server that streams placeholder text through the APIs of several models. */
export async function startModelServer(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { pathname } = new URL(request.url!, "http://localhost");
  const api = Object.keys(APIS).find((path) => pathname.endsWith(path));
  // No turn depends on the other requests, such as those for lists of models.
  if (api === undefined) return void response.writeHead(404).end("{}");
  const { answer, tool, slow } = PROMPTS;
  const [answerAt, toolAt, slowAt] = [answer, tool, slow].map((prompt) => body.lastIndexOf(prompt));
  const isSlow = slowAt! > Math.max(answerAt!, toolAt!);
  const isCallDue = toolAt! > Math.max(answerAt!, slowAt!) && !body.includes(COMMAND, toolAt);
  const call = isCallDue ? findTool(JSON.parse(body)) : undefined;
  const texts = Array.from({ length: isSlow ? 600 : 5 }, (_, index) => `Word ${index}. `);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of APIS[api]!({ id: randomUUID(), texts: call ? [] : texts, tool: call })) {
    if (response.destroyed) return;
    const name = event.type ? `event: ${event.type}\n` : "";
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    if (isSlow) await delay(SLOW_MS);
  }
  response.end(api === "/chat/completions" ? "data: [DONE]\n\n" : "");
}

/** Finds a tool that runs a command, wherever the API has it, with an input that fits its schema. */
function findTool(value: unknown): Reply["tool"] {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, ...rest } = value as { readonly name?: string; readonly [key: string]: any };
  const schema = rest["parameters"] ?? rest["parametersJsonSchema"] ?? rest["input_schema"];
  const command = ["command", "cmd"].find((key) => schema?.properties?.[key] !== undefined);
  if (name === undefined || command === undefined)
    return Object.values(value).map(findTool).find(Boolean);
  const input = schema.required.map((key: string) => {
    const { type } = schema.properties[key];
    const text = key === command ? COMMAND : "placeholder";
    return [key, { boolean: false, number: 1, integer: 1 }[String(type).toLowerCase()] ?? text];
  });
  return { name, input: Object.fromEntries(input) };
}
