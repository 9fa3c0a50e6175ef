import { AcpError } from "../../acp-error.js";
import type { RequestId } from "../../rpc/messages.js";
import { startTimer } from "../../rpc/timer.js";
import {
  rejected,
  SENT,
  type Transport,
  type TransportReceiver,
} from "../../rpc/transports/transport.js";
import { isRequest, isResponse, sessionOf, type WireMessage } from "../wire.js";
import { reply } from "./admit.js";
import { EventQueue, type QueueOwner } from "./event-queue.js";
import { ReplayBuffer, type NumberedMessage } from "./replay-buffer.js";
import * as sentences from "../../sentences.js";

/** Limits of a connection over HTTP. */
export interface ConnectionSettings {
  readonly maxBufferedLength: number;
  readonly replayLength: number;
  readonly idleMs: number;
  readonly keepAliveMs: number;
}

/** The most sessions of a connection that have streams; messages of others go to its own stream. */
const MAX_SESSIONS = 1024;

/** The time after which messages of a session go to the stream of the connection, in milliseconds. */
const UNOPENED = 300;

/** The connection of an agent over HTTP. */
export class ServerConnection implements QueueOwner {
  readonly id: string;
  readonly principal: string | undefined;
  readonly keepAliveMs: number;
  readonly transport: Transport;
  /** Resolves with the answer to the first request; undefined when the connection ends before. */
  readonly firstAnswer: Promise<string | undefined>;
  isClosed = false;
  readonly #settings: ConnectionSettings;
  readonly #onEnd: () => void;
  readonly #main: EventQueue;
  readonly #sessions = new Map<string, EventQueue>();
  /** Sessions whose stream is not open, with a function that stops their time while it runs. */
  readonly #unopened = new Map<EventQueue, (() => void) | undefined>();
  readonly #replay: ReplayBuffer<EventQueue>;
  /** The sessions of the client's open requests. */
  readonly #calls = new Map<RequestId, string>();
  /** The number of the client's last message. */
  #lastNumber = 0;
  #answerFirst: ((text: string | undefined) => void) | undefined;
  #receiver: TransportReceiver | undefined;
  /** Messages before the agent was connected. */
  #early: unknown[] = [];
  #count = 0;
  #buffered = 0;
  #openStreams = 0;
  #drained: Promise<void> | undefined;
  #release = (): void => {};
  #stopStall = (): void => {};
  #stopIdle = (): void => {};

