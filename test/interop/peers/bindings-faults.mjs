// A peer for the fault scripts, written on the generated bindings.

import { stdio } from "acp-bindings/stdio";
import {
  createAgent,
  createClient,
  defineNotification,
  defineRequest,
  METHODS,
} from "acp-bindings/v1";
import { createBehaviour, facts, noteDropped, options, outlive } from "./fault-behaviour.mjs";

const { role, limits } = options;
const { requests, notifications } = createBehaviour(() => connection.stats);
const handlers = {};
const extensions = [];

for (const [method, handle] of Object.entries({ ...requests, ...notifications })) {
  const handler = (params, { agent, client, signal }) =>
    handle(params, callerOf(agent ?? client), signal);
  const known = METHODS.find(({ name, side }) => name === method && side === role);
  if (known === undefined) {
    const define = method in requests ? defineRequest : defineNotification;
    extensions.push(define({ method }).handle(handler));
  } else {
    const holder = known.handler.slice(0, -1).reduce((at, name) => (at[name] ??= {}), handlers);
    holder[known.handler.at(-1)] = handler;
  }
}

/** The other side's methods by their names on the wire. */
function callerOf(peer) {
  const find = (method) =>
    METHODS.find(({ name, side }) => name === method && side !== role)?.handler.reduce(
      (at, name) => at[name],
      peer,
    );
  return {
    request: (method, params, signal) =>
      find(method)?.(params, { signal }) ?? peer.request(method, params, { signal }),
    notify: (method, params) => find(method)?.(params) ?? peer.notify(method, params),
  };
}

const common = { handlers, extensions, limits, onNotes: noteDropped };
const connection =
  role === "agent"
    ? createAgent({
        ...common,
        info: facts.agentInfo,
        capabilities: facts.agentCapabilities,
        authMethods: facts.authMethods,
      }).connect(stdio())
    : createClient({
        ...common,
        info: facts.clientInfo,
        capabilities: facts.clientCapabilities,
      }).open(stdio());
if (role === "client") await connection.initialize();
await outlive(connection, callerOf(role === "client" ? connection.agent : connection.client));
