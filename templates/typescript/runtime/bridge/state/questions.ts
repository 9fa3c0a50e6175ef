import type { RequestId, RequestMessage } from "../../rpc/messages.js";
import type { Relay, RequestChanges } from "../relay.js";
import type { BridgedAnswer } from "../requests.js";

/** The answers to the questions of cancelled work, in either version. */
const CANCELLED = {
  "session/request_permission": { result: { outcome: { outcome: "cancelled" } } },
  "elicitation/create": { result: { action: "cancel" } },
} as const;

/** The requests of an agent that people answer. */
export type Question = keyof typeof CANCELLED;

/** Answers a question as the client answers those of cancelled work. */
export function answerCancelled(relay: Relay, { id }: RequestMessage, question: Question): void {
  relay.reply("agent", id, CANCELLED[question]);
}

/**
 * The questions that an agent asks about a session. From a cancellation to the end of the cancelled
 * work, and then until other work begins, they are answered without the client.
 */
export class Questions {
  readonly #relay: Relay;
  /** The answers of a cancellation to what waits for the client, by the id that the client sees. */
  readonly #asked = new Map<RequestId, BridgedAnswer>();
  #phase: "open" | "ending" | "ended" = "open";
  /** Whether a prompt was sent after the cancellation and before the end of the cancelled work. */
  #isNextSent = false;

  constructor(relay: Relay) {
    this.#relay = relay;
  }

  /** Whether the client is asked. */
  get isOpen(): boolean {
    return this.#phase === "open";
  }

  /** Passes a question on, or answers it. */
  ask(message: RequestMessage, question: Question, changes?: RequestChanges): void {
    if (!this.isOpen) return answerCancelled(this.#relay, message, question);
    const id = this.#relay.passRequest("agent", message, {
      ...changes,
      answer: (answer) => {
        if (id !== undefined) this.#asked.delete(id);
        return answer;
      },
    });
    if (id !== undefined) this.#asked.set(id, CANCELLED[question]);
  }

  /** @param isWorking whether there is work that will end */
  cancel(isWorking: boolean): void {
    this.#phase = isWorking ? "ending" : "ended";
    this.#isNextSent = false;
    for (const [id, answer] of [...this.#asked]) this.#relay.withdraw("agent", id, answer);
  }

  promptSent(): void {
    if (this.#phase === "ended") this.#phase = "open";
    this.#isNextSent = true;
  }

  /** Ends the cancelled work. */
  workEnded(): void {
    if (this.#phase === "ending") this.#phase = this.#isNextSent ? "open" : "ended";
  }

  /** Counts work that the agent has begun by itself. */
  workBegan(): void {
    if (this.#phase === "ended") this.#phase = "open";
  }
}
