import { createInterface } from "node:readline/promises";
import { spawnAgent } from "acp-bindings/stdio";
import { createClient, select } from "acp-bindings/v1";

// The example client of the official SDK: one prompt, whose updates and questions are printed.
const [command = "node", ...args] = process.argv.slice(2);
const terminal = createInterface({ input: process.stdin });
const answers = terminal[Symbol.asyncIterator]();

const client = createClient({
  info: { name: "example-client", version: "1.0.0" },
  handlers: {
    session: {
      update: {
        agent_message_chunk: ({ content }) =>
          console.log(content.type === "text" ? content.text : `[${content.type}]`),
        tool_call: ({ title }) => console.log(`* ${title}`),
        tool_call_update: ({ toolCallId, status }, { session }) =>
          console.log(`* ${session.state.toolCalls.get(toolCallId)?.title} ${status}`),
        "*": ({ sessionUpdate }) => console.log(`[${sessionUpdate}]`),
      },
      requestPermission: async ({ toolCall, options }) => {
        console.log(`? ${toolCall.title}`);
        options.forEach(({ name, kind }, index) =>
          console.log(`  ${index + 1}. ${name} (${kind})`),
        );
        for (;;) {
          const option = options[Number((await answers.next()).value) - 1];
          if (option !== undefined) return select(option);
          console.log("Choose one of the numbers");
        }
      },
    },
    fs: {
      readTextFile: () => ({ content: "Mock file content" }),
      writeTextFile: ({ path }) => console.error("write", path),
    },
  },
});

await using connection = await client.connect(spawnAgent(command, args));
console.log(`Connected with version ${connection.protocolVersion}`);
const session = await connection.newSession({ cwd: process.cwd() });
const { stopReason } = await session.prompt("Hello, agent!");
console.log(`Completed with ${stopReason}`);
terminal.close();
