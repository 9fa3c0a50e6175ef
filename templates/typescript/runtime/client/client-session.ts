import type { CallOptions } from "../rpc/outbound-requests.js";
import { requireArgument } from "../rpc/require-argument.js";
import { text } from "../session/blocks.js";
import type { BoundPeer } from "../session/bound-peer.js";
import type { SessionState } from "../session/session-state.js";
import type { AnyUpdate } from "../session/updates.js";
import type { Without } from "../session/variants.js";
import type { BaseTurn, PromptOptions } from "./turn.js";

/** The params that open a session. Without `mcpServers`, the session has none. */
export type OpeningParams<Params> = Params extends { readonly mcpServers: infer Servers }
  ? Without<Params, "mcpServers"> & { readonly mcpServers?: Servers | undefined }
  : Params;

/**
 * A session, as a client uses it.
 *
 * After the session was closed or deleted, prompts and calls that need an open session are rejected.
 * When it is opened again, this object stands for the opened session.
 */
export interface SessionHandle<Agent, State, Block, Turn> {
  readonly id: string;
  /**
   * The place of the session: the ids from the session that was opened to this one, which may be a
   * subagent of a subagent. The states of subagents begin when they are announced.
   */
  readonly path: readonly string[];
  /** The agent's methods that concern a session, without the `sessionId`. */
  readonly agent: BoundPeer<Agent>;
  /**
   * The state of the session: it changes with every update, before the client's own handler is
   * called, and with the answers of the agent. A session that is loaded again has a new state; after
   * the end of the session, it is the last one.
   */
  readonly state: State;
  /** Sends a prompt. The turn can be awaited for its result, or iterated for its updates. */
  prompt(content: string | readonly Block[], options?: PromptOptions): Turn;
  /**
   * Sets the option of a category, such as `{ category: "model" }`, whatever id the agent has given
   * it. Rejects with an `InvalidValueError` unless the session has reported one such option, with
   * this value.
   */
  setOption(
    option: { readonly category: string },
    value: string | boolean,
    options?: CallOptions,
  ): Promise<void>;
  /** Cancels the work of the session, whoever started it. Has no effect after the session was closed. */
  cancel(): Promise<void>;
  /**
   * Lets go of the session on this side, as if it was closed, but without a message: its state is no
   * longer kept. For agents that cannot close sessions, and for sessions that go on without this
   * client.
   */
  forget(): void;
}

/** A session's state, as far as its connection changes it. */
export type LiveState = Pick<
  SessionState<AnyUpdate, unknown>,
  "apply" | "applyMessage" | "listsOf"
>;

/** The functions of the connection that a session uses. */
export interface SessionActions {
  /** Returns the state of an open session, or one that is opened; undefined when there is none. */
  find(id: string): LiveState | undefined;
  /** Begins the state of a session that is not known. */
  begin(session: OpenedSession): LiveState;
  /** Returns the agent's methods, bound to a session. */
  bind(session: OpenedSession): object;
  prompt(session: OpenedSession, prompt: readonly object[], options: PromptOptions): BaseTurn;
  cancel(session: OpenedSession): Promise<void>;
  setOption(id: string, category: string, value: unknown, options?: CallOptions): Promise<void>;
  forget(id: string): void;
  pathOf(id: string): readonly string[];
}

/** A session of a client; see `SessionHandle` for its types. */
export class OpenedSession {
  readonly id: string;
  /** The answer that opened the session; undefined when it was opened in another way. */
  readonly response: unknown;
  readonly #actions: SessionActions;
  /** The last known state; undefined before the first use of a session that was not opened here. */
  #state: LiveState | undefined;
  #agent: object | undefined;

  constructor(actions: SessionActions, id: string, state?: LiveState, response?: unknown) {
    this.#actions = actions;
    this.id = id;
    this.#state = state;
    this.response = response;
  }

  get agent(): object {
    return (this.#agent ??= this.#actions.bind(this));
  }

  get path(): readonly string[] {
    return this.#actions.pathOf(this.id);
  }

  get state(): LiveState {
    const current = this.#actions.find(this.id);
    return (this.#state = current ?? this.#state ?? this.#actions.begin(this));
  }

  /** Whether the session is open; one that was not opened here counts as open. */
  get isOpen(): boolean {
    return this.state === this.#actions.find(this.id);
  }

  prompt(content: string | readonly object[], options: PromptOptions = {}): BaseTurn {
    requireArgument("session.prompt", content, "a string or an array", `session.prompt("Hello")`);
    const prompt = typeof content === "string" ? [text(content)] : content;
    return this.#actions.prompt(this, prompt, options);
  }

  cancel(): Promise<void> {
    return this.#actions.cancel(this);
  }

  async setOption(
    option: { readonly category: string },
    value: unknown,
    options?: CallOptions,
  ): Promise<void> {
    const example = `session.setOption({ category: "model" }, "large")`;
    requireArgument("session.setOption", option, "an object", example);
    requireArgument("category of session.setOption", option.category, "a string", example);
    return this.#actions.setOption(this.id, option.category, value, options);
  }

  forget(): void {
    this.#actions.forget(this.id);
  }
}
