// A client that starts the agent it is given and prints how many updates came in order.
import process from "node:process";
import { spawnAgent } from "acp-bindings/stdio";
import { createClient } from "acp-bindings/v1";

const [command, ...args] = process.argv.slice(2);
let count = 0;
let misplaced = 0;
const client = createClient({
  info: { name: "updates", version: "1" },
  handlers: {
    session: {
      update: ({ update }) => void (Number(update.content.text) === count++ || misplaced++),
      requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
    },
  },
});
const agent = spawnAgent(command, args);
const connection = await client.connect(agent);
const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
const prompt = [{ type: "text", text: "Go" }];
const { stopReason } = await connection.agent.session.prompt({ sessionId, prompt });
console.log(JSON.stringify({ stopReason, count, misplaced }));
connection.close();
await agent.exited;
process.exit(0);
