// A peer for the fault scripts, written on the official SDK.

import { Readable, Writable } from "node:stream";
import { agent, client, ndJsonStream } from "@agentclientprotocol/sdk";
import { createBehaviour, facts, options, outlive } from "./fault-behaviour.mjs";

const { role } = options;
const { requests, notifications } = createBehaviour(() => undefined);
const app = role === "agent" ? agent({ name: "faults" }) : client({ name: "faults" });
if (role === "agent")
  app.onRequest("initialize", () => ({
    protocolVersion: 1,
    agentInfo: facts.agentInfo,
    agentCapabilities: facts.agentCapabilities,
    authMethods: facts.authMethods,
  }));

// Extensions first: what is registered later is looked up later.
for (const [method, handle] of extensionsFirst(notifications)) {
  const handler = (context) => handle(context.params, callerOf(context[other()]), context.signal);
  if (method.startsWith("_")) app.onNotification(method, (params) => params, handler);
  else app.onNotification(method, handler);
}
for (const [method, handle] of extensionsFirst(requests)) {
  const handler = (context) => handle(context.params, callerOf(context[other()]), context.signal);
  if (method.startsWith("_")) app.onRequest(method, (params) => params, handler);
  else app.onRequest(method, handler);
}

function extensionsFirst(handlers) {
  const isKnown = ([method]) => Number(!method.startsWith("_"));
  return Object.entries(handlers).sort((one, two) => isKnown(one) - isKnown(two));
}

function other() {
  return role === "agent" ? "client" : "agent";
}

function callerOf(context) {
  return {
    request: async (method, params, cancellationSignal) =>
      context.request(method, params, { cancellationSignal, stopWaitingOnCancel: true }),
    notify: async (method, params) => context.notify(method, params),
  };
}

const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
const connection = app.connect(stream);
const caller = callerOf(connection[other()]);
if (role === "client")
  await caller.request("initialize", {
    protocolVersion: 1,
    clientInfo: facts.clientInfo,
    clientCapabilities: facts.clientCapabilities,
  });
await outlive(connection, caller);
