// The client as a process: it takes a turn whenever the bench asks for one.
// Arguments: the implementation's module, the file with the updates, the transport, the number of handlers.

import { fileURLToPath } from "node:url";
import { createAgentBehavior } from "./agent.mjs";
import { createMeter } from "./meter.mjs";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

const [implementation, file, transport, handlers] = process.argv.slice(2);
const meter = createMeter();
let received = 0;
let expected = 0;
let arrived = () => {};
let delays = [];

const client = {
  update: ({ _meta }) => {
    if (typeof _meta?.sentAt === "number")
      delays.push(Number(process.hrtime.bigint()) - _meta.sentAt);
    meter.tick();
    if (++received === expected) arrived();
  },
  others: Array.from({ length: Number(handlers) - 1 }, (_, index) => `_bench/other_${index}`),
};

const { connectInMemory, connectToProcess } = await import(implementation);
const command = [...process.execArgv, AGENT, implementation, file];
const session =
  transport === "memory"
    ? await connectInMemory(createAgentBehavior(file), client)
    : await connectToProcess(process.execPath, command, client);
process.on("message", (turn) => void take(turn).then((took) => process.send(took)));
process.on("disconnect", () => {
  session.close();
  process.exit();
});
process.send("ready");

/** A turn ends when it is answered and every update has reached its handler. */
async function take({ count, every = 0, withHeap = false, collectFirst = false }) {
  received = 0;
  expected = count;
  delays = [];
  const all = new Promise((resolve) => (arrived = resolve));
  const text = JSON.stringify({ count, every, withHeap });
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
    agent: agent.cpu ?? 0,
    late,
    grown,
    heap,
    agentHeap: agent.heap ?? {},
    delays,
  };
}
