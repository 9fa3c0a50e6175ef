// The agent of the behavior corpus on the official SDK, version 1.

import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const sessions = new Map();
let abilities;
const state = (id) => sessions.get(id) ?? raise(new RequestError(-32002, "Session not found"));
const raise = (error) => {
  throw error;
};
const text = (text) => ({ type: "text", text });
const facts = ({ mode, model }) => ({
  modes: {
    currentModeId: mode,
    availableModes: [
      { id: "ask", name: "ask" },
      { id: "code", name: "code" },
    ],
  },
  configOptions: [
    {
      type: "select",
      id: "model",
      name: "Model",
      currentValue: model,
      options: ["small", "large"].map((value) => ({ value, name: value })),
    },
  ],
});
const failed = (error) => `failed ${error.code ?? error.name}`;

async function work(prompt, sessionId, client, signal) {
  const [name, ...words] = (prompt[0]?.text ?? "").split(" ");
  const rest = words.join(" ");
  const send = (update) => client.notify("session/update", { sessionId, update });
  const say = (content) =>
    send({
      sessionUpdate: "agent_message_chunk",
      content: typeof content === "string" ? text(content) : content,
    });
  const tool = (sessionUpdate, fields) => send({ sessionUpdate, toolCallId: "t1", ...fields });
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
  state(sessionId).history.push(...prompt);
  switch (name) {
    case "say":
      return say(rest);
    case "think":
      return send({ sessionUpdate: "agent_thought_chunk", content: text(rest) });
    case "count":
      for (let i = 0; i < Number(rest); i++) await say(String(i));
      return;
    case "echo":
      for (const block of prompt.slice(1)) await say(block);
      return;
    case "wait":
      return stopped;
    case "sleep":
      return sleep(Number(rest), undefined, { signal }).catch(() => {});
    case "stubborn":
      await stopped;
      await sleep(Number(rest));
      return say("late");
    case "throw":
      throw new Error(rest);
    case "fail":
      throw new RequestError(Number(words[0]), words.slice(1).join(" "));
    case "ask": {
      await tool("tool_call", { title: "Run", kind: "execute", status: "pending" });
      const options = [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ];
      const { outcome } = await client.request("session/request_permission", {
        sessionId,
        toolCall: { toolCallId: "t1" },
        options,
      });
      const allowed = outcome.outcome === "selected" && outcome.optionId === "allow";
      await tool("tool_call_update", { status: allowed ? "completed" : "failed" });
      return say(allowed ? "allowed" : "not allowed");
    }
    case "read":
      if (!abilities.fs?.readTextFile) return say("failed: the client cannot read files");
      return say(
        await client
          .request("fs/read_text_file", { sessionId, path: rest })
          .then(({ content }) => content, failed),
      );
    case "call":
      return say(await client.request(rest, {}).then(JSON.stringify, failed));
    case "notify":
      return client.notify(rest, {});
    case "tool":
    case "broken": {
      await tool("tool_call", { title: "Look", kind: "read", status: "pending" });
      return tool("tool_call_update", { status: name === "tool" ? "completed" : "failed" });
    }
    case "plan":
      return send({
        sessionUpdate: "plan",
        entries: ["first", "second"].map((content) => ({
          content,
          priority: "medium",
          status: "pending",
        })),
      });
    case "title":
      return send({ sessionUpdate: "session_info_update", title: rest });
    case "mode":
      return send({ sessionUpdate: "current_mode_update", currentModeId: rest });
    case "thread":
      void (async () => {
        for (let i = 0; i < 10; i++, await sleep(20)) await say(`thread ${i}`);
      })();
      return sleep(30);
    case "exit":
      process.exit(Number(rest));
    case "print":
      return console.log(rest);
    case "stop":
      return rest;
    default:
      return say("unsupported");
  }
}

const app = agent({ name: "testee" })
  .onRequest("initialize", ({ params }) => {
    abilities = params.clientCapabilities ?? {};
    return {
      protocolVersion: 1,
      agentInfo: { name: "testee", version: "1.0.0" },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { close: {}, list: {}, resume: {} },
      },
      authMethods: [{ id: "key", name: "Key" }],
    };
  })
  .onRequest("authenticate", ({ params }) =>
    params.methodId === "key" ? {} : raise(RequestError.invalidParams()),
  )
  .onRequest("session/new", async ({ params: { cwd }, client }) => {
    if (cwd === "/slow") await sleep(150);
    if (cwd === "/none") throw new RequestError(-32002, "There is no such folder");
    if (cwd === "/locked") throw RequestError.authRequired();
    const sessionId = crypto.randomUUID();
    sessions.set(sessionId, { cwd, mode: "ask", model: "small", history: [], turns: new Set() });
    // Nothing can be sent behind a response.
    const update = { sessionUpdate: "agent_message_chunk", content: text("unsupported") };
    if (cwd === "/commands") await client.notify("session/update", { sessionId, update });
    return { sessionId, ...facts(sessions.get(sessionId)) };
  })
  .onRequest("session/load", async ({ params: { sessionId }, client }) => {
    for (const content of state(sessionId).history)
      await client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "user_message_chunk", content },
      });
    return facts(state(sessionId));
  })
  .onRequest("session/resume", ({ params }) => facts(state(params.sessionId)))
  .onRequest("session/list", () => ({
    sessions: [...sessions].map(([sessionId, { cwd }]) => ({ sessionId, cwd })),
  }))
  .onRequest("session/close", ({ params }) => {
    for (const turn of state(params.sessionId).turns) turn.abort();
    return {};
  })
  .onRequest("session/set_mode", ({ params: { sessionId, modeId } }) => {
    if (!["ask", "code"].includes(modeId)) throw RequestError.invalidParams();
    state(sessionId).mode = modeId;
    return {};
  })
  .onRequest("session/set_config_option", ({ params: { sessionId, value } }) => {
    if (!["small", "large"].includes(value)) throw RequestError.invalidParams();
    state(sessionId).model = value;
    return { configOptions: facts(state(sessionId)).configOptions };
  })
  .onNotification("session/cancel", ({ params }) => {
    for (const turn of sessions.get(params.sessionId)?.turns ?? []) turn.abort();
  })
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client, signal }) => {
    const turn = new AbortController();
    signal.addEventListener("abort", () => turn.abort());
    state(sessionId).turns.add(turn);
    try {
      const reason = await work(prompt, sessionId, client, turn.signal);
      return {
        stopReason: turn.signal.aborted
          ? "cancelled"
          : typeof reason === "string"
            ? reason
            : "end_turn",
      };
    } finally {
      state(sessionId).turns.delete(turn);
    }
  });
await app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
  .closed;
