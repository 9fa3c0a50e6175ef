import { AcpError } from "../../acp-error.js";
import { ErrorCodes } from "../../rpc/errors.js";
import { isRecord } from "../../rpc/messages.js";
import { checkSettings, type Kinds } from "../../rpc/require-argument.js";
import { startTimer } from "../../rpc/timer.js";
import {
  rejected,
  SENT,
  type Transport,
  type TransportReceiver,
} from "../../rpc/transports/transport.js";
import {
  announcesOrder,
  CONNECTION_ID,
  EVENT_TYPE,
  LAST_EVENT_ID,
  createdBy,
  isHeaderValue,
  isRequest,
  isResponse,
  MAX_MESSAGE_BYTES,
  MESSAGE_NUMBER,
  NO_EVENT,
  SESSION_ID,
  sessionOf,
  type WireMessage,
} from "../wire.js";
import { KEPT_START } from "../parse-message.js";
import { HttpRequests, readText, type HttpRequestOptions } from "./http-requests.js";
import { HttpError } from "./http-error.js";
import { MessageOrder } from "./message-order.js";
import { readEvents, type ServerEvent } from "./read-events.js";
import { createRetry } from "./retry.js";
import * as sentences from "../../sentences.js";

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
   * A request whose response has not begun within this time is lost, and so is a stream on which
   * nothing has arrived for it, not even a sign of life; 60,000 ms by default. The streams of servers
   * that do not number their messages may be silent, since those need not send signs of life.
   */
  readonly maxSilenceMs?: number;
}

/** The kinds of the options. */
export const HTTP: Kinds = {
  fetch: "a function",
  headers: undefined,
  onUnauthorized: "a function",
  maxMessageBytes: sentences.countSetting,
  reconnectMs: sentences.timeSetting,
  maxSilenceMs: sentences.timeSetting,
};

/** Senders wait while more characters than this are unsent. */
const MAX_UNSENT = 1024 * 1024;

/** The time for which the end of a connection is announced to the server, in milliseconds. */
const FAREWELL = 5000;

/** The time for which a server that cannot be reached is told again, in milliseconds. */
const LEAVING = 1000;

/** Statuses that end the connection: the server is lost, knows it no longer, or refuses its client. */
const FINAL: readonly number[] = [0, 401, 403, 404, 410];

/** Statuses of a refused stream without which a session can do. */
const STREAMLESS: readonly number[] = [404, 429];

/**
 * Creates a transport over HTTP: messages to the agent are requests, those of the agent come in
 * streams of events, one for the connection and one for each session.
 *
 * @param url the endpoint of the server, e.g. `https://agents.example/acp`
 * @throws AcpError for a misspelled option, and for one of a wrong type
 */
export function httpTransport(url: string | URL, options: HttpOptions = {}): Transport {
  checkSettings("", options, HTTP);
  return new HttpTransport(new HttpRequests(new URL(url), options), options);
}

class HttpTransport implements Transport {
  readonly #requests: HttpRequests;
  readonly #maxMessageBytes: number;
  readonly #reconnectMs: number;
  readonly #maxSilenceMs: number;
  /** Whether the server numbers the messages of the connection. */
  #isOrdered = false;
  readonly #aborter = new AbortController();
  readonly #signal: AbortSignal = this.#aborter.signal;
  readonly #order = new MessageOrder(() => this.#end(new AcpError(sentences.messagesMissing)));
  readonly #streams = new Map<string | undefined, Promise<void>>();
  /** The sessions of open requests: of the agent, for the headers of the answers, and of the client. */
  readonly #asked = new Map<unknown, string>();
  readonly #calls = new Map<unknown, string | undefined>();
  #receiver: TransportReceiver | undefined;
  #isClosing = false;
  #queue = SENT;
  #queued = 0;
  #count = 0;

