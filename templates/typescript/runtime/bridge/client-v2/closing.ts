import { ErrorCodes } from "../../rpc/errors.js";
import type { RequestMessage } from "../../rpc/messages.js";
import { capabilityAt, type BridgedHandshake } from "../handshake.js";
import type { Relay } from "../relay.js";
import { sessionOf } from "../sides.js";
import { idleOf, isEnd } from "../state/turns.js";
import type { Timers } from "../timers.js";
import type { SessionForV2, ClientV2Sessions } from "./sessions.js";

/** A session that is closed waits for the end of its cancelled work at most so long, in milliseconds. */
const CLOSE_TIME = 5000;

/** Closes sessions of version 1 for a client of version 2, also where the agent cannot. */
export class Closing {
  readonly #relay: Relay;
  readonly #handshake: BridgedHandshake;
  readonly #sessions: ClientV2Sessions;
  readonly #timers: Timers;

  constructor(
    relay: Relay,
    handshake: BridgedHandshake,
    sessions: ClientV2Sessions,
    timers: Timers,
  ) {
    this.#relay = relay;
    this.#handshake = handshake;
    this.#sessions = sessions;
    this.#timers = timers;
  }

  /** Closes a session. One that the agent cannot close is cancelled, and closed for the client only. */
  close(message: RequestMessage): void {
    if (this.#isOffered("close")) return this.#pass(message);
    const { id, method, params } = message;
    const sessionId = sessionOf(params);
    if (sessionId === undefined)
      return this.#relay.refuse(
        "client",
        id,
        ErrorCodes.InvalidParams,
        `The params of ${method} have no session`,
      );
    const session = this.#sessions.get(sessionId);
    const { onQuiet } = session;
    let stopTimer = (): void => {};
    session.onQuiet = () => {
      stopTimer();
      onQuiet?.();
      this.#relay.reply("client", id, { result: {} });
    };
    if (session.prompts.size === 0) return this.endQuiet(session);
    if (onQuiet !== undefined) return;
    this.#relay.notify("agent", "session/cancel", { sessionId });
    session.cancel();
    stopTimer = this.#timers.start(CLOSE_TIME, () => this.endQuiet(session));
  }

  /** Deletes or archives a session, if the agent has advertised that. */
  end(message: RequestMessage, capability: "delete" | "archive"): void {
    if (this.#isOffered(capability)) this.#pass(message);
    else this.#relay.refuseUnsupported(message);
  }

  /** Ends the wait of a session that is being closed. */
  endQuiet(session: SessionForV2): void {
    const { onQuiet } = session;
    if (onQuiet === undefined) return;
    session.onQuiet = undefined;
    this.#end(session);
    this.#sessions.close(session.id);
    onQuiet();
  }

  #isOffered(capability: string): boolean {
    return capabilityAt(this.#handshake.agent, "sessionCapabilities", capability);
  }

  /** Passes a request on. A session that it ends becomes idle before the response. */
  #pass(message: RequestMessage): void {
    const sessionId = sessionOf(message.params);
    this.#relay.passRequest("client", message, {
      answer: (answer) => {
        if (sessionId !== undefined && isEnd(answer)) this.#end(this.#sessions.get(sessionId));
        return answer;
      },
    });
  }

  #end(session: SessionForV2): void {
    const { id, prompts } = session;
    session.cancel();
    for (const prompt of prompts) {
      prompt.confirm();
      prompt.isEnded = true;
    }
    if (prompts.size > 0) {
      const update = idleOf({ result: { stopReason: "cancelled" } });
      this.#relay.notify("client", "session/update", { sessionId: id, update });
    }
    this.#sessions.delete(id);
  }
}
