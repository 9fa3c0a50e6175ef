import { isRecord } from "../../rpc/messages.js";
import { hasOtherProperties } from "../convert/other-properties.js";
import { capabilityAt } from "../handshake.js";
import type { Relay } from "../relay.js";
import { ShownMessages } from "../state/messages.js";
import { PromptEchoes } from "../state/prompt-echoes.js";
import { BridgedTerminals, type TerminalChange } from "../state/terminals.js";
import { BridgedToolCalls } from "../state/tool-calls.js";
import { OfferedOptions } from "./options.js";
import { ShownPlan } from "./plans.js";

type Update = Readonly<Record<string, unknown>>;

const METHOD = "session/update";

/** No other params. */
export const NOTHING: Update = {};

/** The properties of a message. */
const MESSAGE = ["sessionUpdate", "messageId", "content"];

/** The capability that a client of version 1 needs for an update, by the update. */
const NEEDED: { readonly [update: string]: readonly string[] } = {
  notice: ["session", "notices"],
  compaction_update: ["session", "compaction"],
  compaction_summary_chunk: ["session", "compaction"],
  subagent_update: ["subagents"],
  session_message: ["subagents"],
  session_message_chunk: ["subagents"],
  plan_update: ["plan"],
  plan_removed: ["plan"],
  cursor_update: ["session", "cursors"],
  prompt_suggestions_update: ["session", "promptSuggestions"],
};

