import { AcpError } from "../acp-error.js";
import { requireArgument } from "../rpc/require-argument.js";
import type { MessageStream } from "../rpc/transports/transport.js";
import { BridgeCore, type Tables } from "./core.js";
import type { BridgeLoss } from "./losses.js";

export interface BridgeOptions {
  /** The messages from and to the client. */
  readonly client: MessageStream;
  /** The messages from and to the agent. */
  readonly agent: MessageStream;
  /** Called with everything that cannot be passed on as it is. */
  readonly onLoss?: (loss: BridgeLoss) => void;
  /** The version of the agent; found out when absent, at the cost of another `initialize`. */
  readonly agentVersion?: 1 | 2;
  /** Refuses requests of which a part would be dropped, instead of sending the rest. */
  readonly strict?: boolean;
}

/** Reading from one side pauses while more messages than this are unwritten to the other. */
const MOST_UNWRITTEN = 1000;

/**
 * Connects a client and an agent of different versions of the protocol, until one of them closes.
 *
 * @returns resolves when both channels are closed; rejects when one fails
 */
export async function bridgeStreams(options: BridgeOptions, tables: Tables): Promise<void> {
  requireArgument("bridge", options, "an object", "bridge({ client, agent })");
  const { client, agent, onLoss = () => {}, agentVersion, strict } = options;
  for (const [name, end] of Object.entries({ client, agent }))
    if (typeof end?.readable?.getReader !== "function" || end.writable === undefined)
      throw new AcpError(`bridge: ${name} needs web streams of messages { readable, writable }`);
  const ends = { client: openEnd(client), agent: openEnd(agent) };
  const core = new BridgeCore({
    tables,
    onLoss,
    agentVersion,
    isStrict: strict,
    send: { client: ends.client.send, agent: ends.agent.send },
  });
  const pass = async (
    from: End,
    to: End,
    take: (message: unknown) => void,
    closed: () => void,
  ): Promise<void> => {
    try {
      await from.read(take, to.ready);
    } finally {
      closed();
      await to.close();
    }
  };
  await Promise.all([
    pass(ends.client, ends.agent, core.fromClient.bind(core), core.clientClosed.bind(core)),
    pass(ends.agent, ends.client, core.fromAgent.bind(core), core.agentClosed.bind(core)),
  ]);
}

interface End {
  readonly send: (message: object) => void;
  /** Reads until the end of the input; before each message it waits for the other side. */
  readonly read: (
    take: (message: unknown) => void,
    ready: () => Promise<void> | undefined,
  ) => Promise<void>;
  /** Returns what to wait for before more is written; undefined when there is room. */
  readonly ready: () => Promise<void> | undefined;
  readonly close: () => Promise<void>;
}

function openEnd({ readable, writable }: MessageStream): End {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let unwritten = 0;
  let isClosed = false;
  let room: Promise<void> | undefined;
  let release = (): void => {};
  const fail = (): void => {
    isClosed = true;
    release();
  };
  writer.closed.catch(fail);
  return {
    send: (message) => {
      if (isClosed) return;
      const settle = (): void => {
        if (--unwritten > MOST_UNWRITTEN) return;
        room = undefined;
        release();
      };
      writer.write(message).then(settle, settle);
      if (++unwritten > MOST_UNWRITTEN) room ??= new Promise((resolve) => (release = resolve));
    },
    read: async (take, ready) => {
      for (;;) {
        const wait = ready();
        if (wait !== undefined) await wait;
        const { done, value } = await reader.read();
        if (done) return;
        take(value);
      }
    },
    ready: () => room,
    close: async () => {
      if (!isClosed) await writer.close().catch(() => {});
      fail();
      await reader.cancel().catch(() => {});
    },
  };
}
