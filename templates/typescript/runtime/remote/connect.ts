import type { Transport } from "../rpc/transports/transport.js";
import { checkSettings, type Kinds } from "../rpc/require-argument.js";
import * as sentences from "../sentences.js";
import { HTTP, httpTransport, type HttpOptions } from "./client/http-transport.js";
import {
  WEB_SOCKET,
  webSocketTransport,
  type WebSocketLike,
  type WebSocketOptions,
} from "./web-socket-transport.js";

/** Options of a connection to an agent on another machine. */
export interface RemoteOptions extends HttpOptions {
  /**
   * Opens a WebSocket, e.g. one of the package `ws`; by default, with the global `WebSocket` where
   * there is one. `false` for connections over HTTP only.
   */
  readonly openWebSocket?:
    ((url: URL, headers: Readonly<Record<string, string>>) => WebSocketLike) | false;
  /** How long the WebSocket may take to open, in milliseconds; 5,000 by default. Then HTTP is tried. */
  readonly openMs?: number;
  /** Options of the connection when it is a WebSocket. */
  readonly webSocket?: WebSocketOptions;
}

const OPTIONS: Kinds = {
  ...HTTP,
  openWebSocket: undefined,
  openMs: sentences.timeSetting,
  webSocket: "an object",
};

/** A connection to an agent on another machine. */
export interface RemoteTransport extends Transport {
  readonly kind: "WebSocket" | "HTTP";
  /** Why it is not a WebSocket; absent for one, and where none was wanted. */
  readonly reason?: string;
}

/**
 * Opens a connection to an agent: over WebSocket, or over HTTP where no WebSocket can be opened.
 *
 * @param url the endpoint of the server, with one of the schemes http, https, ws and wss
 * @returns a transport that says which it is, and why
 * @throws AcpError for a misspelled option, and for one of a wrong type
 */
export async function connect(
  url: string | URL,
  options: RemoteOptions = {},
): Promise<RemoteTransport> {
  checkSettings("", options, OPTIONS);
  const { openWebSocket = openGlobal, openMs = 5000, webSocket = {}, ...http } = options;
  checkSettings("webSocket.", webSocket, WEB_SOCKET);
  const socket =
    openWebSocket && (await tryToOpen(new URL(url), openWebSocket, openMs, http.headers));
  if (typeof socket === "object")
    return Object.assign(webSocketTransport(socket, webSocket), { kind: "WebSocket" as const });
  const transport = httpTransport(withScheme(url, "http"), http);
  return Object.assign(
    transport,
    { kind: "HTTP" as const },
    socket !== false && { reason: socket },
  );
}

function withScheme(url: string | URL, scheme: "http" | "ws"): URL {
  return new URL(String(url).replace(/^(?:http|ws)(?=s?:)/i, scheme));
}

/** Returns an open WebSocket, or why there is none. */
async function tryToOpen(
  url: URL,
  openWebSocket: (url: URL, headers: Readonly<Record<string, string>>) => WebSocketLike | string,
  openMs: number,
  headers: RemoteOptions["headers"],
): Promise<WebSocketLike | string> {
  const given = typeof headers === "function" ? await headers() : (headers ?? {});
  const socket = openWebSocket(withScheme(url, "ws"), given);
  if (typeof socket === "string") return socket;
  return new Promise((resolve) => {
    let isDecided = false;
    const decide = (reason?: string): void => {
      clearTimeout(timer);
      if (!isDecided) resolve(reason ?? socket);
      else if (reason === undefined) socket.close(1000);
      isDecided = true;
    };
    const timer = setTimeout(() => {
      decide(`the WebSocket did not open within ${openMs} ms`);
      socket.close();
    }, openMs);
    socket.addEventListener("open", () => decide());
    const refused = (): void => decide("the server did not open a WebSocket");
    socket.addEventListener("error", refused);
    socket.addEventListener("close", refused);
  });
}

/** Returns a `WebSocket`, or why there is none: it is missing, or takes no headers, as in browsers. */
function openGlobal(url: URL, headers: Readonly<Record<string, string>>): WebSocketLike | string {
  const { WebSocket: Socket } = globalThis as unknown as {
    readonly WebSocket?: new (url: URL, options?: unknown) => WebSocketLike;
  };
  if (Socket === undefined) return "there is no global WebSocket, as in Node.js 20";
  try {
    return Object.keys(headers).length === 0 ? new Socket(url) : new Socket(url, { headers });
  } catch {
    return "this WebSocket takes no headers";
  }
}
