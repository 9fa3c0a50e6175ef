import { hasTrait } from "../find-method.js";
import { forgetOldest, idOf } from "../gates/session-keys.js";
import type { MethodDescriptor } from "../methods.js";
import { isRecord } from "../rpc/messages.js";
import type { SessionTree } from "../session/session-tree.js";
import { cancelledResult } from "./prompt-cancellation.js";

/** The maximum number of remembered sessions. */
const MAX_SESSIONS = 1000;

/** A prompt that was sent and not answered yet. */
interface Prompt {
  /** Whether the agent has reported the end of its work before the answer (version 2). */
  isDone: boolean;
  /** Whether the session was cancelled since it was sent. */
  isCancelled: boolean;
}

/** Stands for all work of a session, which ends at once in version 2. */
const WORK: Prompt = { isDone: false, isCancelled: true };

interface Cancellation {
  /** The prompts whose end is awaited. */
  readonly awaited: Set<Prompt>;
  /** The time at which the end is no longer waited for, in milliseconds. */
  readonly deadline: number;
  /** Whether a prompt was sent after the cancellation. */
  hasNext: boolean;
  /** Whether it also ends a prompt that was sent when an earlier one was still ending (version 2). */
  endsTwice: boolean;
}

interface Session {
  readonly prompts: Set<Prompt>;
  /** Whether the agent works, as far as it has reported (version 2). */
  isRunning: boolean;
  cancellation: Cancellation | undefined;
}

/**
 * The sessions of a client's connection whose turns were cancelled: the user is not asked the
 * questions of such a turn.
 *
 * A client that cancels a turn must answer its permission requests with the outcome `cancelled`
 * (version 1 and 2, `session/request_permission`). Some of them are on their way when it cancels,
 * and arrive before the turn ends. The user is asked again when the turn has ended and the next
 * prompt was sent, in whichever order.
 *
 * A turn ends with the answers to the prompts that were sent before the cancellation, and in
 * version 2 when the session is idle; work that the agent reports after that is a new turn. An
 * agent that does not end it within the grace period counts as having ended it, as for the caller
 * of the prompt.
 *
 * Memory is bounded: at most 1000 sessions are kept, and only while they have work or are
 * cancelled; the oldest are dropped first.
 */
export class CancelledTurns {
  readonly #protocolVersion: number;
  readonly #graceMs: number;
  readonly #tree: SessionTree;
  readonly #sessions = new Map<string, Session>();
  /** What is called when a session is cancelled or closed, with its id. */
  readonly #waiting = new Map<(isClosed: boolean) => void, string>();

  /** @param graceMs the time that a cancelled turn has to end, in milliseconds */
  constructor(protocolVersion: number, graceMs: number, tree: SessionTree) {
    this.#tree = tree;
    this.#protocolVersion = protocolVersion;
    this.#graceMs = graceMs;
  }

  /**
   * Records a prompt that is sent.
   *
   * @returns a function to call when it was answered, with whether the agent has accepted it;
   *   further calls have no effect. It returns whether the prompt was cancelled
   */
  prompt(params: unknown): (isAccepted: boolean) => boolean {
    const id = idOf(params, "sessionId");
    if (id === undefined) return () => false;
    const session = this.#session(id);
    const prompt: Prompt = { isDone: false, isCancelled: false };
    session.prompts.add(prompt);
    if (session.cancellation !== undefined) session.cancellation.hasNext = true;
    this.#reopen(id, session);
    return (isAccepted) => {
      if (session.prompts.delete(prompt)) this.#answered(id, session, prompt, isAccepted);
      return prompt.isCancelled;
    };
  }

  /** Records a `session/cancel` that is sent. */
  cancel(params: unknown): void {
    const id = idOf(params, "sessionId");
    if (id === undefined) return;
    const session = this.#session(id);
    const isWorking = session.isRunning || session.prompts.size > 0;
    const ended = this.#protocolVersion === 1 ? session.prompts : isWorking ? [WORK] : [];
    const earlier = session.cancellation;
    for (const prompt of session.prompts) prompt.isCancelled = true;
    this.#stopWaiting(id, false);
    session.cancellation = {
      awaited: new Set(ended),
      deadline: performance.now() + this.#graceMs,
      hasNext: false,
      endsTwice: earlier !== undefined && earlier.hasNext && !hasEnded(earlier),
    };
  }

