import type { Readable, Writable } from "node:stream";
import { OutputError } from "../output/output-error.js";
import { isObject, type Json, type JsonObject } from "../schema/json-schema/json.js";
import { errorMessage, usageError } from "../run/messages.js";
import { importBundled } from "./processes/import-bundled.js";

/** A transport of the bindings, as far as it is used here. */
interface Transport {
  start(receiver: {
    message(value: Json): void;
    invalid(code: number, text: string): void;
    close(error?: unknown): void;
  }): void;
  send(message: object): Promise<void>;
  close(): void;
}

/** The exports of `templates/typescript/command/remote.ts`; a test compares the two. */
export interface RemoteModule {
  readonly byteTransport: (input: Readable, output: Writable) => Transport;
  readonly connect: (
    url: URL,
    options: {
      readonly headers: Readonly<Record<string, string>>;
      readonly openWebSocket?: false;
    },
  ) => Promise<Transport & { readonly kind: string; readonly reason?: string }>;
}

export interface ConnectStreamsOptions {
  /** The address of the agent, with one of the schemes http, https, ws and wss. */
  readonly url: string;
  /** Headers of every request, such as `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether no WebSocket is tried. */
  readonly isHttpOnly: boolean;
  /** The streams that stand for those of the agent. */
  readonly input: Readable;
  readonly output: Writable;
  /** Prints a line about something that was left out. */
  readonly say: (text: string) => void;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/** How long the client's last requests may take to be answered after the end of its input, in milliseconds. */
const LAST_ANSWERS_MS = 5000;

const INVALID_REQUEST = -32600;

/**
 * Connects two streams to an agent on another machine, so that they are like those of a program:
 * lines in, lines out. After the end of the input, open requests are still answered.
 *
 * @returns when the connection has ended
 * @throws InputError for an address without a supported scheme; OutputError when the agent cannot
 *   be reached, refuses the connection, or is lost
 */
export async function connectStreams(options: ConnectStreamsOptions): Promise<void> {
  const { headers, isHttpOnly, input, output, say, signal } = options;
  const url = parseAddress(options.url);
  const { byteTransport, connect } = await importBundled<RemoteModule>("remote");
  const agent = await connect(url, { headers, ...(isHttpOnly && { openWebSocket: false }) });
  if (agent.reason !== undefined) say(`connected over ${agent.kind}: ${agent.reason}`);
  const client = byteTransport(input, output);
  const asked = new Set<Json>();
  let hasEnded = false;
  const closeWhenAnswered = (): void => {
    if (hasEnded && asked.size === 0) agent.close();
  };
  await new Promise<void>((resolve, reject) => {
    agent.start({
      message: (message) => {
        void client.send(message as object);
        if (isObject(message) && message["method"] === undefined)
          asked.delete(message["id"] ?? null);
        closeWhenAnswered();
      },
      invalid: (_, text) => say(`a message of the agent is left out: ${text}`),
      close: (error) => {
        client.close();
        if (error === undefined) resolve();
        else
          reject(new OutputError(`the connection to ${url.href} has failed: ${reasonOf(error)}`));
      },
    });
    client.start({
      message: (message) => {
        if (!isObject(message)) return refuse(client, INVALID_REQUEST, "Invalid Request");
        if (message["method"] !== undefined && message["id"] !== undefined)
          asked.add(message["id"]);
        void agent.send(message);
      },
      invalid: (code, text) => refuse(client, code, text),
      close: () => {
        hasEnded = true;
        closeWhenAnswered();
        setTimeout(() => agent.close(), LAST_ANSWERS_MS).unref();
      },
    });
    signal.addEventListener("abort", () => agent.close());
  });
}

function parseAddress(text: string): URL {
  const hint = "Give an address such as https://agents.example/acp or ws://localhost:8080/acp.";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usageError(`${JSON.stringify(text)} is not a URL`, hint);
  }
  if (/^(?:https?|wss?):$/.test(url.protocol)) return url;
  throw usageError(`an agent cannot be reached over ${url.protocol}`, hint);
}

/** Answers input that is no message. */
function refuse(client: Transport, code: number, message: string): void {
  const answer: JsonObject = { jsonrpc: "2.0", id: null, error: { code, message } };
  void client.send(answer);
}

/** The reason of a failure; that of `fetch` is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorMessage(cause instanceof Error && cause.message !== "" ? cause : error);
}
