import { startTimer } from "../rpc/timer.js";
import { onAbort } from "../rpc/on-abort.js";
import { AcpError, isInstance } from "../acp-error.js";
import { ConnectionClosedError, RequestTimeoutError, RpcError } from "../rpc/errors.js";
import type { NotifyOptions } from "../rpc/outbound-requests.js";
import type { SessionLink } from "../session/link.js";
import * as sentences from "../sentences.js";
import { UpdateQueue } from "./update-queue.js";

type Update = { readonly sessionUpdate: string };

/**
 * The work on one prompt: a promise of its result, and an iterable of its updates.
 *
 * A loop receives the updates from its beginning on, and ends with the turn; leaving it earlier
 * cancels the turn. Updates that a slow loop has not read are kept without a limit: the session's
 * `state` is the place for a view that may skip some.
 */
export interface SessionTurn<Result, Update> extends Promise<Result> {
  [Symbol.asyncIterator](): AsyncIterator<Update, undefined>;
  /**
   * Asks the agent to end the turn, which then has the stop reason `cancelled`. It fails with a
   * RequestTimeoutError when the agent does not end it within `limits.cancelGraceMs`. Has no effect
   * after the end.
   */
  cancel(): void;
  /** Cancels the turn. */
  [Symbol.dispose](): void;
}

/** Options of a prompt. */
export interface PromptOptions extends NotifyOptions {
  /** Cancels the turn when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Identifies the prompt, so that it can be sent again without becoming a second message, on another
   * connection as well: a new random string, which each retry repeats (version 2).
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Called once, when a turn has ended.
 *
 * @param wasRefused whether the prompt was answered with an error or never sent
 */
export type TurnEnded = (turn: BaseTurn, wasRefused: boolean) => void;

/** A turn that has started. Subclasses decide when it ends. */
export abstract class BaseTurn implements SessionTurn<unknown, Update> {
  readonly #link: SessionLink;
  readonly #sessionId: string;
  readonly #ended: TurnEnded;
  /** The end of the turn, which its own handlers of updates can wait for. */
  readonly #end = createDeferred();
  /** The end of the turn and of the handlers of its updates. */
  readonly #result = createDeferred();
  readonly #queues = new Set<UpdateQueue<Update>>();
  #isCancelled = false;
  /** Whether `session/cancel` was sent for the session since the prompt. */
  isStopped = false;
  #isRetry = false;
  /** The handlers of updates that have started before the prompt was sent. */
  #mark = 0;
  #hasEnded = false;
  #stopGrace: (() => void) | undefined;

  constructor(link: SessionLink, sessionId: string, ended: TurnEnded) {
    this.#link = link;
    this.#sessionId = sessionId;
    this.#ended = ended;
    // Only those that wait for it handle its errors.
    this.#end.promise.catch(() => {});
  }

