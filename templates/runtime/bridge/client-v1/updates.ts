import { isRecord } from "../../rpc/messages.js";
import { MAIN_PLAN } from "../convert/computations.js";
import { capabilityAt } from "../handshake.js";
import { sizeOf } from "../limits.js";
import type { Relay } from "../relay.js";
import { ShownMessages } from "../state/messages.js";
import { modeOption, modesOf, type Modes } from "../state/modes.js";
import { PromptEchoes } from "../state/prompt-echoes.js";
import { Terminals, type TerminalChange } from "../state/terminals.js";
import { ToolCalls } from "../state/tool-calls.js";

type Update = Readonly<Record<string, unknown>>;

const METHOD = "session/update";

/** No other params. */
export const NOTHING: Update = {};

/** The capability that a client of version 1 needs for an update, by the update. */
const NEEDED: { readonly [update: string]: readonly string[] } = {
  notice: ["session", "notices"],
  compaction_update: ["session", "compaction"],
  compaction_summary_chunk: ["session", "compaction"],
  subagent_update: ["subagents"],
  session_message: ["subagents"],
  session_message_chunk: ["subagents"],
};

/** The updates of one session for a client of version 1. */
export class UpdatesToV1 {
  readonly #sessionId: string;
  readonly #relay: Relay;
  readonly #capabilities: unknown;
  readonly #echoes = new PromptEchoes();
  readonly #messages = new ShownMessages();
  readonly #terminals = new Terminals();
  readonly #toolCalls = new ToolCalls(this.#terminals, () => this.#lose("content-cut"));
  /** The id of the plan that the client shows. */
  #planId: unknown;
  /** Whether the agent replays the session, so that messages of the user are shown. */
  isReplaying = false;
  /** The modes, where an option stands for them. */
  mode: Modes | undefined;

  /** @param capabilities those of the client */
  constructor(sessionId: string, relay: Relay, capabilities: unknown) {
    this.#sessionId = sessionId;
    this.#relay = relay;
    this.#capabilities = capabilities;
  }

  /** What is kept of the session, in UTF-16 units. */
  get size(): number {
    return this.#messages.size + this.#terminals.size + this.#toolCalls.size + this.#optionsSize;
  }

  /** Whether output waits for more of it. */
  get isWaiting(): boolean {
    return this.#toolCalls.isWaiting;
  }

  promptSent(): void {
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
        const { update: own, isFirst } = this.#toolCalls.update(update);
        return isFirst ? this.#announce(own, rest) : this.#send(own, rest);
      }
      case "tool_call_content_chunk": {
        const id = String(update["toolCallId"]);
        if (!this.#toolCalls.has(id))
          this.apply({ sessionUpdate: "tool_call_update", toolCallId: id });
        return this.#sendAny(this.#toolCalls.append(id, update["content"]));
      }
      case "terminal_update":
        return this.#terminalChanged(this.#terminals.update(update), Infinity);
      case "terminal_output_chunk": {
        const data = update["data"];
        const size = typeof data === "string" ? data.length : 0;
        return this.#terminalChanged(
          this.#terminals.append(String(update["terminalId"]), data),
          size,
        );
      }
      case "plan_update":
      case "plan_removed":
        return this.#plan(kind, update, rest);
      case "config_option_update":
        this.#send(update, rest);
        return this.modeChanged(undefined);
      default: {
        const needed = Object.hasOwn(NEEDED, kind) ? NEEDED[kind] : undefined;
        if (needed === undefined || capabilityAt(this.#capabilities, ...needed))
          return this.#send(update, rest);
        return this.#lose("feature-not-advertised");
      }
    }
  }

