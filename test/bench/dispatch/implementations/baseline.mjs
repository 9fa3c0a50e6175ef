// The same turn on nothing: JSON, a table of handlers, line feeds. No checks, no errors, no limits.

import { spawn } from "node:child_process";
import { once } from "node:events";

/** @param write takes a line without its end; a promise when it wants to be waited for */
function createLoop(handlers, write) {
  const pending = new Map();
  let nextId = 0;
  const send = (message) => write(JSON.stringify(message));
  return {
    receive: (line) => {
      const { id, method, params, result } = JSON.parse(line);
      if (method === undefined) return pending.get(id)(result);
      const returned = handlers.get(method)(params);
      if (id !== undefined)
        void Promise.resolve(returned).then((result) => send({ jsonrpc: "2.0", id, result }));
    },
    request: (method, params) =>
      new Promise((resolve) => {
        pending.set(nextId, resolve);
        send({ jsonrpc: "2.0", id: nextId++, method, params });
      }),
    notify: (method, params) => send({ jsonrpc: "2.0", method, params }),
  };
}

function makeAgent({ prompt, usage }, write) {
  const handlers = new Map();
  const loop = createLoop(handlers, write);
  const update = (params) => loop.notify("session/update", params);
  handlers.set("session/prompt", (params) => prompt(params, update));
  handlers.set("_bench/usage", usage);
  return loop;
}

function makeClient({ update, others }, write) {
  const handlers = new Map(others.map((name) => [name, () => {}]));
  handlers.set("session/update", update);
  return createLoop(handlers, write);
}

function open(loop, close = () => {}) {
  return {
    prompt: (params) => loop.request("session/prompt", params),
    usage: () => loop.request("_bench/usage", {}),
    close,
  };
}

/** Lines in and out of a pair of byte streams. */
function overStreams(input, output, make) {
  const loop = make((line) => (output.write(`${line}\n`) ? undefined : once(output, "drain")));
  let rest = "";
  input.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) loop.receive(line);
  });
  return loop;
}

export async function connectToProcess(command, args, client) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const loop = overStreams(child.stdout, child.stdin, (write) => makeClient(client, write));
  return open(loop, () => child.kill());
}

export function serve(agent) {
  overStreams(process.stdin, process.stdout, (write) => makeAgent(agent, write));
}
