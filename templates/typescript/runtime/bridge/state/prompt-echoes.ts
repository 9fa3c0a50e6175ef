import { LIMITS, sizeOf } from "../limits.js";

type Update = Readonly<Record<string, unknown>>;

/** A message of the user, and the other params of its notification. */
type Held = readonly [update: Update, rest: Update];

/**
 * Finds the messages of the user that repeat a prompt, which a client of version 1 shows by itself.
 * While a prompt is not confirmed, its message is not known, so what may be one is held.
 */
export class PromptEchoes {
  #unconfirmed = 0;
  /** The message of the last prompt that was confirmed. */
  #promptId: unknown;
  #held: Held[] = [];
  #size = 0;
  readonly #onEcho: (...echo: Held) => void;

  /** @param onEcho called with every message that is left out because it repeats a prompt */
  constructor(onEcho: (...echo: Held) => void) {
    this.#onEcho = onEcho;
  }

  /** What is kept, in UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  promptSent(): void {
    this.#unconfirmed++;
  }

  /**
   * Ends the wait for the confirmation of a prompt.
   *
   * @param messageId its message; undefined when it was refused
   * @returns what was held and does not repeat it
   */
  promptInserted(messageId: unknown): readonly Held[] {
    this.#unconfirmed = Math.max(0, this.#unconfirmed - 1);
    this.#promptId = messageId;
    const held = this.#held;
    this.#held = [];
    this.#size = 0;
    const isEcho = ([update]: Held): boolean => update["messageId"] === messageId;
    for (const echo of held.filter(isEcho)) this.#onEcho(...echo);
    return held.filter((one) => !isEcho(one));
  }

  /** Returns whether a message of the user repeats a prompt or may do so, and holds it then. */
  take(update: Update, rest: Update): boolean {
    if (update["messageId"] === this.#promptId) {
      this.#onEcho(update, rest);
      return true;
    }
    if (this.#unconfirmed === 0) return false;
    const size = this.#size + sizeOf([update, rest]);
    if (this.#held.length >= LIMITS.items || size > LIMITS.sessionSize) return false;
    this.#size = size;
    this.#held.push([update, rest]);
    return true;
  }
}
