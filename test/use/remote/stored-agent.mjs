// An agent of the page "Several processes": node stored-agent.mjs <node> <port> <folder>

import { createServer } from "node:http";
import { fileSessions } from "acp-bindings/file-sessions";
import { createHttpHandler } from "acp-bindings/remote";
import { nodeListener, nodeUpgrade } from "acp-bindings/remote/node";
import { createAgent, SessionStore } from "acp-bindings/v1";
import { WebSocketServer } from "ws";

const [node, port, folder] = process.argv.slice(2);
const sessions = new SessionStore({ backend: fileSessions(folder) });
const agent = createAgent({
  info: { name: node, version: "1.0.0" },
  handlers: {
    session: {
      new: ({ cwd }) => ({ sessionId: sessions.create({ cwd, turns: [] }) }),
      load: async ({ sessionId }, { session }) => {
        for (const turn of (await sessions.open(sessionId)).turns) await session.text(turn);
      },
      prompt: ({ prompt: [{ text }] }, { session, signal }) =>
        sessions.turn(session.id, async ({ turns }) => {
          const turn = `${text} on ${node};`;
          await session.text(turn);
          if (text === "wait")
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          turns.push(turn);
          return { stopReason: "end_turn" };
        }),
    },
  },
});
const acp = createHttpHandler({
  connectionId: () => `${node}.${crypto.randomUUID()}`,
  serve: (transport) => agent.connect(transport),
});
const sockets = new WebSocketServer({ noServer: true });
createServer(nodeListener(acp))
  .on("upgrade", nodeUpgrade(acp, sockets))
  .listen(Number(port), "127.0.0.1", () => console.log("ready"));
