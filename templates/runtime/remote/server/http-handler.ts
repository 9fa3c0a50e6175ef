import { isRecord } from "../../rpc/messages.js";
import { startTimer } from "../../rpc/timer.js";
import type { Transport } from "../../rpc/transport.js";
import {
  CONNECTION_ID,
  EVENT_ORDER,
  EVENT_TYPE,
  JSON_TYPE,
  LAST_EVENT_ID,
  MAX_MESSAGE_BYTES,
  MESSAGE_NUMBER,
  OF_CONNECTION,
  SESSION_ID,
  type WireMessage,
} from "../wire.js";
import { webSocketTransport, type WebSocketLike } from "../web-socket-transport.js";
import { admit, reply, type Admitted } from "./admit.js";
import type { AgentConnection, Caller, HttpServerOptions } from "./options.js";
import { readMessage } from "./read-message.js";
import { ServerConnection } from "./server-connection.js";

/** A request for a WebSocket that may be accepted. */
export interface AcceptedUpgrade {
  /** The id of the connection, for the header `Acp-Connection-Id` of the response. */
  readonly connectionId: string;
  /** Serves the socket, which may be connecting still. */
  accept(socket: WebSocketLike): void;
}

/** A server of agents, to be mounted at one path of a web server. */
export interface HttpHandler {
  /** Handles a request of HTTP; bound, so that it can be passed on. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Checks a request for a WebSocket; a response refuses it. */
  readonly upgrade: (request: Request) => Promise<AcceptedUpgrade | Response>;
  /** The number of connections. */
  readonly size: number;
  /**
   * Accepts no new connections, waits until no request is running, and closes all connections.
   *
   * @param maxTime closes them at the latest, in milliseconds; 10,000 by default
   */
  drain(maxTime?: number): Promise<void>;
}

/** The longest id in a header. */
const MAX_ID = 1024;

/** When refused clients may come again, in seconds. */
const RETRY_AFTER = { "Retry-After": "5" };

const BUSY = { "Retry-After": "1" };

/** How long clients may come back to learn that their connection has ended, in milliseconds. */
const LEARN_TIME = 200;

/** The time between two looks whether a draining server still has running requests, in milliseconds. */
const DRAIN_POLL = 20;

/**
 * Creates a server of agents, for every web server that has `Request` and `Response`. It opens no
 * port. Unless options say more, only programs on this machine may call.
 */
export function createHttpHandler(options: HttpServerOptions): HttpHandler {
  const server = new HttpServer(options);
  return {
    fetch: (request) => server.handle(request),
    upgrade: (request) => server.upgrade(request),
    get size() {
      return server.size;
    },
    drain: (maxTime = 10_000) => server.drain(maxTime),
  };
}

