// The same turn on the official SDK, as its documentation recommends it.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { agent, client, methods, ndJsonStream } from "@agentclientprotocol/sdk";

const info = { name: "bench", version: "1.0.0" };

function makeAgent({ prompt, usage }) {
  const app = agent({ name: "bench" });
  app.onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentInfo: info }));
  app.onRequest(methods.agent.session.new, () => ({ sessionId: "s-1" }));
  app.onRequest(methods.agent.session.prompt, (context) =>
    prompt(context.params, (params) =>
      context.client.notify(methods.client.session.update, params),
    ),
  );
  app.onNotification(methods.agent.session.cancel, () => {});
  return app.onRequest("_bench/usage", (params) => params, usage);
}

function makeClient({ update, others }) {
  const app = client({ name: "bench" });
  const parse = (params) => params;
  for (const name of others) app.onNotification(name, parse, () => {});
  return app.onNotification(methods.client.session.update, ({ params }) => update(params));
}

async function open(connection, kill) {
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientInfo: info,
    clientCapabilities: {},
  });
  return {
    prompt: (params) => connection.agent.request(methods.agent.session.prompt, params),
    usage: () => connection.agent.request("_bench/usage", {}),
    close: () => {
      connection.close();
      kill?.();
    },
  };
}

export function connectToProcess(command, args, client) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  return open(makeClient(client).connect(stream), () => child.kill());
}

export function serve(agent) {
  const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
  makeAgent(agent).connect(stream);
}
