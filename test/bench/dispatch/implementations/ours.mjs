// A prompt turn on the generated bindings, with everything that is on by default.

import { spawnAgent, stdio } from "acp-bindings/stdio";
import { createAgent, createClient, defineNotification, defineRequest } from "acp-bindings/v1";

const info = { name: "bench", version: "1.0.0" };

function makeAgent({ prompt, usage }) {
  return createAgent({
    info,
    handlers: {
      session: {
        new: () => ({ sessionId: "s-1" }),
        prompt: (params, { client }) => prompt(params, client.session.update),
        cancel: () => {},
      },
    },
    extensions: [defineRequest({ method: "_bench/usage" }).handle(usage)],
  });
}

function makeClient({ update, others }) {
  return createClient({
    info,
    // What the updates of the mix need.
    capabilities: {
      terminal: true,
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    },
    handlers: {
      session: { update, requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
      terminal: {
        create: () => ({ terminalId: "t" }),
        output: () => ({ output: "", truncated: false }),
        release: () => {},
        waitForExit: () => ({}),
        kill: () => {},
      },
    },
    extensions: others.map((method) => defineNotification({ method }).handle(() => {})),
  });
}

async function open(client, transport, kill) {
  const connection = await client.connect(transport);
  return {
    prompt: (params) => connection.agent.session.prompt(params),
    usage: () => connection.agent.request("_bench/usage", {}),
    close: () => {
      connection.close();
      kill?.();
    },
  };
}

export function connectToProcess(command, args, client) {
  const agent = spawnAgent(command, args);
  return open(makeClient(client), agent, agent.kill);
}

export function serve(agent) {
  makeAgent(agent).connect(stdio());
}
