/*
 * Mounts a server of agents in Node.js, over HTTP/1.1 and HTTP/2.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Readable, type Duplex } from "node:stream";
import type { HttpHandler } from "../server/http-handler.js";
import type { WebSocketLike } from "../web-socket-transport.js";

/** The time for which the rest of a refused body is read, in milliseconds. */
const REST = 1000;

/**
 * Returns a listener for `createServer` of `node:http`, `node:https` and `node:http2`, and for
 * frameworks that pass on the objects of Node.js.
 */
export function nodeListener(
  handler: HttpHandler,
): (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void {
  return (request, response) => {
    // What both have in common; the methods of Node's types differ in details.
    void respond(handler, request as IncomingMessage, response as ServerResponse);
  };
}

// Servers declare the values of their listeners differently, which only `any` covers.
type Listener = (...values: any[]) => void;

/** A server of the package `ws`, created with `{ noServer: true }`, or another with its methods. */
export interface WebSocketServerLike {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accepted: Listener): void;
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
}

/** Returns a listener for the event `upgrade` of a server of Node.js. */
export function nodeUpgrade(
  handler: HttpHandler,
  server: WebSocketServerLike,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => void upgrade(handler, server, request, socket, head);
}

async function respond(
  handler: HttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const aborter = new AbortController();
  response.once("close", () => aborter.abort());
  response.on("error", () => {});
  let asked: Request | undefined;
  try {
    asked = toRequest(request, aborter.signal);
    await write(await handler.fetch(asked), response);
  } catch {
    if (response.headersSent) return void response.destroy();
    response.writeHead(400).end();
  }
  if (request.complete) return;
  // The rest of a body of which nothing was read is dropped, too.
  asked?.body?.cancel().catch(() => {});
  setTimeout(() => request.destroy(), REST).unref();
}

async function write({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  for (const [name, value] of headers) response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
  response.writeHead(status);
  if (body === null) return void response.end();
  response.flushHeaders();
  const reader = body.getReader();
  let wake = (): void => {};
  // A stream that fails ends a response that nobody reads.
  reader.closed.catch(() => response.destroy());
  response.once("close", () => {
    wake();
    reader.cancel().catch(() => {});
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (response.destroyed) return;
    if (done) return void response.end();
    // A draining server takes what is followed by another read as written.
    await new Promise<void>((resolve) => {
      wake = resolve;
      response.write(value, () => resolve());
    });
  }
}

/**
 * Returns the body of a request. When it is cancelled, the rest is read and dropped: a client that
 * sends its whole body first still reads the refusal.
 */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const reader = (Readable.toWeb(request) as ReadableStream<Uint8Array>).getReader();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      while (!(await reader.read()).done);
    },
  });
}

/** @throws TypeError when the request has no valid URL or method */
function toRequest(request: IncomingMessage, signal?: AbortSignal): Request {
  const headers = new Headers();
  const { rawHeaders, method = "GET" } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    // HTTP/2 has the method, the path and the host in headers of its own.
    if (!name.startsWith(":")) headers.append(name, rawHeaders[index + 1]!);
  }
  const host = request.headers.host ?? (request.headers[":authority"] as string | undefined);
  if (host !== undefined && !headers.has("Host")) headers.set("Host", host);
  const hasBody = !["GET", "HEAD", "DELETE", "OPTIONS"].includes(method);
  return new Request(new URL(request.url ?? "/", `http://${host ?? "localhost"}`), {
    method,
    headers,
    ...(signal !== undefined && { signal }),
    ...(hasBody && { body: bodyOf(request), duplex: "half" }),
  } as RequestInit);
}

async function upgrade(
  handler: HttpHandler,
  server: WebSocketServerLike,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on("error", () => {});
  let checked: Awaited<ReturnType<HttpHandler["upgrade"]>>;
  try {
    checked = await handler.upgrade(toRequest(request));
  } catch {
    checked = new Response(null, { status: 400 });
  }
  if (checked instanceof Response) return refuse(socket, checked);
  const { accept, connectionId } = checked;
  const addHeader = (headers: string[], upgraded: IncomingMessage): void => {
    if (upgraded === request) headers.push(`Acp-Connection-Id: ${connectionId}`);
  };
  server.on("headers", addHeader);
  server.handleUpgrade(request, socket, head, (accepted: WebSocketLike) => {
    batchWrites(accepted, socket);
    accept(accepted);
  });
  server.off("headers", addHeader);
}

/** The bytes after which a batch is written within a turn. */
const BATCH = 64 * 1024;

/**
 * Lets the messages of a turn share one write of the socket, which costs more than everything else
 * that is done for a message.
 */
function batchWrites(accepted: WebSocketLike, socket: Duplex): void {
  const { send } = accepted;
  let isOpen = false;
  const end = (): void => {
    if (isOpen) socket.uncork();
    isOpen = false;
  };
  accepted.send = (text) => {
    if (!isOpen) {
      isOpen = true;
      socket.cork();
      process.nextTick(end);
    }
    send.call(accepted, text);
    if (socket.writableLength > BATCH) end();
  };
}

/** Answers a request for a WebSocket with a response of HTTP, without its body. */
function refuse(socket: Duplex, { status, headers }: Response): void {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(
    `HTTP/1.1 ${status} Refused\r\n${lines}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}
