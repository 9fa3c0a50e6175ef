// An agent written on the generated bindings.

import { stdio } from "acp-bindings/stdio";
import { createAgent, defineNotification, defineRequest, METHODS } from "acp-bindings/v1";
import { createBehaviour, facts } from "./behaviour.mjs";

const { requests, notifications } = createBehaviour();
const handlers = {};
const extensions = [];

for (const [method, handle] of Object.entries({ ...requests, ...notifications })) {
  const handler = (params, { client, signal }) => handle(params, callerOf(client), signal);
  const known = METHODS.find(({ name, side }) => name === method && side === "agent");
  if (known === undefined) {
    const define = method in requests ? defineRequest : defineNotification;
    extensions.push(define({ method }).handle(handler));
  } else {
    const holder = known.handler.slice(0, -1).reduce((at, name) => (at[name] ??= {}), handlers);
    holder[known.handler.at(-1)] = handler;
  }
}

/** The client's methods by their names on the wire. */
function callerOf(peer) {
  const find = (method) =>
    METHODS.find(({ name, side }) => name === method && side === "client")?.handler.reduce(
      (at, name) => at[name],
      peer,
    );
  return {
    request: (method, params, signal) =>
      find(method)?.(params, { signal }) ?? peer.request(method, params, { signal }),
    notify: (method, params) => find(method)?.(params) ?? peer.notify(method, params),
  };
}

const agent = createAgent({
  // It also makes mistakes.
  checkOutgoing: false,
  onError: () => {},
  info: facts.agentInfo,
  capabilities: facts.agentCapabilities,
  authMethods: facts.authMethods,
  handlers,
  extensions,
});
await agent.connect(stdio()).closed;
