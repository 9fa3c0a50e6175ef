import { BaseSession, completeEntries, requireToolCall } from "./base-session.js";
import type { NotifyOptions } from "../rpc/outbound-requests.js";
import { requireArgument } from "../rpc/require-argument.js";
import type { SessionLink } from "../session/link.js";
import { AnnouncedToolCall } from "./tool-call.js";
import type { SessionTurns, TurnFunction } from "./turns.js";

/** The plan of a session: it has a single one. */
const PLAN_ID = "plan";

/** The facts that only version 2 needs. */
export interface SessionFactsV2 {
  readonly turns: SessionTurns;
  /** The prompt that the handler answers, if it handles one. */
  readonly prompt?: readonly object[] | undefined;
  /** Returns whether the turn that the session belongs to has ended. */
  readonly hasEnded?: () => boolean;
}

/** A session of an agent in version 2. */
export class AgentSessionV2 extends BaseSession {
  readonly #facts: SessionFactsV2;
  /** The message that the next chunk of its kind continues. */
  #message: { readonly kind: string; readonly messageId: string } | undefined;

  constructor(
    link: SessionLink,
    id: string,
    source: { readonly signal: AbortSignal },
    facts: SessionFactsV2,
  ) {
    super(link, id, source, facts.hasEnded);
    this.#facts = facts;
  }

  plan(entries: readonly object[]): Promise<void> {
    const plan = { type: "items", planId: PLAN_ID, entries: completeEntries(entries) };
    return this.update("plan_update", { plan });
  }

  async toolCall(given: object, options?: NotifyOptions): Promise<AnnouncedToolCall> {
    requireToolCall(given);
    const { toolCallId = crypto.randomUUID(), ...fields } = given as { toolCallId?: string };
    this.#message = undefined;
    await this.update("tool_call_update", { ...fields, toolCallId }, options);
    return new AnnouncedToolCall(toolCallId, fields, {
      signal: this.signal,
      send: (change) => this.update("tool_call_update", change, options),
      ask: (choices, { title, kind }) => {
        const toolCall = { toolCallId, ...(kind !== undefined && { kind }) };
        const subject = { type: "tool_call", toolCall };
        const params = { title: title ?? "Tool call", subject, options: choices };
        return this.requestPermission(params, options);
      },
    });
  }

  async startTurn(
    run: TurnFunction,
    options: { readonly message?: readonly object[] } = {},
  ): Promise<object> {
    requireArgument("session.startTurn", run, "a function", "session.startTurn(async (turn) => …)");
    // A prompt that was cancelled before it is part of the conversation fails.
    this.signal.throwIfAborted();
    const { turns, prompt } = this.#facts;
    const content = options.message ?? prompt;
    const messageId = crypto.randomUUID();
    const send = (): Promise<void> =>
      content === undefined
        ? Promise.resolve()
        : this.update("user_message", { messageId, content });
    await turns.start(this.id, send, run);
    return { messageId };
  }

  /** The object that a turn receives sends nothing after its end. */
  protected isOfTurn(): boolean {
    return true;
  }

  protected chunk(kind: "agent_message" | "agent_thought", content: object): Promise<void> {
    if (this.#message?.kind !== kind) this.#message = { kind, messageId: crypto.randomUUID() };
    return this.update(`${kind}_chunk`, { messageId: this.#message.messageId, content });
  }
}
