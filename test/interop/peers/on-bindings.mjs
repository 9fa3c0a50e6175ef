// Both sides of a script, played on the generated bindings.

import { defineNotification, defineRequest, RpcError } from "acp-bindings";
import { stdio } from "acp-bindings/stdio";
import { Player } from "./player.mjs";

/** The agent of a script; `connect` takes what our connections take. */
export async function createAgent(profile, script) {
  const bindings = await load(profile);
  let connection;
  const { player, options } = createRole(bindings, script, "agent", () => connection.client);
  const agent = bindings.createAgent({ ...describe(script.agent), ...options });
  return { player, connect: (transport) => (connection = agent.connect(transport)) };
}

/** Plays the client of a script to its end. */
export async function playClient(profile, script, transport) {
  const bindings = await load(profile);
  const { player, options } = createRole(bindings, script, "client", () => connection.agent);
  const client = bindings.createClient({ ...describe(script.client), ...options });
  const connection = client.open(transport);
  const { handshake } = await connection.initialize();
  player.compare(
    handshake.response,
    { protocolVersion: script.version, ...script.agent },
    "initialize",
  );
  await player.play([...script.steps, ...script.last]);
  connection.close();
  await connection.closed;
  return player;
}

export function openStdio() {
  return stdio();
}

function load(profile) {
  return import(/* @vite-ignore */ `acp-bindings/${profile}`);
}

/** One side of the script, with everything that comes in as handlers. */
function createRole({ METHODS }, script, side, peer) {
  const pathOf = (name, kind, handledBy) =>
    METHODS.find(
      (method) => method.name === name && method.kind === kind && method.side === handledBy,
    )?.handler;
  const other = side === "agent" ? "client" : "agent";
  const at = (path) => path.reduce((holder, key) => holder[key], peer());
  const caller = {
    request: (name, params, signal) => {
      const path = pathOf(name, "request", other);
      if (path === undefined) return peer().request(name, params, { signal });
      return at(path)(params, { signal });
    },
    notify: (name, params) => {
      const path = pathOf(name, "notification", other);
      return path === undefined ? peer().notify(name, params) : at(path)(params);
    },
  };
  const player = new Player(script, side, caller, (code) => new RpcError(code, "refused"));
  const handlers = {};
  const extensions = [];
  for (const [kind, name] of player.incoming) {
    const handle = (params, { signal }) => player.receive(kind, name, params, signal);
    const path = pathOf(name, kind, side);
    if (path === undefined) {
      const define = kind === "request" ? defineRequest : defineNotification;
      extensions.push(define({ method: name }).handle(handle));
    } else {
      const holder = path.slice(0, -1).reduce((at, key) => (at[key] ??= {}), handlers);
      holder[path.at(-1)] = handle;
    }
  }
  const onError = (error) => player.problems.push(String(error));
  // What conforms is neither repaired nor unknown.
  const onNotes = (dropped, { method }) =>
    player.problems.push(`${method}: ${JSON.stringify(dropped)}`);
  return { player, options: { handlers, extensions, onError, onNotes } };
}

/** What a side says of itself, as `createAgent` and `createClient` take it. */
function describe({ info, clientInfo, agentInfo, authMethods, ...rest }) {
  const [capabilities] = Object.values(rest);
  return {
    info: info ?? clientInfo ?? agentInfo,
    capabilities,
    ...(authMethods && { authMethods }),
  };
}
