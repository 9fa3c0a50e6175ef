import { PassThrough } from "node:stream";
import { memoryTransports, type Note } from "acp-bindings";
import { byteTransport } from "acp-bindings/stdio";
import { createAgent, createClient, type ClientConnection } from "acp-bindings/v1";
import type { AgentOptions, ClientOptions } from "acp-bindings/v1";

export const info = { name: "test", version: "1" };
export const PERMISSION = {
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }) as const,
};

export interface RawMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client, and the agent's end of its pipes, whose text a test writes. */
export interface RawAgent {
  readonly connection: ClientConnection;
  /** Writes a line of any text or bytes. */
  readonly write: (text: string | Uint8Array) => void;
  /** The lines that the client has written since its handshake. */
  readonly received: RawMessage[];
  readonly errors: unknown[];
  readonly notes: Note[];
}

/**
 * Connects a client to an agent that answers the handshake, and then only what `answer` returns a
 * line for.
 */
export async function connectToRaw(
  answer: (message: RawMessage) => string | Uint8Array | undefined = () => undefined,
  options: Partial<ClientOptions> = {},
  capabilities: object = {},
): Promise<RawAgent> {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: RawMessage[] = [];
  const errors: unknown[] = [];
  const notes: Note[] = [];
  const write = (text: string | Uint8Array): void =>
    void input.write(Buffer.concat([Buffer.from(text), Buffer.from("\n")]));
  output.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split("\n")) {
      const message = JSON.parse(line) as RawMessage;
      if (message.method === "initialize")
        write(
          JSON.stringify({
            jsonrpc: "2.0",
            id: message.id,
            result: { protocolVersion: 1, agentCapabilities: capabilities },
          }),
        );
      else {
        received.push(message);
        const line = answer(message);
        if (line !== undefined) write(line);
      }
    }
  });
  const client = createClient({
    info,
    handlers: { session: PERMISSION },
    onError: (error) => void errors.push(error),
    onNotes: (items) => void notes.push(...items),
    ...options,
  });
  const connection = await client.connect(byteTransport(input, output, { maxLineBytes: 2000 }));
  return { connection, write, received, errors, notes };
}

/** Returns an answer with a result for every request. */
export function result(value: unknown): (message: RawMessage) => string {
  return ({ id }) => JSON.stringify({ jsonrpc: "2.0", id, result: value });
}

/** An agent, and the client's end of its transport. */
export function connectRawClient(options: Partial<AgentOptions> = {}): {
  readonly call: (method: string, params?: unknown) => Promise<RawMessage>;
  readonly send: (message: object) => void;
  readonly errors: unknown[];
} {
  const [near, far] = memoryTransports();
  const errors: unknown[] = [];
  const waiting = new Map<number, (message: RawMessage) => void>();
  createAgent({
    info,
    handlers: {
      session: { new: () => ({ sessionId: "s" }), prompt: () => ({ stopReason: "end_turn" }) },
    },
    onError: (error) => void errors.push(error),
    ...options,
  }).connect(near);
  far.start({
    message: (value) => waiting.get((value as RawMessage).id!)?.(value as RawMessage),
    invalid: () => {},
    close: () => {},
  });
  const send = (message: object): void => void far.send({ jsonrpc: "2.0", ...message });
  let ids = 0;
  const call = (method: string, params: unknown = {}): Promise<RawMessage> =>
    new Promise((resolve) => {
      waiting.set(ids, resolve);
      send({ id: ids++, method, params });
    });
  return { call, send, errors };
}