class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #report: (error: unknown) => void;
  readonly #connections = new Map<string, ServerConnection>();
  /** The agents behind all connections. */
  readonly #agents = new Set<AgentConnection>();
  #sockets = 0;
  #isDraining = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#report = options.onError ?? createConsoleReport();
  }

  get size(): number {
    return this.#connections.size + this.#sockets;
  }

  async handle(request: Request): Promise<Response> {
    try {
      const admitted = await admit(request, this.#options);
      if (admitted instanceof Response) return admitted;
      const response = await this.#answer(request, admitted);
      for (const [name, value] of Object.entries(admitted.headers))
        response.headers.set(name, value);
      return response;
    } catch (error) {
      this.#report(error);
      return reply(500);
    }
  }

  async upgrade(request: Request): Promise<AcceptedUpgrade | Response> {
    try {
      const admitted = await admit(request, this.#options);
      if (admitted instanceof Response) return admitted;
      const refusal = this.#refusal();
      if (refusal !== undefined) return refusal;
      const { principal } = admitted;
      const connectionId = this.#createId();
      return {
        connectionId,
        accept: (socket) => this.#acceptSocket(socket, { request, principal, connectionId }),
      };
    } catch (error) {
      this.#report(error);
      return reply(500);
    }
  }

  async drain(maxTime: number): Promise<void> {
    this.#isDraining = true;
    const isBusy = (): boolean => [...this.#agents].some(({ stats }) => (stats?.running ?? 0) > 0);
    for (const end = Date.now() + maxTime; isBusy() && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL));
    const ended = [...this.#connections.values()];
    for (const connection of ended) connection.close();
    for (const agent of [...this.#agents]) agent.close?.();
    if (ended.length > 0) await new Promise((resolve) => setTimeout(resolve, LEARN_TIME));
  }

  #answer(request: Request, admitted: Admitted): Response | Promise<Response> {
    const session = request.headers.get(SESSION_ID);
    if (session !== null && session.length > MAX_ID) return reply(400, `${SESSION_ID} is too long`);
    const found = this.#find(request, admitted);
    switch (request.method) {
      case "POST":
        return found === undefined ? this.#open(request, admitted) : this.#receive(request, found);
      case "GET":
        return found instanceof ServerConnection
          ? this.#stream(request, found)
          : (found ?? missing());
      case "DELETE":
        if (!(found instanceof ServerConnection)) return found ?? missing();
        found.close();
        return reply(202);
      default:
        return reply(405, "Method not allowed", { Allow: "GET, POST, DELETE" });
    }
  }

  /** Returns the connection that a request names, or undefined when it names none. */
  #find({ headers }: Request, { principal }: Admitted): ServerConnection | Response | undefined {
    const id = headers.get(CONNECTION_ID);
    if (id === null) return undefined;
    const found = this.#connections.get(id);
    // A connection of somebody else does not exist.
    if (found === undefined || found.principal !== principal)
      return reply(404, `Unknown ${CONNECTION_ID}`);
    return found;
  }

  #refusal(): Response | undefined {
    if (this.#isDraining) return reply(503, "The server is about to end", RETRY_AFTER);
    if (this.size >= (this.#options.maxConnections ?? 1000))
      return reply(503, "Too many connections", RETRY_AFTER);
    return undefined;
  }

  #createId(): string {
    return this.#options.connectionId?.() ?? crypto.randomUUID();
  }

  /** Handles the first request of a client, whose response is the answer of the agent. */
  async #open(request: Request, { principal }: Admitted): Promise<Response> {
    const early = this.#refusal();
    if (early !== undefined) return early;
    const read = await readMessage(request, this.#options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
    if (!("message" in read)) return reply(read.status, read.text);
    const { message } = read;
    if (typeof message.method !== "string" || message.id === undefined || message.id === null)
      return reply(400, `Missing ${CONNECTION_ID}, or a first request with an id`);
    const refusal = this.#refusal();
    if (refusal !== undefined) return refusal;
    const connection = this.#createConnection(principal);
    const leave = (): void => connection.close();
    // Some servers abort the signal behind the response as well.
    request.signal.addEventListener("abort", leave);
    connection.receive(message, undefined);
    void this.#serve(connection.transport, {
      request,
      principal,
      connectionId: connection.id,
    }).then((agent) => agent === undefined && connection.close());
    const answer = await connection.firstAnswer;
    request.signal.removeEventListener("abort", leave);
    if (answer === undefined) return reply(503);
    const hasFailed = (JSON.parse(answer) as WireMessage).error !== undefined;
    if (hasFailed) connection.close();
    return new Response(answer, {
      headers: {
        "Content-Type": JSON_TYPE,
        ...(!hasFailed && { [CONNECTION_ID]: connection.id, [EVENT_ORDER]: OF_CONNECTION }),
      },
    });
  }

  #createConnection(principal: string | undefined): ServerConnection {
    const { maxBufferedLength = 16 * 1024 * 1024, replayLength = 1024 * 1024 } = this.#options;
    const { idleMs = 60_000, keepAliveMs = 15_000 } = this.#options;
    const id = this.#createId();
    const connection = new ServerConnection(
      id,
      principal,
      { maxBufferedLength, replayLength, idleMs, keepAliveMs },
      () => void this.#connections.delete(id),
    );
    this.#connections.set(id, connection);
    return connection;
  }

  /** Handles any further message. */
  async #receive(request: Request, found: ServerConnection | Response): Promise<Response> {
    if (found instanceof Response) return found;
    if (!(await found.isReady())) return reply(503, "Read what the agent has sent", BUSY);
    const read = await readMessage(request, this.#options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
    if (!("message" in read)) return reply(read.status, read.text);
    if (found.isClosed) return reply(404, `Unknown ${CONNECTION_ID}`);
    const { message } = read;
    const session = request.headers.get(SESSION_ID) ?? undefined;
    const problem = problemOf(message, session);
    if (problem !== undefined) return reply(400, problem);
    if (!found.isNew(request.headers.get(MESSAGE_NUMBER))) return reply(202);
    found.receive(message, session);
    found.touch();
    return reply(202);
  }

  #stream({ headers }: Request, found: ServerConnection): Response {
    if (headers.get("Accept")?.includes(EVENT_TYPE) !== true)
      return reply(406, `Accept ${EVENT_TYPE}`);
    const last = headers.get(LAST_EVENT_ID);
    const number = last === null ? undefined : Number(last);
    if (number !== undefined && !(Number.isSafeInteger(number) && number >= 0))
      return reply(400, `${LAST_EVENT_ID} is not a number of this server`);
    const body = found.open(headers.get(SESSION_ID) ?? undefined, number);
    if (body === "open") return reply(409, "The stream is open already");
    if (body === "too many") return reply(429, "Too many streams");
    if (body === "gone") {
      found.close();
      return reply(410, "The messages are kept no longer");
    }
    return new Response(body, {
      headers: {
        "Content-Type": EVENT_TYPE,
        [EVENT_ORDER]: OF_CONNECTION,
        // Proxies neither change nor hold the stream.
        "Cache-Control": "no-cache, no-transform",
        "X-Accel-Buffering": "no",
      },
    });
  }

  #acceptSocket(socket: WebSocketLike, caller: Caller): void {
    const transport = webSocketTransport(socket, this.#options.webSocket);
    this.#sockets++;
    const { idleMs = 60_000 } = this.#options;
    // A client that says nothing takes the place of another.
    const stop = startTimer(idleMs, () => transport.close());
    const untilFirst: Transport = {
      start: (receiver) =>
        transport.start({
          message: (message) => {
            stop();
            receiver.message(message);
          },
          invalid: (...input) => receiver.invalid(...input),
          close: (...end) => {
            stop();
            receiver.close(...end);
          },
        }),
      send: (message) => transport.send(message),
      close: () => transport.close(),
    };
    void this.#serve(untilFirst, caller)
      .then((agent) => agent?.closed)
      .catch(() => {})
      .finally(() => {
        stop();
        transport.close();
        this.#sockets--;
      });
  }

  /** Connects an agent and keeps it until it has ended; undefined when that fails. */
  async #serve(transport: Transport, caller: Caller): Promise<AgentConnection | undefined> {
    try {
      const agent = await this.#options.serve(transport, caller);
      this.#agents.add(agent);
      void agent.closed
        .catch((error: unknown) => this.#report(error))
        .finally(() => this.#agents.delete(agent));
      return agent;
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }
}

function missing(): Response {
  return reply(400, `Missing ${CONNECTION_ID}`);
}

/** Returns what is wrong with the session that a header names: the message itself decides. */
function problemOf(message: WireMessage, header: string | undefined): string | undefined {
  const { params } = message;
  const named = isRecord(params) ? params["sessionId"] : undefined;
  if (typeof named !== "string") return undefined;
  if (named.length > MAX_ID) return "The sessionId is too long";
  return header === undefined || header === named ? undefined : `Mismatched ${SESSION_ID}`;
}

/** The most exceptions that are written to the console when there is no `onError`. */
const CONSOLE_LIMIT = 20;

function createConsoleReport(): (error: unknown) => void {
  let count = 0;
  return (error) => {
    if (++count <= CONSOLE_LIMIT) console.error("acp:", error);
  };
}
