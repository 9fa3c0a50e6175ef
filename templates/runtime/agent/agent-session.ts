import type { BoundPeer } from "../session/bound-peer.js";
import type { UpdateFields, UpdateTag, Without } from "../session/variants.js";
import type { Chunks } from "./read-chunks.js";

/** A session, as the handlers of an agent use it. */
export interface SessionUpdates<Client, Update> {
  readonly id: string;
  /** The client's methods that concern a session, without the `sessionId`. Calls use `signal` unless they are given another one. */
  readonly client: BoundPeer<Client>;
  /** Aborted when the work on the session shall end. */
  readonly signal: AbortSignal;
  /** Sends an update; resolves when more can be sent. */
  update<Tag extends UpdateTag<Update>>(
    tag: Tag,
    fields: UpdateFields<Update, Tag>,
  ): Promise<void>;
}

/** The type of the content blocks in a union of updates. */
type BlockIn<Update> = UpdateFields<Update, "agent_message_chunk"> extends {
  readonly content: infer Block;
}
  ? Block
  : never;

/** Messages to the user. */
export interface MessageUpdates<Update> {
  /** Sends a part of a message. Parts that follow each other are one message. */
  text(content: string | BlockIn<Update>): Promise<void>;
  /**
   * Sends every chunk of a source as a part of a message. Stops when the signal is aborted.
   *
   * @returns the text that was sent
   * @throws the error of the source; the signal's reason when it is aborted
   */
  stream(source: Chunks<string | BlockIn<Update>>): Promise<string>;
}

/** The agent's thoughts. */
export interface ThoughtUpdates<Update> {
  /** Sends a part of a thought. Parts that follow each other are one thought. */
  thought(content: string | BlockIn<Update>): Promise<void>;
}

/** The agent's plan. */
export interface PlanUpdates<Entry> {
  /** Sends the whole plan, in place of the last one. Entries are `pending` and of `medium` priority by default. */
  plan(entries: readonly PlanEntry<Entry>[]): Promise<void>;
}

type PlanEntry<Entry> = Without<Entry, "priority" | "status"> &
  OrUndefined<Pick<Entry, keyof Entry & ("priority" | "status")>>;

type OrUndefined<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Work of the agent that the user can follow. */
export interface ToolCalls<Start, Update, Option> {
  /** Announces a tool call. */
  toolCall(fields: Start): Promise<ToolCall<Update, Option>>;
}

/** The fields of a tool call that has started; the id is random by default. */
export type ToolCallStart<Fields> = Without<Fields, "toolCallId"> & {
  readonly toolCallId?: string | undefined;
};

/** The fields of a tool call in version 2, in which the first update creates it. */
export type TitledToolCall<Fields> = ToolCallStart<Fields> & { readonly title: string };

/** A tool call that was announced. */
export interface ToolCall<Update, Option> {
  readonly id: string;
  /** Changes some fields. */
  update(fields: Without<UpdateFields<Update, "tool_call_update">, "toolCallId">): Promise<void>;
  /**
   * Asks the user for permission.
   *
   * @param options allow once and reject once by default
   * @returns the selected option; undefined when the user selected none of them, e.g. because the
   *   prompt was cancelled
   */
  ask(options?: readonly Option[]): Promise<Option | undefined>;
  /**
   * Reports the tool call as in progress while a function runs, and then as completed, or as
   * failed when it throws.
   *
   * @returns the function's result
   * @throws the function's error
   */
  run<Result>(work: (signal: AbortSignal) => Result | Promise<Result>): Promise<Result>;
  /** Reports the tool call as failed, and adds the reason to its content. */
  fail(reason: unknown): Promise<void>;
}

/** The resolved type of a client's method, by the path in the bound client. */
type ResultOf<Call> = Call extends (...args: never[]) => Promise<infer Result> ? Result : never;

type ParamsOf<Call> = Call extends (params: infer Params, ...rest: never[]) => unknown
  ? Params
  : never;

/** Terminals that the client runs for the agent. */
export interface ClientTerminals<Create, Output, Wait> {
  /**
   * Starts a command in a terminal of the client; use it with `await using`, or release it.
   *
   * @returns undefined when the client has no terminals
   */
  terminal(
    params: Without<ParamsOf<Create>, "sessionId">,
  ): Promise<Terminal<ResultOf<Output>, ResultOf<Wait>> | undefined>;
}

/** A terminal of the client. */
export interface Terminal<Output = unknown, Exit = unknown> extends AsyncDisposable {
  readonly id: string;
  /** The terminal as the content of a tool call. */
  readonly content: { readonly type: "terminal"; readonly terminalId: string };
  /** Resolves when the command has ended. */
  wait(): Promise<Exit>;
  /** Returns the output so far. */
  output(): Promise<Output>;
  /** Ends the command; the terminal remains. */
  kill(): Promise<void>;
  /** Ends the command and frees the terminal; repeated calls have no effect. */
  release(): Promise<void>;
}

/** A turn's result: a reason, or an idle state with more fields. Without one, the reason is `end_turn`. */
export type TurnResult<Idle> =
  | (Idle extends { readonly stopReason: infer Reason } ? Reason : never)
  | Idle
  | undefined
  | void;

/** Turns, which a prompt of version 2 starts. */
export interface AgentTurns<Turn, Update, Response> {
  /**
   * Starts a turn and returns the answer to the prompt, after the prompt was sent back as a
   * message of the user.
   *
   * The session is reported as `running` until the turn has ended, and then as `idle`. The turn's
   * signal is aborted by `session/cancel` and `session/close`; the reason is then `cancelled`, no
   * matter how the function ends. When the function throws, the reason is `error`. Turns of one
   * session run one after the other.
   *
   * @param options.message the message of the user; by default the prompt that is handled, if any
   */
  startTurn(
    run: (turn: Turn) => TurnResult<IdleIn<Update>> | Promise<TurnResult<IdleIn<Update>>>,
    options?: { readonly message?: readonly BlockIn<Update>[] },
  ): Promise<Response>;
}

type IdleIn<Update> = Without<
  Extract<UpdateFields<Update, "state_update">, { readonly state: "idle" }>,
  "state"
>;
