import { AcpError } from "../../rpc/acp-error.js";
import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord } from "../../rpc/messages.js";
import { rejected, SENT, type Transport, type TransportReceiver } from "../../rpc/transport.js";
import { createThrottle } from "../../rpc/transports/throttle.js";
import {
  CONNECTION_ID,
  createdBy,
  EVENT_ORDER,
  isRequest,
  isResponse,
  JSON_TYPE,
  MAX_MESSAGE_BYTES,
  MESSAGE_NUMBER,
  OF_CONNECTION,
  SESSION_ID,
  sessionOf,
  type WireMessage,
} from "../wire.js";
import { openEventStream, type StreamOwner } from "./event-stream.js";
import {
  HttpError,
  HttpRequests,
  readError,
  readText,
  type HttpRequestOptions,
} from "./http-requests.js";
import { MessageOrder } from "./message-order.js";
import type { ServerEvent } from "./read-events.js";
import { createRetry } from "./retry.js";

/** Options of a transport over HTTP. */
export interface HttpOptions extends HttpRequestOptions {
  /** The longest accepted message, in bytes; 32 MiB by default. */
  readonly maxMessageBytes?: number;
  /** Senders wait, and reading pauses, while more characters than this are unsent; 1 Mi by default. */
  readonly maxUnsentLength?: number;
  /**
   * How long lost streams and messages are tried again, in milliseconds; 30,000 by default. Only
   * servers that number their messages allow it; with others, a lost stream ends the connection.
   */
  readonly reconnectMs?: number;
}

/** The time for which the end of a connection is announced to the server, in milliseconds. */
const FAREWELL = 5000;

/** Statuses that end the connection: the server knows it no longer, or refuses its client. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Statuses of a refused stream without which a session can do. */
const STREAMLESS: ReadonlySet<number> = new Set([404, 429]);

/** Statuses of proxies and of servers that are busy, after which a message is sent again. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Creates a transport over HTTP: messages to the agent are requests, those of the agent come in
 * streams of events, one for the connection and one for each session.
 *
 * @param url the endpoint of the server, e.g. `https://agents.example/acp`
 */
export function httpTransport(url: string | URL, options: HttpOptions = {}): Transport {
  return new HttpTransport(new HttpRequests(new URL(url), options), options);
}

class HttpTransport implements Transport, StreamOwner {
  readonly requests: HttpRequests;
  readonly maxMessageBytes: number;
  readonly reconnectMs: number;
  isOrdered = false;
  canRead: Promise<void> | undefined;
  readonly #aborter = new AbortController();
  readonly #maxUnsent: number;
  readonly #order = new MessageOrder((message) => this.#receiver?.message(message));
  readonly #streams = new Map<string | undefined, Promise<void>>();
  /** The sessions of open requests: of the agent, for the headers of the answers, and of the client. */
  readonly #asked = new Map<unknown, string>();
  readonly #calls = new Map<unknown, string>();
  readonly #throttle: ReturnType<typeof createThrottle>;
  #receiver: TransportReceiver | undefined;
  #isClosing = false;
  #queue = SENT;
  #queued = 0;
  #count = 0;