  /** Calls a function once a session is cancelled or closed, unless what is returned is called before. */
  onEnd(params: unknown, run: (isClosed: boolean) => void): () => void {
    this.#waiting.set(run, idOf(params, "sessionId") ?? "");
    return () => void this.#waiting.delete(run);
  }

  /** Records a `session/update` that was received. */
  update(params: unknown): void {
    const update = isRecord(params) ? params["update"] : undefined;
    if (!isRecord(update)) return;
    const id = idOf(params, "sessionId");
    const tag = update["sessionUpdate"];
    // The work on a message follows its report.
    if (tag === "user_message")
      for (const prompt of this.#sessions.get(id ?? "")?.prompts ?? []) prompt.isDone = false;
    if (tag !== "state_update") return;
    const isRunning = update["state"] !== "idle";
    const session = this.#sessions.get(id!) ?? (isRunning ? this.#session(id!) : undefined);
    if (session === undefined) return;
    if (isRunning) {
      if (session.cancellation?.awaited.size === 0)
        session.cancellation = againCancelled(session.cancellation);
    } else {
      for (const prompt of session.prompts) prompt.isDone ||= session.isRunning;
    }
    session.isRunning = isRunning;
    if (!isRunning) endWork(session);
    this.#reopen(id!, session);
  }

  /** Records the result of a call of this side. */
  answered(method: MethodDescriptor, params: unknown): void {
    if (!hasTrait(method, "cancels-turn")) return;
    const id = idOf(params, "sessionId") ?? "";
    this.#stopWaiting(id, true);
    // Work in a session that was closed can ask until its prompt is answered (version 1).
    const canAsk = this.#protocolVersion === 1 && this.#sessions.get(id)?.prompts.size;
    if (!canAsk) this.#sessions.delete(id);
  }

  #stopWaiting(id: string, isClosed: boolean): void {
    for (const [run, waiting] of this.#waiting) if (waiting === id) run(isClosed);
  }

  /**
   * Returns the result for a question of a cancelled turn, or of a subagent of its session;
   * undefined for other requests.
   */
  answerTo(method: MethodDescriptor, params: unknown): object | undefined {
    const isCancelled = this.#tree.path(idOf(params, "sessionId") ?? "").some((id) => {
      const cancellation = this.#sessions.get(id)?.cancellation;
      return cancellation !== undefined && !(cancellation.hasNext && hasEnded(cancellation));
    });
    if (!isCancelled) return undefined;
    const answer = cancelledResult(method, "turn");
    return answer?.waits === false ? answer.result : undefined;
  }

  #answered(id: string, session: Session, prompt: Prompt, isAccepted: boolean): void {
    if (isAccepted && this.#protocolVersion > 1 && !prompt.isDone) session.isRunning = true;
    const isIdle = session.prompts.size === 0 && !session.isRunning;
    // A prompt that was refused has no turn that could end.
    if (isIdle || prompt.isDone) endWork(session);
    session.cancellation?.awaited.delete(prompt);
    this.#reopen(id, session);
  }

  #reopen(id: string, session: Session): void {
    const { cancellation, prompts, isRunning } = session;
    if (cancellation?.hasNext && hasEnded(cancellation)) session.cancellation = undefined;
    const isUsed = session.cancellation !== undefined || prompts.size > 0 || isRunning;
    if (!isUsed && this.#sessions.get(id) === session) this.#sessions.delete(id);
  }

  #session(id: string): Session {
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = { prompts: new Set(), isRunning: false, cancellation: undefined };
      this.#sessions.set(id, session);
      forgetOldest(this.#sessions, MAX_SESSIONS);
    }
    return session;
  }
}

/** Ends cancelled work, unless a prompt that was not answered may still begin it. */
function endWork({ prompts, cancellation }: Session): void {
  if (![...prompts].some((prompt) => prompt.isCancelled)) cancellation?.awaited.clear();
}

/** Returns the cancellation of work that follows the end of other cancelled work; undefined for new work. */
function againCancelled(cancellation: Cancellation): Cancellation | undefined {
  const { endsTwice, hasNext } = cancellation;
  if (!endsTwice || hasNext) return undefined;
  return { ...cancellation, awaited: new Set([WORK]), endsTwice: false };
}

function hasEnded({ awaited, deadline }: Cancellation): boolean {
  return awaited.size === 0 || performance.now() >= deadline;
}
