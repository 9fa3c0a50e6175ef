// The processes beside the bridge: `agent`, which speaks version 2 and sends updates with the time at which they were
// sent, and `proxy`, which parses and prints every line between its own input and output and such an agent.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [role, count, pause] = process.argv.slice(2);
const lines = (input, take) => createInterface({ input }).on("line", take);
const copy = (output) => (line) => output.write(`${JSON.stringify(JSON.parse(line))}\n`);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const RESULTS = {
  initialize: {
    protocolVersion: 2,
    info: { name: "agent", version: "1" },
    capabilities: { session: {} },
  },
  "session/new": { sessionId: "s" },
  "session/prompt": { messageId: "prompt" },
};

if (role === "proxy") {
  const agent = spawn(process.execPath, [process.argv[1], "agent", count, pause], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  lines(process.stdin, copy(agent.stdin)).on("close", () => agent.stdin.end());
  lines(agent.stdout, copy(process.stdout));
} else
  lines(process.stdin, (line) => {
    const { id, method } = JSON.parse(line);
    send({ id, result: RESULTS[method] });
    if (method === "session/prompt") work(Number(count));
  });

function update(value) {
  send({ method: "session/update", params: { sessionId: "s", update: value } });
}

function work(left) {
  if (left === 0) return update({ sessionUpdate: "state_update", state: "idle" });
  const text = String(process.hrtime.bigint());
  update({
    sessionUpdate: "agent_message_chunk",
    messageId: "answer",
    content: { type: "text", text },
  });
  setTimeout(work, Number(pause), left - 1);
}
