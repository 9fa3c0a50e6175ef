type Update = Readonly<Record<string, unknown>>;

/** Updates that end a run of chunks, since clients show them in between. */
const BREAKS: ReadonlySet<unknown> = new Set(["tool_call", "plan", "plan_update"]);
const CHUNKS: ReadonlySet<unknown> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
]);

/** The ids of messages that an agent of version 1 does not name: one for each run of chunks. */
export class MessageIds {
  readonly #prefix: string;
  #last = 0;
  #kind: unknown;
  #messageId = "";

  /** @param prefix begins every id */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Ends the current message. Returns the id of a new one. */
  startTurn(): string {
    this.#kind = undefined;
    return this.#next();
  }

  /** Returns an update with the id of its message; the same where it has one or needs none. */
  name(update: Update): Update {
    const { sessionUpdate: kind, messageId } = update;
    if (kind === "agent_message_clear")
      return typeof messageId === "string"
        ? update
        : { ...update, messageId: this.#messageId || this.#next() };
    if (!CHUNKS.has(kind)) {
      if (BREAKS.has(kind)) this.#kind = undefined;
      return update;
    }
    if (typeof messageId === "string") {
      this.#kind = undefined;
      return update;
    }
    if (kind !== this.#kind) this.#next();
    this.#kind = kind;
    const named = this.#messageId;
    // Nearly every chunk has content only, which is faster to copy.
    return Object.keys(update).length === 2
      ? { sessionUpdate: kind, messageId: named, content: update["content"] }
      : { ...update, messageId: named };
  }

  #next(): string {
    this.#messageId = `${this.#prefix}-${++this.#last}`;
    return this.#messageId;
  }
}