/** The updates of one session for a client of version 1. */
export class UpdatesToV1 {
  readonly #sessionId: string;
  readonly #relay: Relay;
  readonly #capabilities: unknown;
  readonly #echoes = new PromptEchoes((update, rest) => this.#leaveOut(update, rest, MESSAGE));
  readonly #messages = new ShownMessages();
  readonly #terminals = new BridgedTerminals();
  readonly #toolCalls = new BridgedToolCalls(this.#terminals, (loss) => this.#lose(loss));
  readonly #plan = new ShownPlan(
    (update) => this.#convert(update),
    (loss) => this.#lose(loss),
  );
  readonly options: OfferedOptions;
  readonly knowsSubagents: boolean;
  /** Whether the agent replays the session, so that messages of the user are shown. */
  isReplaying = false;
  /** Whether it is the session of a subagent, which the client was not told of. */
  isHidden = false;

  /** @param capabilities those of the client */
  constructor(sessionId: string, relay: Relay, capabilities: unknown) {
    this.#sessionId = sessionId;
    this.#relay = relay;
    this.#capabilities = capabilities;
    this.knowsSubagents = capabilityAt(capabilities, "subagents");
    this.options = new OfferedOptions(sessionId, relay.losses, capabilities);
  }

  /** What is kept of the session, in UTF-16 units. */
  get size(): number {
    const shown = this.#messages.size + this.#terminals.size + this.#toolCalls.size;
    return shown + this.#echoes.size + this.options.size;
  }

  /** Whether output waits for more of it. */
  get isWaiting(): boolean {
    return this.#toolCalls.isWaiting;
  }

  promptSent(): void {
    this.isHidden = false;
    this.#echoes.promptSent();
  }

  /** Ends the wait for the confirmation of a prompt; its message is undefined when it was refused. */
  promptInserted(messageId: unknown): void {
    for (const [update, rest] of this.#echoes.promptInserted(messageId)) this.apply(update, rest);
  }

  /** Sends what was held back. */
  flush(): void {
    for (const update of this.#toolCalls.flush()) this.#send(update);
  }

  /**
   * Sends an update of version 2.
   *
   * @param rest the other params of its notification, such as `_meta`
   */
  apply(update: Update, rest: Update = NOTHING): void {
    if (this.isHidden) return this.#lose("feature-not-advertised");
    const kind = String(update["sessionUpdate"]);
    switch (kind) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        if (kind === "user_message_chunk" && this.#isEcho(update, rest)) return;
        return this.#chunk(kind, update, rest);
      case "user_message":
      case "agent_message":
      case "agent_thought":
        if (kind === "user_message" && this.#isEcho(update, rest)) return;
        return this.#message(`${kind}_chunk`, update, rest);
      case "tool_call_update": {
        const { update: own, isFirst } = this.#toolCalls.update(this.shown(update));
        return isFirst ? this.#announce(own, rest) : this.#send(own, rest);
      }
      case "tool_call_content_chunk": {
        const id = String(update["toolCallId"]);
        if (!this.#isShown(update["content"])) return this.#lose("feature-not-advertised");
        this.#leaveOut(update, rest, ["sessionUpdate", "toolCallId", "content"]);
        if (!this.#toolCalls.has(id))
          this.apply({ sessionUpdate: "tool_call_update", toolCallId: id });
        return this.#sendAny(this.#toolCalls.append(id, update["content"]));
      }
      // The response ends the replay.
      case "replay_complete":
        return this.#leaveOut(update, rest, ["sessionUpdate"]);
      case "terminal_update":
        if (rest !== NOTHING) this.#lose("terminal-details");
        return this.#terminalChanged(this.#terminals.update(update));
      case "terminal_output_chunk": {
        this.#leaveOut(update, rest, ["sessionUpdate", "terminalId", "data"]);
        const id = String(update["terminalId"]);
        return this.#terminalChanged(this.#terminals.append(id, update["data"]));
      }
      default: {
        const needed = Object.hasOwn(NEEDED, kind) ? NEEDED[kind] : undefined;
        if (needed === undefined || capabilityAt(this.#capabilities, ...needed))
          return this.#send(update, rest);
        if (kind === "plan_update") return this.#notify(this.#plan.update(update), rest);
        if (kind !== "plan_removed") return this.#lose("feature-not-advertised");
        const own = this.#plan.remove(update);
        if (own === undefined) this.#leaveOut(update, rest, ["sessionUpdate", "planId"]);
        return this.#notify(own, rest);
      }
    }
  }

  /** Returns a tool call without the content that the client does not know. */
  shown(toolCall: Update): Update {
    const { content } = toolCall;
    if (!Array.isArray(content) || content.every((item) => this.#isShown(item))) return toolCall;
    this.#lose("feature-not-advertised");
    return { ...toolCall, content: content.filter((item) => this.#isShown(item)) };
  }

  #isShown(content: unknown): boolean {
    const isSession = isRecord(content) && content["type"] === "session";
    return !isSession || this.knowsSubagents;
  }

  /** Sends the client its mode, if the options that were offered last have another. */
  sendMode(): void {
    const currentModeId = this.options.changedMode();
    if (currentModeId !== undefined)
      this.#notify({ sessionUpdate: "current_mode_update", currentModeId }, NOTHING);
  }

  #isEcho(update: Update, rest: Update): boolean {
    return !this.isReplaying && this.#echoes.take(update, rest);
  }

  #chunk(kind: string, update: Update, rest: Update): void {
    const id = update["messageId"];
    const messageId = this.#messages.append(kind, String(id), update["content"]);
    this.#send(messageId === id ? update : { ...update, messageId }, rest);
  }

  /** Sends the content of a message, and what else its update says with each block. */
  #message(kind: string, update: Update, rest: Update): void {
    const { messageId: id, content, ...others } = update;
    const own =
      content === undefined
        ? undefined
        : this.#messages.replace(kind, String(id), Array.isArray(content) ? content : []);
    const { blocks = [], messageId, losses = [] } = own ?? {};
    for (const loss of losses) this.#lose(loss);
    if (blocks.length === 0) this.#leaveOut(update, rest, MESSAGE);
    else if (removesMetadata(update)) this.#lose("details-left-out");
    for (const block of blocks)
      this.#send({ ...others, sessionUpdate: kind, messageId, content: block }, rest);
  }

  /** Announces a tool call, which has a title in version 1. */
  #announce(update: Update, rest: Update): void {
    const { title, name } = update;
    const hasTitle = typeof title === "string";
    if (!hasTitle) this.#lose("tool-call-without-title");
    const own = hasTitle ? update : { ...update, title: typeof name === "string" ? name : "" };
    this.#send(own, rest, "tool_call");
  }

  #terminalChanged({ users, losses, size, isLast }: TerminalChange): void {
    for (const loss of losses) this.#lose(loss);
    if (size === 0 && !isLast) return;
    for (const user of users) this.#sendAny(this.#toolCalls.terminalChanged(user, size, isLast));
  }

  #sendAny(update: Update | undefined): void {
    if (update !== undefined) this.#send(update);
  }

  /** @param tag the tag in version 1, where it is another */
  #send(update: Update, rest: Update = NOTHING, tag?: string): void {
    const own = this.#convert(update);
    if (own === undefined) return;
    const isOptions = own["sessionUpdate"] === "config_option_update";
    const offered = isOptions ? this.options.offer(own, METHOD) : own;
    this.#notify(tag === undefined ? offered : { ...offered, sessionUpdate: tag }, rest);
    if (isOptions) this.sendMode();
  }

  #convert(update: Update): Update | undefined {
    const params = { sessionId: this.#sessionId, update };
    const converted = this.#relay.convert("agent", "notification", METHOD, params);
    return "problem" in converted ? undefined : ((converted.value as Update)["update"] as Update);
  }

  #notify(update: Update | undefined, rest: Update): void {
    if (update === undefined) return;
    const params = { sessionId: this.#sessionId, update };
    this.#relay.notify("client", METHOD, rest === NOTHING ? params : { ...rest, ...params });
  }

  /** Reports the unknown properties of an update that is not forwarded. */
  #leaveOut(update: Update, rest: Update, known: readonly string[]): void {
    if (rest !== NOTHING || hasOtherProperties(update, known) || removesMetadata(update))
      this.#lose("details-left-out");
  }

  #lose(id: string): void {
    this.#relay.losses.state(id, { method: METHOD, sessionId: this.#sessionId });
  }
}

/** Checks for null as the metadata of what an update changes; it means nothing in that of a chunk. */
function removesMetadata({ sessionUpdate, _meta }: Update): boolean {
  return _meta === null && !String(sessionUpdate).endsWith("_chunk");
}
