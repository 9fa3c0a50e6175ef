// The processes beside the bridge: `agent`, which sends updates with the time at which they were sent, and `proxy`,
// which parses and prints every line between its own input and output and such an agent. Both take the version of the
// agent, the number of updates, and the rest after each in milliseconds.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [role, version, count, pause] = process.argv.slice(2);
const lines = (input, take) => createInterface({ input }).on("line", take);
const copy = (output) => (line) => output.write(`${JSON.stringify(JSON.parse(line))}\n`);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const info = { name: "agent", version: "1" };
const RESULTS = {
  1: { initialize: { protocolVersion: 1, agentInfo: info }, "session/new": { sessionId: "s" } },
  2: {
    initialize: { protocolVersion: 2, info, capabilities: { session: {} } },
    "session/new": { sessionId: "s" },
    "session/prompt": { messageId: "prompt" },
  },
}[version];

if (role === "proxy") {
  const agent = spawn(process.execPath, [process.argv[1], "agent", ...process.argv.slice(3)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  lines(process.stdin, copy(agent.stdin)).on("close", () => agent.stdin.end());
  lines(agent.stdout, copy(process.stdout));
} else
  lines(process.stdin, (line) => {
    const { id, method, params } = JSON.parse(line);
    const isOther = method === "initialize" && String(params.protocolVersion) !== version;
    if (isOther) return send({ id, error: { code: -32602, message: "Another version" } });
    if (method in RESULTS) send({ id, result: RESULTS[method] });
    if (method === "session/prompt") work(Number(count), () => end(id));
  });

function update(value) {
  send({ method: "session/update", params: { sessionId: "s", update: value } });
}

function work(left, done) {
  if (left === 0) return done();
  const text = String(process.hrtime.bigint());
  update({
    sessionUpdate: "agent_message_chunk",
    ...(version === "2" && { messageId: "answer" }),
    content: { type: "text", text },
  });
  setTimeout(work, Number(pause), left - 1, done);
}

function end(id) {
  if (version === "1") send({ id, result: { stopReason: "end_turn" } });
  else update({ sessionUpdate: "state_update", state: "idle" });
}
