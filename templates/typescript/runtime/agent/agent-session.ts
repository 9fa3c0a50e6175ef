import type { Disposal } from "../rpc/transports/disposal.js";
import type { NotifyOptions } from "../rpc/outbound-requests.js";
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
  /**
   * Sends an update; resolves when more can be sent.
   *
   * @throws AcpError when the session is that of a prompt whose turn has ended, and the update
   *   belongs to the turn: a message, a thought, a tool call or a plan
   */
  update<Tag extends UpdateTag<Update>>(
    tag: Tag,
    fields: UpdateFields<Update, Tag>,
    options?: NotifyOptions,
  ): Promise<void>;
}

/** The type of the content blocks in a union of updates. */
type BlockIn<Update> =
  UpdateFields<Update, "agent_message_chunk"> extends {
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
export interface PlanUpdates<Update> {
  /** Sends the whole plan, in place of the last one. Entries are `pending` and of `medium` priority by default. */
  plan(entries: readonly PlanInput<EntryIn<Update>>[]): Promise<void>;
}

type EntryIn<Update> =
  UpdateFields<Update, "plan"> extends { readonly entries: readonly (infer Entry)[] }
    ? Entry
    : UpdateFields<Update, "plan_update"> extends { readonly plan: infer Plan }
      ? Extract<Plan, { readonly type: "items" }> extends {
          readonly entries: readonly (infer Entry)[];
        }
        ? Entry
        : never
      : never;

type PlanInput<Entry> = Without<Entry, "priority" | "status"> & {
  readonly [Name in keyof Entry & ("priority" | "status")]?: Entry[Name] | undefined;
};

/** Work of the agent that the user can follow. */
export interface ToolCalls<Update, ToolCall> {
  /**
   * Announces a tool call; its id is random by default.
   *
   * @param options applied to all messages about the tool call
   */
  toolCall(fields: ToolCallStart<Update>, options?: NotifyOptions): Promise<ToolCall>;
}

/** A tool call that was announced to a client with updates. */
export type ToolCallOf<Client, Update> = AgentToolCall<ToolCallChange<Update>, OptionOf<Client>>;

/** The fields of a tool call that starts. In version 2, the first update creates it. */
export type ToolCallStart<Update> = ("tool_call" extends UpdateTag<Update>
  ? Without<UpdateFields<Update, "tool_call">, "toolCallId">
  : Without<UpdateFields<Update, "tool_call_update">, "toolCallId"> & {
      readonly title: string;
    }) & { readonly toolCallId?: string | undefined };

/** The fields of a tool call that can change. */
export type ToolCallChange<Update> = Without<
  UpdateFields<Update, "tool_call_update">,
  "toolCallId"
>;

type OptionOf<Client> = Client extends {
  readonly session: { readonly requestPermission?: infer Ask };
}
  ? ParamsOf<Ask> extends { readonly options: readonly (infer Option)[] }
    ? Option
    : never
  : never;

/** A tool call that was announced. */
export interface AgentToolCall<Change, Option> {
  readonly id: string;
  /** Changes some fields. */
  update(fields: Change): Promise<void>;
  /**
   * Asks the user for permission.
   *
   * @param options allow once and reject once by default
   * @returns the option that allows the tool call; undefined when the user rejected it or selected
   *   none of the options, e.g. because the prompt was cancelled
   */
  ask(options?: readonly Option[]): Promise<Option | undefined>;
  /**
   * Reports the tool call as in progress while a function runs, and then as completed, or as
   * failed when it throws.
   *
   * @returns the function's result
   * @throws the function's error
   */
  run<Result>(work: (signal: AbortSignal) => Result): Promise<Awaited<Result>>;
  /** Reports the tool call as failed, once, and adds the reason to its content. */
  fail(reason: unknown): Promise<void>;
}

type ParamsOf<Call> =
  NonNullable<Call> extends (params: infer Params, ...rest: never[]) => unknown ? Params : never;

type ResultOf<Call> =
  NonNullable<Call> extends (...args: never[]) => Promise<infer Result> ? Result : never;

/** The client's terminal methods. */
interface TerminalMethods {
  readonly create?: unknown;
  readonly output?: unknown;
  readonly waitForExit?: unknown;
}

/** Terminals that the client runs for the agent. */
export interface ClientTerminals<Methods extends TerminalMethods> {
  /**
   * Starts a command in a terminal of the client, which must be released: use it with `await using`.
   *
   * @returns undefined when the client has no terminals
   */
  terminal(
    params: Without<ParamsOf<Methods["create"]>, "sessionId">,
  ): Promise<
    AgentTerminal<ResultOf<Methods["output"]>, ResultOf<Methods["waitForExit"]>> | undefined
  >;
}

/** A terminal of the client. */
export interface AgentTerminal<Output = unknown, Exit = unknown> extends Disposal {
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

/** The end of a turn: a reason, or an idle state with more fields; `end_turn` by default. */
export type TurnEnd<Update> = KnownIdle<IdleIn<Update>> | ReasonIn<IdleIn<Update>> | void;

type ReasonIn<Idle> = Idle extends { readonly stopReason: infer Reason extends string }
  ? Reason
  : never;

/** The idle states with known fields: with the others, a reason that is returned would be any string. */
type KnownIdle<Idle> = Idle extends unknown ? (string extends keyof Idle ? never : Idle) : never;

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
    // With `TurnEnd | Promise<TurnEnd>`, TypeScript widens the reason that an async function returns.
    run: (turn: Turn) => Promise<TurnEnd<Update>>,
    options?: { readonly message?: readonly BlockIn<Update>[] },
  ): Promise<Response>;
}

/** The fields of the idle states in a union of updates. */
export type IdleIn<Update> = Without<
  Extract<UpdateFields<Update, "state_update">, { readonly state: "idle" }>,
  "state"
>;
