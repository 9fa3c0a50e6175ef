import type { Transport } from "../rpc/transports/transport.js";
import { httpTransport, type HttpOptions } from "./client/http-transport.js";
import {
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

/**
 * Opens a connection to an agent: over WebSocket, or over HTTP where no WebSocket can be opened.
 *
 * @param url the endpoint of the server, with one of the schemes http, https, ws and wss
 */
export async function connect(url: string | URL, options: RemoteOptions = {}): Promise<Transport> {
  const socket = await tryToOpen(new URL(url), options);
  if (socket !== undefined) return webSocketTransport(socket, options.webSocket);
  return httpTransport(withScheme(url, "http"), options);
}

function withScheme(url: string | URL, scheme: "http" | "ws"): URL {
  return new URL(String(url).replace(/^(?:http|ws)(?=s?:)/i, scheme));
}

/** Returns an open WebSocket; undefined when there is none in time. */
async function tryToOpen(url: URL, options: RemoteOptions): Promise<WebSocketLike | undefined> {
  const { openWebSocket = openGlobal, headers, openMs = 5000 } = options;
  if (openWebSocket === false) return undefined;
  const given = typeof headers === "function" ? await headers() : (headers ?? {});
  const socket = openWebSocket(withScheme(url, "ws"), given);
  if (socket === undefined) return undefined;
  return new Promise((resolve) => {
    let isDecided = false;
    const decide = (opened: boolean): void => {
      clearTimeout(timer);
      if (!isDecided) resolve(opened ? socket : undefined);
      else if (opened) socket.close(1000);
      isDecided = true;
    };
    const timer = setTimeout(() => {
      decide(false);
      socket.close();
    }, openMs);
    socket.addEventListener("open", () => decide(true));
    socket.addEventListener("error", () => decide(false));
    socket.addEventListener("close", () => decide(false));
  });
}

/** Returns undefined when there is no `WebSocket`, or it takes no headers, as in browsers. */
function openGlobal(
  url: URL,
  headers: Readonly<Record<string, string>>,
): WebSocketLike | undefined {
  const { WebSocket: Socket } = globalThis as unknown as {
    readonly WebSocket: new (url: URL, options?: unknown) => WebSocketLike;
  };
  try {
    return Object.keys(headers).length === 0 ? new Socket(url) : new Socket(url, { headers });
  } catch {
    return undefined;
  }
}