  constructor(requests: HttpRequests, options: HttpOptions) {
    this.#requests = requests;
    this.#maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.#reconnectMs = options.reconnectMs ?? 30_000;
    this.#maxSilenceMs = options.maxSilenceMs ?? 60_000;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: object): Promise<void> {
    const text = JSON.stringify(message);
    if (this.#isClosing || this.#signal.aborted)
      return rejected(new Error("the connection is closed"));
    this.#queued += text.length;
    // One request at a time, since HTTP keeps no order between two.
    const sent = this.#queue.then(() => this.#post(text, message));
    this.#queue = sent
      .catch((error: unknown) => this.#end(error))
      .finally(() => void (this.#queued -= text.length));
    return this.#queued <= MAX_UNSENT ? SENT : this.#queue;
  }

  unsent(): number {
    return this.#signal.aborted ? 0 : this.#queued;
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // What was sent before is delivered, where the server answers.
    startTimer(FAREWELL, () => this.#end());
    void this.#queue.then(() => this.#end());
  }

  #end(error?: unknown): void {
    if (this.#signal.aborted) return;
    this.#aborter.abort();
    if (this.#requests.connectionId !== undefined) {
      // The server would keep the agent until it has been idle for long.
      const signal = AbortSignal.timeout(FAREWELL);
      createRetry(LEAVING, signal)
        .run(() => this.#requests.send("DELETE", {}, FAREWELL, signal))
        .catch(() => {});
    }
    queueMicrotask(() => this.#receiver?.close(error, true));
  }

  // ---- Messages of the agent

  #receive({ id, data }: ServerEvent, session: string | undefined): void {
    let deliver: () => void;
    try {
      const message: unknown = JSON.parse(data);
      if (isRecord(message)) this.#note(message as WireMessage, session);
      deliver = () => this.#receiver!.message(message);
    } catch {
      deliver = () =>
        this.#receiver!.invalid(ErrorCodes.ParseError, "Parse error", data.slice(0, KEPT_START));
    }
    const number = this.#isOrdered ? Number(id) : Number.NaN;
    if (number > 0) this.#order.take(number, deliver, data.length);
    else deliver();
  }

  /** Notes what the message of an agent means for streams. */
  #note(message: WireMessage, session: string | undefined): void {
    if (isRequest(message)) {
      const asking = sessionOf(message) ?? session;
      if (asking !== undefined) this.#asked.set(message.id, asking);
    }
    // Nobody waits for other answers.
    if (!isResponse(message) || !this.#calls.delete(message.id)) return;
    // At once: what the agent sent before this answer is in the stream.
    const created = createdBy(message);
    if (created !== undefined && isHeaderValue(created)) void this.#open(created).catch(() => {});
  }

  /**
   * Reads the stream of a session, or that of the connection, and opens it again when it was lost:
   * from the last event on, where the events have ids.
   *
   * @param opened called when the server has accepted the stream
   * @param refused called when it refuses it
   */
  async #follow(
    session: string | undefined,
    opened: () => void,
    refused: (error: unknown) => void,
  ): Promise<void> {
    const signal = this.#signal;
    const retry = createRetry(this.#reconnectMs, signal);
    let lastId: string | undefined;
    let wasOpen = false;
    let isRegular = false;
    const fail = (error: unknown): void => {
      if (!wasOpen) return refused(error);
      this.#streams.delete(session);
      // A server that numbers its messages ends all streams, and each has its last messages; others
      // end that of a closed session.
      const goesOn = this.#isOrdered
        ? this.#streams.size > 0
        : session !== undefined && ![...this.#calls.values()].includes(session);
      if (error !== undefined || !goesOn) this.#end(error);
    };
    for (let isFirst = true; ; isFirst = false) {
      let problem: unknown;
      try {
        const response = await this.#requests.send(
          "GET",
          {
            Accept: EVENT_TYPE,
            ...(session !== undefined && { [SESSION_ID]: session }),
            ...(!isFirst && { [LAST_EVENT_ID]: lastId ?? NO_EVENT }),
          },
          retry.limit(this.#maxSilenceMs),
          signal,
        );
        this.#isOrdered ||= announcesOrder(response);
        wasOpen = true;
        isRegular = false;
        opened();
        for await (const events of readEvents(
          response.body!,
          this.#maxMessageBytes,
          this.#isOrdered ? this.#maxSilenceMs : Infinity,
          signal,
        )) {
          if (signal.aborted) return;
          retry.reset(events.length > 0);
          for (const event of events) {
            lastId = event.id ?? lastId;
            this.#receive(event, session);
          }
        }
        isRegular = true;
      } catch (error) {
        problem = error;
      }
      const status =
        problem instanceof HttpError ? problem.status : problem === undefined ? 0 : NaN;
      const canRepeat = status === 0 || status >= 500;
      if (signal.aborted || !canRepeat || (!this.#isOrdered && lastId === undefined))
        // The server may have ended the connection, and then knows it no longer.
        return fail(isRegular && status === 404 ? undefined : problem);
      if (!(await retry.wait(problem))) return fail(problem ?? new HttpError(0, ""));
    }
  }

  // ---- Messages of the client

  #open(session?: string): Promise<void> {
    const known = this.#streams.get(session);
    if (known !== undefined) return known;
    const opened = new Promise<void>((resolve, reject) => {
      void this.#follow(session, resolve, reject);
    });
    this.#streams.set(session, opened);
    opened.catch(() => this.#streams.delete(session));
    return opened;
  }

  async #post(text: string, message: WireMessage): Promise<void> {
    if (this.#requests.connectionId === undefined) return this.#initialize(text, message);
    const { id } = message;
    const named = sessionOf(message) ?? (isResponse(message) ? this.#asked.get(id) : undefined);
    const session = named !== undefined && isHeaderValue(named) ? named : undefined;
    if (isResponse(message)) this.#asked.delete(id);
    if (isRequest(message)) this.#calls.set(id, session);
    try {
      if (session !== undefined)
        await this.#open(session).catch((error: unknown) => {
          // Some servers know a session only after it was loaded, and all have a limit of streams:
          // messages of further sessions come in the stream of the connection.
          if (!(error instanceof HttpError && STREAMLESS.includes(error.status))) throw error;
        });
      const number = this.#isOrdered && { [MESSAGE_NUMBER]: `${++this.#count}` };
      const headers = { ...number, ...(session !== undefined && { [SESSION_ID]: session }) };
      await this.#persist(text, headers).catch((error: unknown) => {
        // Some servers look for the session of the header before they read that it is to be loaded.
        const isUnknown = error instanceof HttpError && error.status === 404;
        if (!isUnknown || session === undefined || !isRequest(message)) throw error;
        return this.#persist(text, { ...number });
      });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // A server that does not know a session may know others.
      const isOfSession = error.status === 404 && session !== undefined;
      if (!isOfSession && (FINAL.includes(error.status) || !isRequest(message))) throw error;
      if (!isRequest(message)) return;
      this.#calls.delete(id);
      // Only this request has failed.
      const { message: reason, status, body } = error;
      this.#receiver!.message({
        jsonrpc: "2.0",
        id,
        error: { code: ErrorCodes.InternalError, message: reason, data: { status, body } },
      });
    }
  }

  /** Sends again what a lost connection has swallowed, where the server takes it only once. */
  #persist(text: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const retry = createRetry(this.#reconnectMs, this.#signal);
    return retry.run(
      () =>
        this.#requests.send("POST", headers, retry.limit(this.#maxSilenceMs), this.#signal, text),
      () => this.#isOrdered && !this.#isClosing,
    );
  }

  /** Sends the first request, whose response is its answer. */
  async #initialize(text: string, { id }: WireMessage): Promise<void> {
    const requests = this.#requests;
    const response = await this.#persist(text, {});
    const answer = await readText(
      response,
      this.#maxMessageBytes,
      this.#maxSilenceMs,
      this.#signal,
    );
    let message: unknown;
    try {
      message = JSON.parse(answer);
    } catch {}
    if (!isRecord(message) || message["id"] !== id)
      throw new HttpError(response.status, answer.slice(0, KEPT_START));
    requests.connectionId = response.headers.get(CONNECTION_ID) ?? undefined;
    this.#isOrdered = announcesOrder(response);
    if (requests.connectionId !== undefined) await this.#open();
    this.#receiver!.message(message);
  }
}
