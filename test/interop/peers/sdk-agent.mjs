// An agent written on the official SDK.

import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk";
import { createBehaviour, facts } from "./behaviour.mjs";

const { requests, notifications } = createBehaviour();
const app = agent({ name: "interop" }).onRequest("initialize", () => ({
  protocolVersion: 1,
  agentInfo: facts.agentInfo,
  agentCapabilities: facts.agentCapabilities,
  authMethods: facts.authMethods,
}));

for (const [method, handle] of Object.entries(requests)) {
  const handler = ({ params, client, signal }) => handle(params, callerOf(client), signal);
  if (method.startsWith("_")) app.onRequest(method, (params) => params, handler);
  else app.onRequest(method, handler);
}
for (const [method, handle] of Object.entries(notifications)) {
  const handler = ({ params, client }) => handle(params, callerOf(client));
  if (method.startsWith("_")) app.onNotification(method, (params) => params, handler);
  else app.onNotification(method, handler);
}

function callerOf(client) {
  return {
    request: (method, params, cancellationSignal) =>
      client.request(method, params, { cancellationSignal }),
    notify: (method, params) => client.notify(method, params),
  };
}

const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
await app.connect(stream).closed;
