// The client of the behavior corpus on the official SDK, version 1. It keeps no state of sessions.

import { Readable, Writable } from "node:stream";
import { client, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

let events = [];
let thoughts = 0;
let answers = "allow";
let sessionId = "s1";
/** What each session waits for when its turn is cancelled, until the next turn. */
const cancels = new Map();
const running = new Map();
const log = (event) => void events.push(event);
const code = (error) => error.code ?? (/closed/i.test(error.message) ? "closed" : "error");
const logged = (name, promise) =>
  promise.then(
    (result) => log(`${name}${result}`),
    (error) => log(`${name.replace(/:$/, "")}!${code(error)}`),
  );
const cancelOf = (id) => cancels.get(id) ?? cancels.set(id, new AbortController()).get(id);
async function prompt(text, id = sessionId) {
  const others = running.get(id) ?? 0;
  if (others === 0) cancels.delete(id);
  running.set(id, others + 1);
  try {
    const content = [{ type: "text", text }];
    return (await agent.request("session/prompt", { sessionId: id, prompt: content })).stopReason;
  } finally {
    running.set(id, running.get(id) - 1);
    if (running.get(id) > 0) cancels.delete(id);
  }
}
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
      cancelOf(sessionId).abort();
      return agent.notify("session/cancel", { sessionId });
    case "new":
      return logged(
        "new:",
        agent.request("session/new", place).then(({ sessionId }) => sessionId),
      );
    case "load":
      if (!abilities?.loadSession) return;
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

/** Asks the user, unless the turn of the session is cancelled: that is the answer then. */
async function ask({ signal, params }, yes, no) {
  const cancelled = AbortSignal.any([signal, cancelOf(params.sessionId).signal]);
  if (cancelled.aborted) return no;
  log("ask");
  if (answers === "throw") throw new Error("a-secret");
  if (answers === "wait") {
    await new Promise((resolve) => cancelled.addEventListener("abort", resolve));
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
  .onRequest("session/request_permission", (context) =>
    ask(
      context,
      { outcome: { outcome: "selected", optionId: "allow" } },
      { outcome: { outcome: "cancelled" } },
    ),
  )
  .onRequest("elicitation/create", (context) =>
    ask(context, { action: "accept", content: { name: "x" } }, { action: "cancel" }),
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
const { protocolVersion, agentCapabilities: abilities } = await agent.request("initialize", {
  protocolVersion: 1,
  clientInfo: { name: "testee", version: "1.0.0" },
  clientCapabilities: { fs: { readTextFile: true }, elicitation: { form: {} } },
});
if (protocolVersion !== 1) process.exit(0);
await agent.request("session/new", place);
await agent.request("session/new", place);
log("opened");
prompt("ready", "control").catch(() => {});
await connection.closed;
