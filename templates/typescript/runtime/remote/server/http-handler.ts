import { guardReport } from "../../rpc/inbound-requests.js";
import { classify, isRecord } from "../../rpc/messages.js";
import { checkSettings, requireArgument, type Kinds } from "../../rpc/require-argument.js";
import { startTimer } from "../../rpc/timer.js";
import type { Transport } from "../../rpc/transports/transport.js";
import {
  CONNECTION_ID,
  EVENT_ORDER,
  EVENT_TYPE,
  JSON_TYPE,
  LAST_EVENT_ID,
  MAX_ID,
  MAX_MESSAGE_BYTES,
  MESSAGE_NUMBER,
  OF_CONNECTION,
  SESSION_ID,
  type WireMessage,
} from "../wire.js";
import { WEB_SOCKET, webSocketTransport, type WebSocketLike } from "../web-socket-transport.js";
import { admit, ADMISSION, checkAllowed, reply, type Admitted } from "./admit.js";
import type { AgentConnection, Caller, HttpServerOptions } from "./options.js";
import { readMessage, type BodyBudget } from "./read-message.js";
import { ServerConnection, type ConnectionSettings } from "./server-connection.js";
import * as sentences from "../../sentences.js";

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
   * Accepts no new connections, waits until no request is running and all output is taken, and
   * closes all connections. Every call resolves when they have ended.
   *
   * @param maxTime closes them at the latest, in milliseconds; 10,000 by default
   */
  drain(maxTime?: number): Promise<void>;
}

const OPTIONS: Kinds = {
  ...ADMISSION,
  serve: "a function",
  maxConnections: sentences.countSetting,
  maxMessageBytes: sentences.countSetting,
  maxBufferedLength: sentences.countSetting,
  replayLength: sentences.timeSetting,
  idleMs: sentences.timeSetting,
  keepAliveMs: sentences.timeSetting,
  webSocket: "an object",
  connectionId: "a function",
  onError: "a function",
};

/** When refused clients may come again, in seconds. */
const RETRY_AFTER = { "Retry-After": "5" };

/** How long clients may come back to learn that their connection has ended, in milliseconds. */
const LEARN_TIME = 200;

/** The time between two looks whether a draining server is done, in milliseconds. */
const DRAIN_POLL = 20;

/** The close code of a socket without an agent: some runtimes refuse those below 3000, but for 1000. */
const UNAVAILABLE = 4503;

/**
 * Creates a server of agents, for every web server that has `Request` and `Response`. It opens no
 * port. Unless options say more, only programs on this machine may call.
 *
 * @throws AcpError for a missing or misspelled option, and for one of a wrong type
 */
