import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const [prompt = "", command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
const terminal = client({ name: "terminal" }).onRequest(
  methods.client.session.requestPermission,
  () => ({ outcome: { outcome: "cancelled" } }),
);
await terminal.connectWith(ndJsonStream(Writable.toWeb(child.stdin), output), async (agent) => {
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
  await agent.buildSession(process.cwd()).withSession(async (session) => {
    void session.prompt(prompt);
    for (;;) {
      const message = await session.nextUpdate();
      if (message.kind === "stop") return console.log(`\n${message.stopReason}`);
      const { update } = message;
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        process.stdout.write(update.content.text);
    }
  });
});
child.kill();
