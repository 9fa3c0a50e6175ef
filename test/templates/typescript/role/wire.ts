import { PassThrough } from "node:stream";
import type { Transport } from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import { Connection } from "../../../../templates/typescript/runtime/rpc/connection.js";
import { byteTransport } from "../../../../templates/typescript/runtime/stdio/index.js";
import { createReceiver, type Answers } from "./receiver.js";

/** A message as a test reads it. */
export interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The far end of a byte transport: it can say anything, and reads every line that comes back. */
export interface Wire {
  readonly transport: Transport;
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Sends messages in one chunk. */
  send(...messages: readonly unknown[]): void;
  write(bytes: string | Uint8Array): void;
  end(): void;
  /** The next message that came back. */
  next(): Promise<Answer>;
  /** The lines that came back and were not read yet. */
  readonly unread: readonly string[];
}

export function createWire(maxLineBytes?: number): Wire {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop()!;
    for (const line of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(line);
      else next(line);
    }
  });
  const nextLine = async (): Promise<string> =>
    lines.shift() ?? new Promise((resolve) => waiting.push(resolve));
  return {
    transport: byteTransport(input, output, maxLineBytes === undefined ? {} : { maxLineBytes }),
    input,
    output,
    send: (...messages) =>
      void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
    write: (bytes) => void input.write(bytes),
    end: () => void input.end(),
    next: async () => JSON.parse(await nextLine()) as Answer,
    unread: lines,
  };
}

export function request(id: unknown, method: string, params: unknown = {}): object {
  return { jsonrpc: "2.0", id, method, params };
}

export function notification(method: string, params: unknown = {}): object {
  return { jsonrpc: "2.0", method, params };
}

export function result(id: unknown, value: unknown): object {
  return { jsonrpc: "2.0", id, result: value };
}

/** A started connection; what the answers leave out does nothing. */
export function connect(transport: Transport, answers: Answers = {}): Connection {
  const connection = new Connection(transport, createReceiver(answers), () => {});
  connection.start();
  return connection;
}

/** The messages that a transport without a connection has delivered so far. */
export interface Received {
  readonly transport: Transport;
  readonly messages: unknown[];
  /** The codes of what was no message. */
  readonly invalid: number[];
  /** The reasons of the ends; a well-behaved transport has one at most. */
  readonly closes: unknown[];
  /** Resolves at the end. */
  readonly closed: Promise<void>;
}

export function listen(transport: Transport): Received {
  const [messages, invalid, closes]: [unknown[], number[], unknown[]] = [[], [], []];
  const closed = new Promise<void>((resolve) => {
    transport.start({
      message: (value) => messages.push(value),
      invalid: (code) => invalid.push(code),
      close: (error) => {
        closes.push(error);
        resolve();
      },
    });
  });
  return { transport, messages, invalid, closes, closed };
}

/** Lets everything run that can run now. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The errors that nobody caught while a function ran, and in the turns after it. */
export async function uncaughtDuring(run: () => unknown): Promise<unknown[]> {
  const uncaught: unknown[] = [];
  const listener = (error: unknown): void => void uncaught.push(error);
  const others = {
    unhandledRejection: process.listeners("unhandledRejection"),
    uncaughtException: process.listeners("uncaughtException"),
  };
  for (const event of ["unhandledRejection", "uncaughtException"] as const) {
    process.removeAllListeners(event);
    process.on(event, listener);
  }
  try {
    await run();
    await settle();
  } finally {
    for (const event of ["unhandledRejection", "uncaughtException"] as const) {
      process.removeAllListeners(event);
      for (const other of others[event]) process.on(event, other as () => void);
    }
  }
  return uncaught;
}
