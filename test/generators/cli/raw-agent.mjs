// An agent for tests, written without the bindings: it does whatever its first argument, a JSON object, says.
// version: the version that it answers; refuses: methods that it answers with an error; silent: methods that it does
// not answer; noise: text that it writes first; hybrid: it answers version 2 with the members of version 1.
import { createInterface } from "node:readline";

const {
  version,
  refuses = {},
  silent = [],
  noise,
  hybrid = false,
} = JSON.parse(process.argv[2] ?? "{}");
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (change) =>
  send({ method: "session/update", params: { sessionId: "s1", update: change } });
const text = (words) => ({
  ...{ sessionUpdate: "agent_message_chunk", messageId: "m1" },
  content: { type: "text", text: words },
});
let prompt;
let isV2 = false;

const answers = {
  initialize: ({ protocolVersion }) => {
    isV2 = (version ?? Math.min(protocolVersion, 2)) === 2;
    const info = { name: "raw", version: "1.2.3" };
    if (version > 2 || hybrid)
      return { protocolVersion: version ?? protocolVersion, agentInfo: info };
    return isV2
      ? { protocolVersion: 2, info, capabilities: {} }
      : {
          ...{ protocolVersion: 1, agentInfo: info },
          agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } },
          authMethods: [{ id: "key", name: "An API key" }],
        };
  },
  "session/new": () => ({ sessionId: "s1" }),
  "session/list": () => ({ sessions: [{ sessionId: "s1", cwd: "/" }] }),
  "session/load": () => ({}),
  "session/resume": () => ({}),
  "session/close": () => ({}),
};

if (noise) process.stdout.write(noise);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (silent.includes(method)) return;
  if (refuses[method]) send({ id, error: { code: refuses[method], message: "refused" } });
  else if (answers[method]) send({ id, result: answers[method](params) });
  else if (method === "session/prompt") {
    prompt = id;
    if (isV2) send({ id, result: { messageId: "m0" } });
    update(text("Hello, "));
    update(text("there."));
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const toolCall = { toolCallId: "t1" };
    send({
      id: 9,
      method: "session/request_permission",
      params: { sessionId: "s1", toolCall, options },
    });
  } else if (id === 9) {
    const stopReason = result?.outcome.outcome === "cancelled" ? "end_turn" : "refusal";
    if (isV2) update({ sessionUpdate: "state_update", state: "idle", stopReason });
    else send({ id: prompt, result: { stopReason } });
  }
});