  constructor(requests: HttpRequests, options: HttpOptions) {
    const { maxMessageBytes = MAX_MESSAGE_BYTES, maxUnsentLength = 1024 * 1024 } = options;
    this.requests = requests;
    this.maxMessageBytes = maxMessageBytes;
    this.reconnectMs = options.reconnectMs ?? 30_000;
    this.#maxUnsent = maxUnsentLength;
    let resume = (): void => {};
    this.#throttle = createThrottle({
      limit: maxUnsentLength,
      unsent: () => (this.signal.aborted ? 0 : this.#queued),
      pause: () => void (this.canRead = new Promise((resolve) => (resume = resolve))),
      resume: () => {
        this.canRead = undefined;
        resume();
      },
    });
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: object): Promise<void> {
    const text = JSON.stringify(message);
    if (this.#isClosing || this.signal.aborted)
      return rejected(new Error("the connection is closed"));
    this.#queued += text.length;
    // One request at a time, since HTTP keeps no order between two.
    const sent = this.#queue.then(() => this.#post(text, message));
    this.#queue = sent
      .catch((error: unknown) => this.#end(error))
      .finally(() => {
        this.#queued -= text.length;
        this.#throttle.update();
      });
    sent.catch(() => {});
    if (this.#queued <= this.#maxUnsent) return SENT;
    this.#throttle.update();
    return this.#queue;
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // What was sent before is delivered.
    void this.#queue.then(() => this.#end());
  }

  #end(error?: unknown): void {
    if (this.signal.aborted) return;
    this.#aborter.abort();
    this.#throttle.update();
    if (this.requests.connectionId !== undefined)
      void this.requests
        .send("DELETE", {}, { signal: AbortSignal.timeout(FAREWELL) })
        .then(({ body }) => body?.cancel())
        .catch(() => {});
    queueMicrotask(() => this.#receiver?.close(error, true));
  }

  // ---- Messages of the agent

  receive(event: ServerEvent, session: string | undefined, isOrdered: boolean): void {
    let message: unknown;
    try {
      message = JSON.parse(event.data);
    } catch {
      return this.#receiver?.invalid(
        ErrorCodes.ParseError,
        "Parse error",
        event.data.slice(0, 512),
      );
    }
    if (isRecord(message)) this.#follow(message as WireMessage, session);
    const number = isOrdered ? Number(event.id) : Number.NaN;
    if (number > 0) this.#order.take(number, message);
    else this.#receiver?.message(message);
  }

  /** Notes what the message of an agent means for streams. */
  #follow(message: WireMessage, session: string | undefined): void {
    if (isRequest(message)) {
      const asking = sessionOf(message) ?? session;
      if (asking !== undefined) this.#asked.set(message.id, asking);
    }
    if (!isResponse(message)) return;
    this.#calls.delete(message.id);
    // At once: what the agent sent before this answer is in the stream.
    const created = createdBy(message);
    if (created !== undefined) void this.#open(created).catch(() => {});
  }

  lost(session: string | undefined, error?: unknown): void {
    const isNeeded = [...this.#calls.values()].some((calling) => calling === session);
    if (session !== undefined && !isNeeded && error === undefined && !this.isOrdered)
      // Some servers end the stream of a session with the session.
      return void this.#streams.delete(session);
    this.#end(error);
  }

  // ---- Messages of the client

  #open(session?: string): Promise<void> {
    const known = this.#streams.get(session);
    if (known !== undefined) return known;
    const opened = openEventStream(this, session);
    this.#streams.set(session, opened);
    opened.catch(() => this.#streams.delete(session));
    return opened;
  }

  async #post(text: string, message: WireMessage): Promise<void> {
    if (this.signal.aborted) throw new Error("the connection is closed");
    if (this.requests.connectionId === undefined) return this.#initialize(text);
    const session = sessionOf(message) ?? this.#asked.get(message.id);
    if (isRequest(message) && session !== undefined) this.#calls.set(message.id, session);
    if (isResponse(message)) this.#asked.delete(message.id);
    try {
      if (session !== undefined) await this.#openFor(session);
      const headers = {
        "Content-Type": JSON_TYPE,
        ...(session !== undefined && { [SESSION_ID]: session }),
        ...(this.isOrdered && { [MESSAGE_NUMBER]: `${++this.#count}` }),
      };
      const response = await this.#persist(() =>
        this.requests.send("POST", headers, { body: text, signal: this.signal }),
      );
      if (!response.ok) throw await readError(response);
      void response.body?.cancel().catch(() => {});
    } catch (error) {
      if (!(error instanceof HttpError) || FINAL.has(error.status) || !isRequest(message))
        throw error;
      this.#refuse(message, error);
    }
  }

  /**
   * Opens the stream of a session. Some servers know one only after the session was loaded, and
   * all have a limit: messages of further sessions come in the stream of the connection.
   */
  async #openFor(session: string): Promise<void> {
    try {
      await this.#open(session);
    } catch (error) {
      if (!(error instanceof HttpError && STREAMLESS.has(error.status))) throw error;
    }
  }

  /** Sends again what a lost connection has swallowed, where the server takes it only once. */
  async #persist(send: () => Promise<Response>): Promise<Response> {
    const retry = createRetry(this.reconnectMs, this.signal);
    for (;;) {
      let response: Response | undefined;
      try {
        response = await send();
        if (!this.isOrdered || !PASSING.has(response.status)) return response;
        if (this.#isClosing || !(await retry.wait(response.headers.get("Retry-After"))))
          return response;
        void response.body?.cancel().catch(() => {});
      } catch (error) {
        if (response !== undefined || !this.isOrdered || this.#isClosing || !(await retry.wait()))
          throw error;
      }
    }
  }

  /** Sends the first request, whose response is its answer. */
  async #initialize(text: string): Promise<void> {
    const { requests, signal } = this;
    const response = await requests.send(
      "POST",
      { "Content-Type": JSON_TYPE },
      { body: text, signal },
    );
    if (!response.ok) throw await readError(response);
    const answer = parseAnswer(await readText(response, this.maxMessageBytes));
    requests.connectionId = response.headers.get(CONNECTION_ID) ?? undefined;
    this.isOrdered = response.headers.get(EVENT_ORDER) === OF_CONNECTION;
    if (requests.connectionId !== undefined) await this.#open();
    this.#receiver?.message(answer);
  }

  /** Answers a request that the server has refused, without ending the connection. */
  #refuse({ id }: WireMessage, { message, status, body }: HttpError): void {
    this.#calls.delete(id);
    this.#receiver?.message({
      jsonrpc: "2.0",
      id,
      error: { code: ErrorCodes.InternalError, message, data: { status, body } },
    });
  }
}

/** @throws AcpError when the answer to the first request is not JSON, or was cut off */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcpError("the server has not answered with JSON: is this the address of an agent?");
  }
}