  /** Sends the prompt. */
  start(
    prompt: readonly object[],
    { signal, ignoreCapabilities, idempotencyKey }: PromptOptions,
  ): void {
    this.#isRetry = idempotencyKey !== undefined;
    if (signal?.aborted) return this.#refuse(signal.reason);
    const stop = signal ? onAbort(signal, () => this.cancel()) : undefined;
    this.#mark = this.#link.updates?.mark ?? 0;
    const onResult = (result: unknown): void => this.answered(result);
    const key = idempotencyKey !== undefined && { idempotencyKey };
    const params = { sessionId: this.#sessionId, prompt, ...key };
    this.#link.peer
      .request(this.#link.names.prompt, params, { onResult, ignoreCapabilities })
      .catch((error: unknown) => this.#refuse(error));
    if (stop !== undefined) this.#end.promise.then(stop, stop);
  }

  then<A, B>(
    onResult?: ((result: unknown) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#awaited().then(onResult, onError) as Promise<A | B>;
  }

  catch<B>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<unknown> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<unknown> {
    return this.#awaited().finally(onEnd);
  }

  get [Symbol.toStringTag](): string {
    return "SessionTurn";
  }

  [Symbol.asyncIterator](): AsyncIterator<Update, undefined> {
    const queue = new UpdateQueue<Update>(() => {
      this.#queues.delete(queue);
      this.cancel();
    });
    this.#queues.add(queue);
    // A loop throws the error of its turn, so the turn need not be awaited as well.
    this.#awaited().then(
      () => queue.end({}),
      (error: unknown) => queue.end({ error }),
    );
    return queue;
  }

  cancel(): void {
    if (this.#isCancelled || this.#hasEnded) return;
    this.#isCancelled = true;
    const { peer, names, report, cancelGraceMs } = this.#link;
    const method = names.cancel;
    // Another one would cancel the prompts that were sent since.
    if (!this.isStopped)
      peer
        .notify(method, { sessionId: this.#sessionId })
        .catch((error: unknown) => report(error, { method }));
    this.#failAfterGrace(new RequestTimeoutError(names.prompt, cancelGraceMs));
  }

  /** Whether the agent may report no work for the prompt: it was cancelled, or perhaps sent before. */
  get mayEndWithoutWork(): boolean {
    return this.isStopped || this.#isRetry;
  }

  /** Called when `session/cancel` was sent for the session, by whoever it was. */
  sessionCancelled(): void {
    this.isStopped = true;
  }

  /** Called when the session was closed: the turn ends soon, with whatever the agent still sends. */
  sessionClosed(): void {
    this.#failAfterGrace(this.closedError());
  }

  [Symbol.dispose](): void {
    // The result of a turn that is left is not awaited.
    this.#result.promise.catch(() => {});
    this.cancel();
  }

  /** Passes an update on to the loops, unless it may be part of a history. */
  receive(update: Update, isHistory: boolean): void {
    if (!isHistory) for (const queue of this.#queues) queue.push(update);
  }

  /**
   * Takes the state of the session.
   *
   * @param others the messages of turns that were cancelled before the prompt, whose end it may be
   */
  stateChanged(_update: Update, _others: readonly unknown[]): void {}

  /** The id of the message of the user, once it is known. */
  get messageId(): unknown {
    return undefined;
  }

  /** Ends the turn with an error. */
  fail(error: unknown): void {
    this.#settle(({ reject }) => reject(error), false);
  }

  /** Returns the error of a turn whose session was closed. */
  protected closedError(): AcpError {
    return new AcpError(sentences.closedInTurn, this.#link.names.prompt);
  }

  protected succeed(result: unknown): void {
    this.#settle(({ resolve }) => resolve(result), false);
  }

  /** Ends the turn because its prompt failed. A connection that ends does not refuse a prompt. */
  #refuse(error: unknown): void {
    if (this.isStopped && isInstance(error, RpcError)) return this.endCancelled(error);
    this.#settle(({ reject }) => reject(error), !isInstance(error, ConnectionClosedError));
  }

  /** Ends a turn as cancelled that the agent has ended with an error, as some do when they are stopped. */
  protected endCancelled(error: unknown, answer?: object): void {
    const { report, names } = this.#link;
    report(error, { method: names.prompt });
    this.succeed({ ...answer, stopReason: "cancelled" });
  }

  #failAfterGrace(error: Error): void {
    this.#stopGrace ??= startTimer(this.#link.cancelGraceMs, () => this.fail(error));
  }

  /** Returns the promise for the caller: a handler of the turn's updates does not wait for itself. */
  #awaited(): Promise<unknown> {
    if (!this.#link.updates?.mayBeInside(this.#sessionId, this.#mark)) return this.#result.promise;
    // Those that wait inside handle its error as well.
    this.#result.promise.catch(() => {});
    return this.#end.promise;
  }

  #settle(settle: (end: Deferred) => void, wasRefused: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopGrace?.();
    this.#ended(this, wasRefused);
    settle(this.#end);
    const handled = this.#link.updates?.ended(this.#sessionId, this.#mark);
    if (handled === undefined) settle(this.#result);
    else void handled.then(() => settle(this.#result));
  }

  /** Called with the answer to the prompt, before the next message is processed. */
  protected abstract answered(result: unknown): void;
}

/** A promise that is settled from outside. */
interface Deferred {
  readonly promise: Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function createDeferred(): Deferred {
  let resolve!: Deferred["resolve"];
  let reject!: Deferred["reject"];
  const promise = new Promise<unknown>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** In version 1, the answer to the prompt ends the turn. */
export class TurnV1 extends BaseTurn {
  protected override answered(result: unknown): void {
    this.succeed(result);
  }
}

/** A state of a session that may end a turn. */
interface Idle {
  readonly fields: { readonly stopReason?: unknown; readonly error?: unknown };
  /** The number of messages of users that were reported before. */
  readonly reported: number;
  /** The messages whose work it ends when that was cancelled, and this turn was not. */
  readonly others: readonly unknown[];
  /** Whether work was reported, or the prompt answered, before. */
  readonly isCertain: boolean;
}

/** In version 2, the turn ends when the session is idle after the prompt was answered. */
export class TurnV2 extends BaseTurn {
  #answer: { readonly messageId?: unknown } | undefined;
  /** The states since the prompt that may be its end. */
  readonly #idles: Idle[] = [];
  /** The messages of users that were reported since the prompt, by their ids. */
  readonly #reported: unknown[] = [];
  #isRunning = false;
  #wasRunning = false;
  #isSessionClosed = false;

  override get messageId(): unknown {
    return this.#answer?.messageId;
  }

  /** The last updates of a session precede the answer that closes it; answers to prompts may follow. */
  override sessionClosed(): void {
    this.#isSessionClosed = true;
    if (this.#answer !== undefined) this.fail(this.closedError());
    else super.sessionClosed();
  }

  /** Notes the report of a message, which may have been sent before a history began. */
  override receive(update: Update, isHistory: boolean): void {
    super.receive(update, isHistory);
    if (update.sessionUpdate === "user_message")
      this.#reported.push((update as { readonly messageId?: unknown }).messageId);
  }

  override stateChanged(update: Update, others: readonly unknown[]): void {
    const { sessionUpdate: _, state, ...fields } = update as Update & { readonly state?: unknown };
    this.#isRunning = state !== "idle";
    this.#wasRunning ||= this.#isRunning;
    // An agent may answer after the work has been done; an earlier turn's end does not count.
    const isCertain = this.#wasRunning || this.#answer !== undefined;
    if (!this.#isRunning)
      this.#idles.push({ fields, reported: this.#reported.length, others, isCertain });
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    const idle = this.#answer && this.#findEnd(this.#answer);
    if (idle === undefined) return;
    const { fields } = idle;
    // An agent that was asked to stop may give no reason, or call it an error.
    const reason = this.isStopped && !fields.stopReason ? { stopReason: "cancelled" } : {};
    if (!this.isStopped || fields.stopReason !== "error")
      return this.succeed({ ...this.#answer, ...fields, ...reason });
    const text = sentences.cancelledWorkFailed(JSON.stringify(fields.error ?? null));
    this.endCancelled(new AcpError(text), this.#answer);
  }

  /** Returns the end of the work on a message, which follows the report of the message if there is one. */
  #findEnd({ messageId }: { readonly messageId?: unknown }): Idle | undefined {
    const reported = this.#reported.indexOf(messageId);
    const certain = this.#idles.filter(({ isCertain }) => isCertain);
    if (reported < 0) return this.#isRunning ? undefined : certain.at(-1);
    const isEnd = (idle: Idle): boolean =>
      idle.reported > reported && (idle.others.length === 0 || idle.others.includes(messageId));
    // The session may have been running when the prompt was sent.
    return (
      certain.find(isEnd) ?? (this.#isRunning ? undefined : [...this.#idles].reverse().find(isEnd))
    );
  }

  protected override answered(result: unknown): void {
    this.#answer = result as object;
    this.#endIfIdle();
    if (this.#isSessionClosed) this.fail(this.closedError());
  }
}