  /**
   * Leaves out the options that are on or off, unless the client has advertised them.
   *
   * @param value an object of version 1 with configOptions, or any other value
   * @param method where it is on its way, for the report of a loss
   */
  withOfferedOptions(value: unknown, method: string): unknown {
    if (!isRecord(value) || !Array.isArray(value["configOptions"])) return value;
    if (capabilityAt(this.#capabilities, "session", "configOptions", "boolean")) return value;
    const options: readonly unknown[] = value["configOptions"];
    const configOptions = options.filter((one) => !isRecord(one) || one["type"] !== "boolean");
    if (configOptions.length === options.length) return value;
    this.#relay.losses.state("switch-not-advertised", { method, sessionId: this.#sessionId });
    return { ...value, configOptions };
  }

  /** Tells the client its mode, if the options of version 1 or 2 say another. */
  modeChanged(options: unknown): void {
    const list = options ?? this.#lastOptions;
    const option = Array.isArray(list) ? modeOption(list) : undefined;
    const modes = option && modesOf(option);
    if (option === undefined || modes === undefined || this.mode === undefined) return;
    const currentModeId = String(modes["currentModeId"]);
    if (currentModeId === this.mode.currentModeId) return;
    this.mode = { configId: String(option["id"]), currentModeId };
    this.#notify({ sessionUpdate: "current_mode_update", currentModeId }, NOTHING);
  }

  /** The options that were sent last, in version 1. */
  #lastOptions: unknown;
  #optionsSize = 0;

  #isEcho(update: Update, rest: Update): boolean {
    return !this.isReplaying && this.#echoes.take(update, rest);
  }

  #chunk(kind: string, update: Update, rest: Update): void {
    const id = update["messageId"];
    const messageId = this.#messages.append(kind, String(id), update["content"]);
    this.#send(messageId === id ? update : { ...update, messageId }, rest);
  }

  #message(kind: string, update: Update, rest: Update): void {
    const { messageId: id, content, _meta } = update;
    if (content === undefined) return;
    const blocks = Array.isArray(content) ? content : [];
    const { blocks: own, messageId, loss } = this.#messages.replace(kind, String(id), blocks);
    if (loss !== undefined) this.#lose(loss);
    for (const block of own)
      this.#send(
        { sessionUpdate: kind, messageId, content: block, ...(_meta !== undefined && { _meta }) },
        rest,
      );
  }

  /** Announces a tool call, which has a title in version 1. */
  #announce(update: Update, rest: Update): void {
    const { title, name } = update;
    const hasTitle = typeof title === "string";
    if (!hasTitle) this.#lose("tool-call-without-title");
    const own = hasTitle ? update : { ...update, title: typeof name === "string" ? name : "" };
    this.#send(own, rest, "tool_call");
  }

  #terminalChanged({ users, losses, isLast }: TerminalChange, size: number): void {
    for (const loss of losses) this.#lose(loss);
    for (const user of users) this.#sendAny(this.#toolCalls.terminalChanged(user, size, isLast));
  }

  /** A client without the capability shows one plan, which is a list of entries. */
  #plan(kind: string, update: Update, rest: Update): void {
    if (capabilityAt(this.#capabilities, "plan")) return this.#send(update, rest);
    if (kind === "plan_removed") {
      if (update["planId"] !== this.#planId) return;
      this.#planId = undefined;
      return this.#notify({ sessionUpdate: "plan", entries: [] }, rest);
    }
    const plan = isRecord(update["plan"]) ? update["plan"] : {};
    if (plan["type"] !== "items") return this.#lose("plan-kind");
    const { planId } = plan;
    if (planId !== MAIN_PLAN && this.#planId !== undefined && planId !== this.#planId)
      this.#lose("plan-replaced");
    this.#planId = planId;
    const own = this.#convert({ ...update, plan });
    if (own === undefined || !isRecord(own["plan"])) return;
    const { entries, _meta } = own["plan"];
    this.#notify({ sessionUpdate: "plan", entries, ...(_meta !== undefined && { _meta }) }, rest);
  }

  #sendAny(update: Update | undefined): void {
    if (update !== undefined) this.#send(update);
  }

  /** @param tag the tag in version 1, where it is another */
  #send(update: Update, rest: Update = NOTHING, tag?: string): void {
    const own = this.#convert(update);
    if (own === undefined) return;
    if (own["sessionUpdate"] === "config_option_update") {
      this.#lastOptions = own["configOptions"];
      this.#optionsSize = sizeOf(this.#lastOptions);
    }
    const offered = this.withOfferedOptions(own, METHOD) as Update;
    this.#notify(tag === undefined ? offered : { ...offered, sessionUpdate: tag }, rest);
  }

  #convert(update: Update): Update | undefined {
    const params = { sessionId: this.#sessionId, update };
    const converted = this.#relay.convert("agent", "notification", METHOD, params);
    return "problem" in converted ? undefined : ((converted.value as Update)["update"] as Update);
  }

  #notify(update: Update, rest: Update): void {
    const params = { sessionId: this.#sessionId, update };
    this.#relay.notify("client", METHOD, rest === NOTHING ? params : { ...rest, ...params });
  }

  #lose(id: string): void {
    this.#relay.losses.state(id, { method: METHOD, sessionId: this.#sessionId });
  }
}
