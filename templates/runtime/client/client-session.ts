import { text } from "../session/blocks.js";
import { bindPeer, type BoundPeer } from "../session/bound-peer.js";
import type { SessionLink } from "../session/link.js";
import type { Without } from "../session/variants.js";
import type { BaseTurn, PromptOptions } from "./turn.js";

/** The params that open a session. Without `mcpServers`, the session has none. */
export type OpeningParams<Params> = Params extends { readonly mcpServers: infer Servers }
  ? Without<Params, "mcpServers"> & { readonly mcpServers?: Servers | undefined }
  : Params;

/** A session, as a client uses it. */
export interface SessionHandle<Agent, State, Block, Turn> {
  readonly id: string;
  /** The agent's methods that concern a session, without the `sessionId`. */
  readonly agent: BoundPeer<Agent>;
  /** The state of the session: it changes with every update, before the client's own handler is called. */
  readonly state: State;
  /** Sends a prompt. The turn can be awaited for its result, or iterated for its updates. */
  prompt(content: string | readonly Block[], options?: PromptOptions): Turn;
  /** Cancels the work of the session, whoever started it. */
  cancel(): Promise<void>;
}

/** A session's state, as far as turns change it. */
export interface LiveState {
  apply(update: { readonly sessionUpdate: string }): unknown;
}

/** The state and the running turns of a session, which all its handles share. */
export interface SessionEntry {
  readonly state: LiveState;
  readonly turns: Set<BaseTurn>;
}

/** Creates the turn of a prompt. */
export type StartTurn = (entry: SessionEntry, prompt: readonly object[]) => BaseTurn;

/** A session of a client; see `SessionHandle` for its types. */
export class OpenedSession {
  readonly id: string;
  /** The answer that opened the session; undefined when it was opened in another way. */
  readonly response: unknown;
  readonly #link: SessionLink;
  readonly #entry: SessionEntry;
  readonly #startTurn: StartTurn;
  #agent: object | undefined;

  constructor(
    link: SessionLink,
    id: string,
    entry: SessionEntry,
    startTurn: StartTurn,
    response?: unknown,
  ) {
    this.#link = link;
    this.id = id;
    this.#entry = entry;
    this.#startTurn = startTurn;
    this.response = response;
  }

  get agent(): object {
    return (this.#agent ??= bindPeer(this.#link, this.id, () => ({})));
  }

  get state(): LiveState {
    return this.#entry.state;
  }

  prompt(content: string | readonly object[], options: PromptOptions = {}): BaseTurn {
    const prompt = typeof content === "string" ? [text(content)] : content;
    const turn = this.#startTurn(this.#entry, prompt);
    turn.start(prompt, options);
    return turn;
  }

  cancel(): Promise<void> {
    return this.#link.peer.notify("session/cancel", { sessionId: this.id });
  }
}