  constructor(
    id: string,
    principal: string | undefined,
    settings: ConnectionSettings,
    onEnd: () => void,
  ) {
    this.id = id;
    this.principal = principal;
    this.keepAliveMs = settings.keepAliveMs;
    this.#settings = settings;
    this.#onEnd = onEnd;
    this.#main = new EventQueue(this);
    this.#replay = new ReplayBuffer(settings.replayLength);
    this.firstAnswer = new Promise((resolve) => (this.#answerFirst = resolve));
    this.transport = {
      start: (receiver) => {
        this.#receiver = receiver;
        for (const message of this.#early.splice(0)) receiver.message(message);
        if (this.isClosed) receiver.close(undefined, true);
      },
      send: (message) => this.#send(message),
      close: () => this.#end(),
    };
    this.#touch();
  }

  /** Whether the client has taken all messages. */
  get isTaken(): boolean {
    return this.#queues().every(({ isTaken }) => isTaken);
  }

  /**
   * Delivers a message of the client to the agent, unless one with its number came before.
   *
   * @param session the one that its header names; the message itself precedes it
   * @param number absent for clients that do not number their messages
   */
  receive(message: WireMessage, session?: string, number?: number): void {
    if (number !== undefined) {
      if (number <= this.#lastNumber) return;
      this.#lastNumber = number;
    }
    this.#touch();
    const named = sessionOf(message) ?? session;
    if (isRequest(message) && named !== undefined) this.#calls.set(message.id!, named);
    if (this.#receiver === undefined) this.#early.push(message);
    else this.#receiver.message(message);
  }

  /**
   * Opens the stream of a session, or that of the connection.
   *
   * @param last the last number that the client has received; undefined for a new stream
   * @returns a response that refuses it when the stream is open, some of its messages are kept no
   *   longer, or there are too many
   */
  open(
    session: string | undefined,
    last: number | undefined,
  ): ReadableStream<Uint8Array> | Response {
    const queue = session === undefined ? this.#main : this.#queueOf(session);
    if (queue === undefined) return reply(429, "Too many streams");
    if (last === undefined)
      return queue.isOpen ? reply(409, sentences.streamIsOpen) : queue.open([]);
    const again = this.#replay.takeAfter(queue, last);
    if (again === undefined) {
      this.close();
      return reply(410, sentences.messagesGone);
    }
    for (const { text } of again) this.#buffered += text.length;
    return queue.open(again);
  }

  /** Begins the time without an open stream anew, after which the connection ends. */
  #touch(): void {
    this.#stopIdle();
    if (this.#openStreams > 0 || this.isClosed) return;
    this.#stopIdle = startTimer(this.#settings.idleMs, () =>
      this.close(new AcpError(sentences.noStream)),
    );
  }

  changed(isOpen: boolean): void {
    this.#openStreams += isOpen ? 1 : -1;
    for (const [queue, stop] of this.#unopened) {
      if (!queue.isOpen) continue;
      stop?.();
      this.#unopened.delete(queue);
    }
    this.#touch();
  }

  sent(queue: EventQueue, message: NumberedMessage): void {
    this.#replay.add(queue, message);
    this.#buffered -= message.text.length;
    if (this.#buffered < this.#settings.maxBufferedLength / 2) this.#drain();
  }

  /** Ends the connection for the agent and, behind the messages that wait, for the client. */
  close(error?: unknown): void {
    if (this.isClosed) return;
    this.#receiver?.close(error, true);
    this.#end();
  }

  #send(message: WireMessage): Promise<void> {
    const text = JSON.stringify(message);
    if (this.isClosed) return rejected(new Error("the connection is closed"));
    if (this.#answerFirst !== undefined && isResponse(message)) {
      this.#answerFirst(text);
      this.#answerFirst = undefined;
      return SENT;
    }
    const session = isResponse(message) ? this.#calls.get(message.id!) : sessionOf(message);
    if (isResponse(message)) this.#calls.delete(message.id!);
    this.#queueFor(session).push({ number: ++this.#count, text });
    this.#buffered += text.length;
    if (this.#buffered <= this.#settings.maxBufferedLength) return SENT;
    return (this.#drained ??= this.#waitForDrain());
  }

  #waitForDrain(): Promise<void> {
    this.#stopStall = startTimer(this.#settings.idleMs, () =>
      this.close(new AcpError("the client reads nothing")),
    );
    return new Promise((resolve) => (this.#release = resolve));
  }

  #drain(): void {
    if (this.#drained === undefined) return;
    this.#stopStall();
    this.#drained = undefined;
    this.#release();
  }

  /** Returns the queue of a session, which the client may not have opened yet. */
  #queueOf(session: string): EventQueue | undefined {
    let queue = this.#sessions.get(session);
    if (queue === undefined && this.#sessions.size < MAX_SESSIONS)
      this.#sessions.set(session, (queue = new EventQueue(this)));
    return queue;
  }

  /**
   * Returns the queue for a message. A client may leave the stream of a session closed; after some
   * time, what waits for it goes to the stream of the connection.
   */
  #queueFor(session: string | undefined): EventQueue {
    const queue = session === undefined ? this.#main : this.#queueOf(session);
    if (queue === undefined || queue === this.#main || queue.isOpen) return queue ?? this.#main;
    if (!this.#unopened.has(queue)) {
      const stop = startTimer(UNOPENED, () => {
        this.#unopened.set(queue, undefined);
        this.#moveToMain(queue);
      });
      this.#unopened.set(queue, stop);
    }
    if (this.#unopened.get(queue) === undefined) return this.#main;
    return queue;
  }

  #moveToMain(queue: EventQueue): void {
    for (const message of queue.takeAll()) this.#main.push(message);
  }

  #end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#stopIdle();
    this.#drain();
    this.#answerFirst?.(undefined);
    for (const [queue, stop] of this.#unopened) {
      stop?.();
      this.#moveToMain(queue);
    }
    const { idleMs } = this.#settings;
    for (const queue of this.#queues()) queue.close(idleMs);
    this.#onEnd();
  }

  #queues(): EventQueue[] {
    return [this.#main, ...this.#sessions.values()];
  }
}