export function createHttpHandler(options: HttpServerOptions): HttpHandler {
  const { serve, webSocket = {} } = options;
  requireArgument("createHttpHandler", serve, "a function", "createHttpHandler({ serve })");
  checkSettings("", options, OPTIONS);
  checkSettings("webSocket.", webSocket, WEB_SOCKET);
  checkAllowed(options);
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
  readonly #settings: ConnectionSettings;
  readonly #maxBytes: number;
  readonly #bodies: BodyBudget;
  readonly #report: (error: unknown) => void;
  readonly #connections = new Map<string, ServerConnection>();
  /** The agents behind all connections. */
  readonly #agents = new Set<AgentConnection>();
  /** The connections over WebSocket. */
  readonly #sockets = new Map<WebSocketLike, Transport>();
  /** When a draining server closes its connections at the latest, as `performance.now()` has it. */
  #deadline = Infinity;
  #drained: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#report = guardReport(options.onError ?? createConsoleReport());
    const { maxBufferedLength = 16 * 1024 * 1024, replayLength = 1024 * 1024 } = options;
    const { idleMs = 60_000, keepAliveMs = 15_000 } = options;
    this.#maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.#bodies = { left: 4 * this.#maxBytes };
    this.#settings = { maxBufferedLength, replayLength, idleMs, keepAliveMs };
  }

  get size(): number {
    return this.#connections.size + this.#sockets.size;
  }

  handle(request: Request): Promise<Response> {
    return this.#admit(request, async (admitted) => {
      const response = await this.#answer(request, admitted);
      for (const [name, value] of Object.entries(admitted.headers))
        response.headers.set(name, value);
      return response;
    });
  }

  upgrade(request: Request): Promise<AcceptedUpgrade | Response> {
    return this.#admit<AcceptedUpgrade | Response>(request, ({ principal }) => {
      const refusal = this.#refusal();
      if (refusal !== undefined) return refusal;
      const connectionId = this.#createId();
      return {
        connectionId,
        accept: (socket) => this.#acceptSocket(socket, { request, principal, connectionId }),
      };
    });
  }

  async #admit<T>(
    request: Request,
    answer: (admitted: Admitted) => T | Promise<T>,
  ): Promise<T | Response> {
    try {
      const admitted = await admit(request, this.#options);
      return admitted instanceof Response ? admitted : await answer(admitted);
    } catch (error) {
      this.#report(error);
      return reply(500);
    }
  }

  drain(maxTime: number): Promise<void> {
    this.#deadline = Math.min(this.#deadline, performance.now() + maxTime);
    return (this.#drained ??= this.#drain());
  }

  async #drain(): Promise<void> {
    while (this.#isBusy() && performance.now() < this.#deadline) await sleep(DRAIN_POLL);
    const ended = [...this.#connections.values()];
    for (const connection of [...ended, ...this.#sockets.values()]) connection.close();
    this.#sockets.clear();
    for (const agent of [...this.#agents]) agent.close?.();
    if (ended.length > 0) await sleep(LEARN_TIME);
  }

  /** Returns whether a request is running, or a client has not taken what was sent. */
  #isBusy(): boolean {
    return (
      [...this.#agents].some(({ stats }) => stats?.running) ||
      [...this.#connections.values()].some(({ isTaken }) => !isTaken) ||
      [...this.#sockets.keys()].some(({ bufferedAmount }) => bufferedAmount)
    );
  }

  #answer(request: Request, admitted: Admitted): Response | Promise<Response> {
    const session = request.headers.get(SESSION_ID);
    if (session !== null && session.length > MAX_ID) return reply(400, `${SESSION_ID} is too long`);
    const id = request.headers.get(CONNECTION_ID);
    const found = this.#connections.get(id ?? "");
    const use = (act: (found: ServerConnection) => Response | Promise<Response>) => {
      if (id === null) return reply(400, `Missing ${CONNECTION_ID}`);
      // A connection of somebody else does not exist.
      if (found === undefined || found.principal !== admitted.principal) return unknown();
      return act(found);
    };
    switch (request.method) {
      case "POST":
        return id === null
          ? this.#open(request, admitted)
          : use((connection) => this.#receive(request, connection));
      case "GET":
        return use((connection) => this.#stream(request, connection));
      case "DELETE":
        return use((connection) => {
          connection.close();
          return reply(202);
        });
      default:
        return reply(405, "Method not allowed", { Allow: "GET, POST, DELETE" });
    }
  }

  #refusal(): Response | undefined {
    if (this.#drained !== undefined) return reply(503, sentences.serverEnds, RETRY_AFTER);
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
    const message = await this.#read(request);
    if (message instanceof Response) return message;
    if (classify(message, false).kind !== "request")
      return reply(400, `Missing ${CONNECTION_ID}, or a first request with an id`);
    const refusal = this.#refusal();
    if (refusal !== undefined) return refusal;
    const connection = this.#createConnection(principal);
    const leave = (): void => connection.close();
    // Some servers abort the signal behind the response as well.
    request.signal.addEventListener("abort", leave);
    connection.receive(message);
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

  #read(request: Request): Promise<WireMessage | Response> {
    return readMessage(request, this.#maxBytes, this.#bodies);
  }

  #createConnection(principal: string | undefined): ServerConnection {
    const id = this.#createId();
    const connection = new ServerConnection(
      id,
      principal,
      this.#settings,
      () => void this.#connections.delete(id),
    );
    this.#connections.set(id, connection);
    return connection;
  }

  /** Handles any further message. */
  async #receive(request: Request, found: ServerConnection): Promise<Response> {
    const message = await this.#read(request);
    if (message instanceof Response) return message;
    if (found.isClosed) return unknown();
    const session = request.headers.get(SESSION_ID) ?? undefined;
    const problem = problemOf(message, session);
    if (problem !== undefined) return reply(400, problem);
    const number = numberIn(request, MESSAGE_NUMBER, 1);
    if (number instanceof Response) return number;
    found.receive(message, session, number);
    return reply(202);
  }

  #stream(request: Request, found: ServerConnection): Response {
    const { headers } = request;
    if (headers.get("Accept")?.includes(EVENT_TYPE) !== true)
      return reply(406, `Accept ${EVENT_TYPE}`);
    const last = numberIn(request, LAST_EVENT_ID, 0);
    if (last instanceof Response) return last;
    const body = found.open(headers.get(SESSION_ID) ?? undefined, last);
    if (body instanceof Response) return body;
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
    this.#sockets.set(socket, transport);
    // A client that says nothing takes the place of another.
    const stop = startTimer(this.#settings.idleMs, () => transport.close());
    const end = (): void => {
      stop();
      transport.close();
      this.#sockets.delete(socket);
    };
    socket.addEventListener("message", stop, { once: true });
    // Without waiting for the agent, which may not be connected yet.
    socket.addEventListener("close", end);
    void this.#serve(transport, caller)
      .then((agent) => agent?.closed ?? void socket.close(UNAVAILABLE, "No agent"))
      .catch(() => {})
      .finally(end);
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

function unknown(): Response {
  // Clients show it as the reason.
  return reply(404, `Unknown ${CONNECTION_ID}: the server was restarted, or the connection ended`);
}

/** Returns the number in a header, or a response that refuses one that is not whole or too small. */
function numberIn(
  { headers }: Request,
  name: string,
  least: number,
): number | undefined | Response {
  const text = headers.get(name);
  if (text === null) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  return number < least ? reply(400, `Malformed ${name}`) : number;
}

function sleep(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/** Returns what is wrong with the session that a header names: the message itself decides. */
function problemOf(message: WireMessage, header: string | undefined): string | undefined {
  const { params } = message;
  const named = isRecord(params) ? params["sessionId"] : undefined;
  if (typeof named !== "string") return undefined;
  if (named.length > MAX_ID) return sentences.sessionIdTooLong;
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
