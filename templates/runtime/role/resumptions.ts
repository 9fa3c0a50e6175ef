import { isRecord } from "../rpc/messages.js";

/** A request that resumes a session. */
interface Resumption {
  readonly sessionId: string;
}

/**
 * The resumptions of sessions that an agent has not answered (version 2).
 *
 * The agent must send the state of the session before its answer, with or without a replay
 * (version 2, `session/resume`). It is reported here when the handler has not sent one.
 */
export class Resumptions {
  /** Those since which no state of the session was sent. */
  readonly #withoutState = new Set<Resumption>();
  readonly #reportState: (sessionId: string) => Promise<void>;

  /** @param reportState sends the current state of a session */
  constructor(reportState: (sessionId: string) => Promise<void>) {
    this.#reportState = reportState;
  }

  /**
   * Handles a request and returns its result once the state of the session was sent.
   *
   * @throws what the handler throws; then no state is reported
   */
  async run(params: unknown, handle: () => unknown): Promise<unknown> {
    const { sessionId } = params as Resumption;
    const resumption: Resumption = { sessionId };
    this.#withoutState.add(resumption);
    try {
      const result = await handle();
      if (this.#withoutState.has(resumption)) await this.#reportState(sessionId);
      return result;
    } finally {
      this.#withoutState.delete(resumption);
    }
  }

  /** Takes the params of a notification that is sent. */
  sent(params: unknown): void {
    if (this.#withoutState.size === 0 || !isRecord(params)) return;
    const { sessionId, update } = params;
    if (!isRecord(update) || update["sessionUpdate"] !== "state_update") return;
    for (const resumption of this.#withoutState)
      if (resumption.sessionId === sessionId) this.#withoutState.delete(resumption);
  }
}
