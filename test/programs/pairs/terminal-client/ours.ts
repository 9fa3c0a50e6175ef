import { spawnAgent } from "acp-bindings/stdio";
import { CANCELLED, createClient } from "acp-bindings/v1";

const [prompt = "", command = "", ...args] = process.argv.slice(2);
const client = createClient({
  info: { name: "terminal", version: "1.0.0" },
  handlers: { session: { requestPermission: () => CANCELLED } },
});
await using connection = await client.connect(spawnAgent(command, args));
const session = await connection.newSession({ cwd: process.cwd() });
const turn = session.prompt(prompt);
for await (const update of turn) {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
    process.stdout.write(update.content.text);
}
console.log(`\n${(await turn).stopReason}`);
