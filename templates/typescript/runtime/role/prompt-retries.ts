import { hasTrait } from "../find-method.js";
import { forgetOldest } from "../gates/session-keys.js";
import type { MethodDescriptor } from "../methods.js";
import { isRecord } from "../rpc/messages.js";
import { whenDone, type RequestState } from "../rpc/inbound-requests.js";
import type { PromptMessages, RepeatedPrompts } from "../session/link.js";

/** The number of sessions, and of prompts in each, that a connection remembers. */
const MAX_REMEMBERED = 1_000;

/** Options of an agent whose clients may send a prompt again (version 2). */
export interface RetryOptions {
  /**
   * The store of the sessions. It remembers each prompt that has an `idempotencyKey`, so that another
   * connection or process recognizes it as well; without a store, each connection remembers its own.
   */
  readonly sessionStore?: PromptMessages;
}

/** The prompts of a session: what their handlers have returned, by their keys. */
interface Remembered {
  readonly answers: Map<string, unknown>;
  isClosed: boolean;
}

/**
 * Answers a prompt that is sent again with its `idempotencyKey` as the first time, without its handler
 * (version 2, `session/prompt`).
 */
export class PromptRetries implements RepeatedPrompts {
  readonly #sessions = new Map<string, Remembered>();
  readonly #store: PromptMessages | undefined;
  readonly #reportState: (sessionId: string) => Promise<void>;

  /**
   * @param reportState sends the state of a session. It follows the answer to a retry, whose sender
   *   may have missed the end of the work.
   */
  constructor(
    store: PromptMessages | undefined,
    reportState: (sessionId: string) => Promise<void>,
  ) {
    this.#store = store;
    this.#reportState = reportState;
  }

  /** Handles a prompt, unless it is a retry. */
  run(
    params: unknown,
    request: Pick<RequestState, "afterResponse">,
    handle: () => unknown,
  ): unknown {
    const { sessionId, idempotencyKey: key } = params as {
      readonly sessionId: string;
      readonly idempotencyKey?: string | null;
    };
    // Sessions without keys leave nothing behind.
    const session = (key ?? undefined) === undefined ? undefined : this.#session(sessionId);
    if (session === undefined || session.isClosed) return handle();
    const messageId = this.#store?.findMessage(sessionId, key!);
    const known = messageId === undefined ? session.answers.get(key!) : { messageId };
    if (known !== undefined) {
      request.afterResponse(() => this.#reportState(sessionId));
      return known;
    }
    const answer = handle();
    session.answers.set(key!, answer);
    forgetOldest(session.answers, MAX_REMEMBERED);
    const keep = (result: unknown): void =>
      this.#store?.keepMessage(sessionId, key!, (result as { messageId: string }).messageId);
    void whenDone(answer, keep, () => session.answers.delete(key!));
    return answer;
  }

  /** Takes a method that was handled: a closed session has no prompts until it is resumed. */
  handled(method: MethodDescriptor, params: unknown): void {
    const isClosed = hasTrait(method, "ends-session");
    if (!isClosed && !hasTrait(method, "resumes-session")) return;
    const session = isRecord(params) ? this.#sessions.get(String(params["sessionId"])) : undefined;
    if (session !== undefined) session.isClosed = isClosed;
  }

  #session(sessionId: string): Remembered {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = { answers: new Map<string, unknown>(), isClosed: false };
    this.#sessions.set(sessionId, session);
    forgetOldest(this.#sessions, MAX_REMEMBERED);
    return session;
  }
}
