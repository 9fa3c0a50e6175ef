// The client of the behavior corpus on the official SDK, version 1. It keeps no state of sessions.

import { Readable, Writable } from "node:stream";
import { client, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

let events = [];
let thoughts = 0;
let answers = "allow";
let sessionId = "s1";
const log = (event) => void events.push(event);
const code = (error) => error.code ?? (/closed/i.test(error.message) ? "closed" : "error");
const logged = (name, promise) =>
  promise.then(
    (result) => log(`${name}${result}`),
    (error) => log(`${name.replace(/:$/, "")}!${code(error)}`),
  );
const prompt = (text, id = sessionId) =>
  agent
    .request("session/prompt", { sessionId: id, prompt: [{ type: "text", text }] })
    .then(({ stopReason }) => stopReason);
const place = { cwd: "/", mcpServers: [] };

/** Carries out a command that the agent gives in the session `control`. */
function run(command) {
  const [name, ...words] = command.split(" ");
  const [first] = words;
  switch (name) {
    case "log": {
      const text = ["log", ...events].join(" ");
      events = [];
      return prompt(text, "control");
    }
    case "count":
      return prompt(`count ${thoughts}`, "control");
    case "answer":
      return void (answers = first);
    case "prompt":
      return logged(`${words.join(" ")}:`, prompt(words.join(" ")));
    case "cancel":
      return agent.notify("session/cancel", { sessionId });
    case "new":
      return logged(
        "new:",
        agent.request("session/new", place).then(({ sessionId }) => sessionId),
      );
    case "load":
      return logged(
        "load:",
        agent
          .request("session/load", { ...place, sessionId: first })
          .then(() => (sessionId = first)),
      );
    case "resume":
      return logged(
        "resume:",
        agent.request("session/resume", { ...place, sessionId: first }).then(() => first),
      );
    case "close":
      return logged(
        "close:",
        agent.request("session/close", { sessionId }).then(() => "ok"),
      );
    case "ping":
      return agent.notify("_testee.dev/ping");
    default:
      return prompt("unsupported", "control");
  }
}

async function ask(signal, yes, no) {
  log("ask");
  if (answers === "throw") throw new Error("a-secret");
  if (answers === "wait") {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return no;
  }
  if (answers === "call") await agent.request("_testee.dev/ask", {});
  return answers === "reject" ? { outcome: { outcome: "selected", optionId: "reject" } } : yes;
}

const app = client({ name: "testee" })
  .onRequest("fs/read_text_file", ({ params: { path } }) => {
    if (path === "/none") throw new RequestError(-32002, "There is no such file");
    return { content: `text of ${path}` };
  })
  .onRequest("session/request_permission", ({ signal }) =>
    ask(
      signal,
      { outcome: { outcome: "selected", optionId: "allow" } },
      { outcome: { outcome: "cancelled" } },
    ),
  )
  .onRequest("elicitation/create", ({ signal }) =>
    ask(signal, { action: "accept", content: { name: "x" } }, { action: "cancel" }),
  )
  .onNotification("session/update", ({ params: { sessionId, update } }) => {
    const { sessionUpdate, content } = update;
    if (sessionId === "control") {
      if (content) void Promise.resolve(run(content.text)).catch(() => {});
    } else if (sessionUpdate === "agent_thought_chunk") thoughts++;
    else
      log(
        `u:${sessionUpdate === "agent_message_chunk" ? (content.text ?? content.type) : sessionUpdate}`,
      );
  });
const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
const connection = app.connect(stream);
const { agent } = connection;
await agent.request("initialize", {
  protocolVersion: 1,
  clientInfo: { name: "testee", version: "1.0.0" },
  clientCapabilities: { fs: { readTextFile: true }, elicitation: { form: {} } },
});
await agent.request("session/new", place);
await agent.request("session/new", place);
log("opened");
prompt("ready", "control").catch(() => {});
await connection.closed;
