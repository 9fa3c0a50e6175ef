// Prints how many functions of the bindings are called for an update, on both sides of a connection in memory.
import { Session } from "node:inspector/promises";
import { memoryTransports } from "acp-bindings";
import { createAgent, createClient } from "acp-bindings/v1";

const info = { name: "bench", version: "1.0.0" };
const chunk = {
  sessionId: "s",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } },
};
const agent = createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      prompt: async ({ prompt: [{ text }] }, { client }) => {
        for (let count = Number(text); count > 0; count--) await client.session.update(chunk);
        return { stopReason: "end_turn" };
      },
    },
  },
});
const client = createClient({
  info,
  handlers: { session: { update: () => {}, requestPermission: () => {} } },
});
const [left, right] = memoryTransports();
agent.connect(right);
const connection = await client.connect(left);

const profiler = new Session();
profiler.connect();
await profiler.post("Profiler.enable");
await profiler.post("Profiler.startPreciseCoverage", { callCount: true });

/** Returns the calls during a turn with some updates. */
async function callsOf(updates) {
  await profiler.post("Profiler.takePreciseCoverage");
  const text = `${updates}`;
  await connection.agent.session.prompt({ sessionId: "s", prompt: [{ type: "text", text }] });
  const { result } = await profiler.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => url.includes("/out/typescript/dist/"))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges: [{ count }] }) => sum + count, 0);
}

await callsOf(10);
const few = await callsOf(100);
console.log(((await callsOf(200)) - few) / 100);
process.exit();
