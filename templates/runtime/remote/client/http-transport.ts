import { AcpError } from "../../rpc/acp-error.js";
import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord } from "../../rpc/messages.js";
import { startTimer } from "../../rpc/timer.js";
import { rejected, SENT, type Transport, type TransportReceiver } from "../../rpc/transport.js";
import { createThrottle } from "../../rpc/transports/throttle.js";
import {
  announcesOrder,
  CONNECTION_ID,
  createdBy,
  isRequest,
  isResponse,
  JSON_TYPE,
  MAX_MESSAGE_BYTES,
  MESSAGE_NUMBER,
  SESSION_ID,
  sessionOf,
  type WireMessage,
} from "../wire.js";
import { openEventStream, type StreamOwner } from "./event-stream.js";
import {
  discard,
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
  /**
   * How long lost streams and messages are tried again, in milliseconds; 30,000 by default. Only
   * servers that number their messages allow it; with others, a lost stream ends the connection.
   */
  readonly reconnectMs?: number;
  /**
   * A stream on which nothing has arrived for this time, not even a sign of life, is lost; 60,000 ms
   * by default. Only for servers that number their messages, which send one every 15 seconds.
   */
  readonly maxSilenceMs?: number;
}

/** Senders wait, and reading pauses, while more characters than this are unsent. */
const MAX_UNSENT = 1024 * 1024;

/** The time for which the end of a connection is announced to the server, in milliseconds. */
const FAREWELL = 5000;

/** The time for which a server that cannot be reached is told again, in milliseconds. */
const LEAVING = 1000;

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
  readonly maxSilenceMs: number;
  isOrdered = false;
  canRead: Promise<void> | undefined;
  readonly #aborter = new AbortController();
  readonly #order = new MessageOrder(
    (message) => this.#receiver?.message(message),
    () => this.#end(new AcpError("the server leaves out messages")),
  );
  readonly #streams = new Map<string | undefined, Promise<void>>();
  /** The sessions of open requests: of the agent, for the headers of the answers, and of the client. */
  readonly #asked = new Map<unknown, string>();
  readonly #calls = new Map<unknown, string | undefined>();
  readonly #throttle: ReturnType<typeof createThrottle>;
  #receiver: TransportReceiver | undefined;
  #isClosing = false;
  #queue = SENT;
  #queued = 0;
  #count = 0;

  constructor(requests: HttpRequests, options: HttpOptions) {
    this.requests = requests;
    this.maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.reconnectMs = options.reconnectMs ?? 30_000;
    this.maxSilenceMs = options.maxSilenceMs ?? 60_000;
    let resume = (): void => {};
    this.#throttle = createThrottle({
      limit: MAX_UNSENT,
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
    if (this.#queued <= MAX_UNSENT) return SENT;
    this.#throttle.update();
    return this.#queue;
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // What was sent before is delivered, where the server answers.
    const stop = startTimer(FAREWELL, () => this.#end());
    void this.#queue.then(() => this.#end()).finally(stop);
  }

  #end(error?: unknown): void {
    if (this.signal.aborted) return;
    this.#aborter.abort();
    this.#throttle.update();
    if (this.requests.connectionId !== undefined) this.#leave();
    queueMicrotask(() => this.#receiver?.close(error, true));
  }

  /** Tells the server, which otherwise keeps the agent until it has been idle for long. */
  #leave(): void {
    const signal = AbortSignal.timeout(FAREWELL);
    const retry = createRetry(LEAVING, signal);
    const leave = (): Promise<void> =>
      this.requests
        .send("DELETE", {}, { signal })
        .then(discard, async () => ((await retry.wait()) ? leave() : undefined));
    void leave();
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
    if (number > 0) this.#order.take(number, message, event.data.length);
    else this.#receiver?.message(message);
  }

  /** Notes what the message of an agent means for streams. */
  #follow(message: WireMessage, session: string | undefined): void {
    if (isRequest(message)) {
      const asking = sessionOf(message) ?? session;
      if (asking !== undefined) this.#asked.set(message.id, asking);
    }
    // Nobody waits for other answers.
    if (!isResponse(message) || !this.#calls.delete(message.id)) return;
    // At once: what the agent sent before this answer is in the stream.
    const created = createdBy(message);
    if (created !== undefined) void this.#open(created).catch(() => {});
  }

  lost(session: string | undefined, error?: unknown): void {
    this.#streams.delete(session);
    if (error !== undefined || !this.#canDoWithout(session)) this.#end(error);
  }

  /**
   * Returns whether the connection goes on after the regular end of a stream. A server that numbers
   * its messages ends them all, and each has its last messages; others end that of a closed session.
   */
  #canDoWithout(session: string | undefined): boolean {
    if (this.isOrdered) return this.#streams.size > 0;
    return session !== undefined && ![...this.#calls.values()].includes(session);
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
    if (this.requests.connectionId === undefined) return this.#initialize(text);
    const { id } = message;
    const session = sessionOf(message) ?? (isResponse(message) ? this.#asked.get(id) : undefined);
    if (isResponse(message)) this.#asked.delete(id);
    if (isRequest(message)) this.#calls.set(id, session);
    try {
      if (session !== undefined) await this.#openFor(session);
      const response = await this.#persist(text, {
        ...(session !== undefined && { [SESSION_ID]: session }),
        ...(this.isOrdered && { [MESSAGE_NUMBER]: `${++this.#count}` }),
      });
      if (!response.ok) throw await readError(response);
      discard(response);
    } catch (error) {
      if (!(error instanceof HttpError) || FINAL.has(error.status) || !isRequest(message))
        throw error;
      this.#calls.delete(id);
      // Only this request has failed.
      const { message: reason, status, body } = error;
      this.#receiver?.message({
        jsonrpc: "2.0",
        id,
        error: { code: ErrorCodes.InternalError, message: reason, data: { status, body } },
      });
    }
  }

  /**
   * Opens the stream of a session. Some servers know one only after the session was loaded, and
   * all have a limit: messages of further sessions come in the stream of the connection.
   */
  async #openFor(session: string): Promise<void> {
    await this.#open(session).catch((error: unknown) => {
      if (!(error instanceof HttpError && STREAMLESS.has(error.status))) throw error;
    });
  }

  #send(text: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.requests.send(
      "POST",
      { "Content-Type": JSON_TYPE, ...headers },
      { body: text, signal: this.signal },
    );
  }

  /** Sends again what a lost connection has swallowed, where the server takes it only once. */
  async #persist(text: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const retry = createRetry(this.reconnectMs, this.signal);
    for (;;) {
      const sent = this.#send(text, headers);
      const response = await sent.catch(() => undefined);
      const isPassing = response === undefined || PASSING.has(response.status);
      const canWait = isPassing && this.isOrdered && !this.#isClosing;
      if (!canWait || !(await retry.wait())) return sent;
      discard(response);
    }
  }

  /** Sends the first request, whose response is its answer. */
  async #initialize(text: string): Promise<void> {
    const response = await this.#send(text);
    if (!response.ok) throw await readError(response);
    const answer = parseAnswer(await readText(response, this.maxMessageBytes));
    this.requests.connectionId = response.headers.get(CONNECTION_ID) ?? undefined;
    this.isOrdered = announcesOrder(response);
    if (this.requests.connectionId !== undefined) await this.#open();
    this.#receiver?.message(answer);
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
