// Both sides of a script, played on the official SDK.

import { Readable, Writable } from "node:stream";
import { Player } from "./player.mjs";

const ENTRIES = {
  v1: "",
  "v1-unstable": "/unstable",
  "v1-full": "/experimental/nes",
  v2: "/experimental/v2",
  "v2-unstable": "/experimental/v2/unstable",
};

/** The agent of a script; `connect` takes a stream of the SDK. */
export async function createAgent(profile, script) {
  const sdk = await load(profile);
  let connection;
  const player = createPlayer(sdk, script, "agent", () => connection.client);
  const app = sdk.agent({ name: "interop" }).onRequest("initialize", ({ params }) => {
    player.compare(params, { protocolVersion: script.version, ...script.client }, "initialize");
    return { protocolVersion: script.version, ...script.agent };
  });
  register(app, player);
  return { player, connect: (...args) => (connection = app.connect(...args)) };
}

/** Plays the client of a script to its end. */
export async function playClient(profile, script, stream) {
  const sdk = await load(profile);
  const player = createPlayer(sdk, script, "client", () => connection.agent);
  const app = sdk.client({ name: "interop" });
  register(app, player);
  const connection = app.connect(stream);
  const hello = { protocolVersion: script.version, ...script.client };
  const answer = await connection.agent.request("initialize", hello);
  player.compare(answer, { protocolVersion: script.version, ...script.agent }, "initialize");
  await player.play([...script.steps, ...script.last]);
  connection.close();
  // The SDK leaves the streams open.
  await stream.writable.close();
  return player;
}

export async function openStdio(profile) {
  const { ndJsonStream } = await load(profile);
  return ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
}

function load(profile) {
  return import(/* @vite-ignore */ `@agentclientprotocol/sdk${ENTRIES[profile]}`);
}

function createPlayer({ RequestError }, script, side, peer) {
  const caller = {
    request: (method, params, cancellationSignal) =>
      peer().request(method, params, { cancellationSignal }),
    notify: (method, params) => peer().notify(method, params),
  };
  return new Player(script, side, caller, (code) => new RequestError(code, "refused"));
}

/** Registers everything that comes in with an app of the SDK. */
function register(app, player) {
  for (const [kind, method] of player.incoming) {
    const handle = ({ params, signal }) => player.receive(kind, method, params, signal);
    // Methods outside the protocol need a parser.
    const parser = method.startsWith("_") ? [(params) => params] : [];
    if (kind === "request") app.onRequest(method, ...parser, handle);
    else app.onNotification(method, ...parser, handle);
  }
}
