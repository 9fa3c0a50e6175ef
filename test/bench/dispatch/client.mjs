// The client as a process: it takes a turn whenever the bench asks for one.
// Arguments: the implementation's module, the file with the updates, the number of handlers.

import { fileURLToPath } from "node:url";
import { createMeter } from "./meter.mjs";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

const [implementation, file, handlers] = process.argv.slice(2);
const meter = createMeter();
let received = 0;
let expected = 0;
let arrived = () => {};

const client = {
  update: () => {
    meter.tick();
    if (++received === expected) arrived();
  },
  others: Array.from({ length: Number(handlers) - 1 }, (_, index) => `_bench/other_${index}`),
};

const { connectToProcess } = await import(implementation);
const command = [...process.execArgv, AGENT, implementation, file];
const session = await connectToProcess(process.execPath, command, client);
process.on("message", (turn) => void take(turn).then((took) => process.send(took)));
process.on("disconnect", () => {
  session.close();
  process.exit();
});
process.send("ready");

/** A turn ends when it is answered and every update has reached its handler. */
async function take({ count, withHeap = false, collectFirst = false }) {
  received = 0;
  expected = count;
  const all = new Promise((resolve) => (arrived = resolve));
  const text = JSON.stringify({ count, withHeap });
  meter.start(count, withHeap);
  await session.usage();
  if (collectFirst) gc({ type: "minor" });
  const { heapUsed } = process.memoryUsage();
  meter.read();
  await session.prompt({ sessionId: "s-1", prompt: [{ type: "text", text }] });
  const late = count - received;
  await all;
  const { cpu, heap } = meter.read();
  const grown = process.memoryUsage().heapUsed - heapUsed;
  const agent = await session.usage();
  return {
    client: cpu,
    agent: agent.cpu,
    late,
    grown,
    heap,
    agentHeap: agent.heap,
  };
}
