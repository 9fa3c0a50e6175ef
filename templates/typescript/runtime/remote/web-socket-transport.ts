import { AcpError } from "../acp-error.js";
import { checkSettings, type Kinds } from "../rpc/require-argument.js";
import * as sentences from "../sentences.js";
import { startTimer } from "../rpc/timer.js";
import {
  rejected,
  SENT,
  type Transport,
  type TransportReceiver,
} from "../rpc/transports/transport.js";
import { parseMessage } from "./parse-message.js";

// Sockets declare their listeners differently, which only `any` covers.
type Listener = (event: any) => void;

/** A WebSocket of a browser, Node.js, Deno, Bun, Cloudflare Workers or the package `ws`. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount?: number;
  send(text: string): unknown;
  close(code?: number, reason?: string): unknown;
  addEventListener(type: string, listener: Listener, options?: { readonly once: boolean }): unknown;
  /** Present in `ws`, which also listens to the frames of heartbeats. */
  on?(event: string, listener: Listener): unknown;
  /** Present in `ws`. */
  ping?(): unknown;
  /** Present in `ws`. */
  pause?(): unknown;
  /** Present in `ws`. */
  resume?(): unknown;
  /** Present in `ws`; closes the socket without waiting for the peer. */
  terminate?(): unknown;
}

/** Options of a transport over a WebSocket. */
export interface WebSocketOptions {
  /** The longest accepted message, in characters; 32 Mi by default. A server has its own limit as well. */
  readonly maxMessageLength?: number;
  /** Senders wait while more bytes than this are unsent; 1 MiB by default. */
  readonly maxUnsentBytes?: number;
  /**
   * A peer that was silent for this time receives a ping, and the connection ends when it stays
   * silent for the same time again; 30,000 ms by default, 0 for never. Only sockets of `ws` can.
   */
  readonly heartbeatMs?: number;
}

/** The kinds of the options. */
export const WEB_SOCKET: Kinds = {
  maxMessageLength: sentences.countSetting,
  maxUnsentBytes: sentences.countSetting,
  heartbeatMs: sentences.timeSetting,
};

/** The ready states of a WebSocket that is not closing. */
const CONNECTING = 0;
const OPEN = 1;

/** The time in which a peer that has read everything closes its side as well, in milliseconds. */
const FAREWELL = 5000;

/** Close codes of a regular end: done, the page has ended, and none. */
const REGULAR: ReadonlySet<unknown> = new Set([1000, 1001, 1005]);

/** The delays between two readings of `bufferedAmount` while the peer is behind, in milliseconds. */
const FIRST_POLL = 2;
const LAST_POLL = 100;

/**
 * Creates a transport from a WebSocket that is open or connecting: one text message per frame, as
 * JSON. Binary messages are ignored.
 *
 * @throws AcpError for a misspelled option, and for one of a wrong type
 */
export function webSocketTransport(
  socket: WebSocketLike,
  options: WebSocketOptions = {},
): Transport {
  checkSettings("", options, WEB_SOCKET);
  const {
    maxMessageLength = 32 * 1024 * 1024,
    maxUnsentBytes = 1024 * 1024,
    heartbeatMs = 30_000,
  } = options;
  let receiver: TransportReceiver | undefined;
  /** Events before the start; undefined after it. */
  let early: (() => void)[] | undefined = [];
  /** Messages that wait for an open socket; undefined when it is. */
  let unopened: string[] | undefined = socket.readyState === CONNECTING ? [] : undefined;
  let isClosed = false;
  let reason: unknown;

  const unsent = (): number => (isClosed ? 0 : (socket.bufferedAmount ?? 0));
  const tellEnd = (): void => queueMicrotask(() => receiver!.close(reason, true));
  const end = (error?: unknown): void => {
    if (isClosed) return;
    isClosed = true;
    reason = error;
    stopHeartbeat();
    // The last message can be answered in its turn.
    if (receiver !== undefined) tellEnd();
  };
  const whenStarted = (task: () => void): void =>
    void (early === undefined ? task() : early.push(task));
  const listen = (type: string, listener: Listener): unknown =>
    socket.addEventListener(type, (event) => whenStarted(() => listener(event)));

  let drained: Promise<void> | undefined;
  /** Waits until half of the limit is free. Sockets have no event for that. */
  const waitForDrain = async (): Promise<void> => {
    let delay = FIRST_POLL;
    while (!isClosed && unsent() > maxUnsentBytes / 2) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      delay = Math.min(delay * 2, LAST_POLL);
    }
    drained = undefined;
  };

  socket.addEventListener("open", () => {
    for (const text of unopened ?? []) socket.send(text);
    unopened = undefined;
    if (isClosed) socket.close(1000);
  });
  // The memory for what arrives before the start is bounded.
  socket.addEventListener("message", () => void (early !== undefined && socket.pause?.()));
  listen("message", ({ data }: { data: unknown }) => {
    if (isClosed || typeof data !== "string") return;
    parseMessage(data, maxMessageLength, receiver!);
  });
  listen("error", ({ error }: { error?: unknown }) =>
    end(error ?? new AcpError("the WebSocket failed")),
  );
  listen("close", ({ code, reason }: { code?: number; reason?: string }) =>
    end(
      REGULAR.has(code)
        ? undefined
        : new AcpError(`the WebSocket was closed: ${[code, reason].join(" ").trim()}`),
    ),
  );
  const stopHeartbeat = startHeartbeat(socket, heartbeatMs, () => {
    end(new AcpError("the peer of the WebSocket is silent"));
    socket.terminate?.();
  });

  return {
    start: (given) => {
      receiver = given;
      const tasks = early ?? [];
      early = undefined;
      if (isClosed) tellEnd();
      for (const task of tasks) task();
      if (tasks.length > 0) socket.resume?.();
    },
    send: (message) => {
      const text = JSON.stringify(message);
      if (isClosed || socket.readyState > OPEN)
        return rejected(new Error("the WebSocket is closed"));
      if (unopened !== undefined) {
        unopened.push(text);
        return SENT;
      }
      socket.send(text);
      if (unsent() <= maxUnsentBytes) return SENT;
      return (drained ??= waitForDrain());
    },
    unsent,
    close: () => {
      end();
      if (unopened === undefined && socket.readyState <= OPEN) socket.close(1000);
      // A peer that does not answer; the sockets of `ws` wait for it for 30 seconds.
      startTimer(FAREWELL, () => void (socket.bufferedAmount === 0 && socket.terminate?.()));
    },
  };
}

/**
 * Sends a ping after some silence of the peer.
 *
 * @param interval in milliseconds; 0 for no heartbeat
 * @param lost called when nothing was received for another interval
 * @returns stops the heartbeat
 */
function startHeartbeat(socket: WebSocketLike, interval: number, lost: () => void): () => void {
  if (interval <= 0 || socket.ping === undefined || socket.on === undefined) return () => {};
  let isAsked = false;
  let last = performance.now();
  for (const sign of ["message", "ping", "pong"])
    socket.on(sign, () => {
      isAsked = false;
      last = performance.now();
    });
  let stop = (): void => {};
  const beat = (): void => {
    let left = last + interval - performance.now();
    if (left <= 0) {
      if (isAsked) return lost();
      left = interval;
      if ((isAsked = socket.readyState === OPEN)) socket.ping!();
    }
    stop = startTimer(left, beat);
  };
  beat();
  return () => stop();
}
