import type { Call } from "./call.js";
import { patch, type Entity } from "../session/patch.js";
import { isSmall, RecentMap, RecentSet } from "./memory.js";
import { at, isMask, list, textOf } from "./select.js";
import { STATE_CHANGES } from "./state-changes.js";

/** The maximum number of remembered items of one kind per session. */
const MAX_ITEMS = 10_000;
/** The maximum number of remembered unanswered calls per session. */
const MAX_PENDING = 100;
/** The maximum number of remembered tool calls that show a terminal. */
const MAX_SHOWING = 100;
/** The maximum length of the remembered text of a prompt. */
const MAX_TEXT = 256;

/** A terminal of a session, in version 1. */
export interface ObservedTerminal {
  /** The line of the request that created it. */
  readonly line: number;
  isReleased: boolean;
  /** Tool calls that show it. */
  readonly toolCalls: RecentSet<unknown>;
}

/** The properties of updates that rules need of the items that they change. */
const FACTS = ["anchor", "capabilities", "configOptions", "status"];

/** Kinds of updates that are part of the content of a session. */
export const CONTENT_UPDATES: readonly string[] = [
  "user_message_chunk",
  "user_message",
  "agent_message_chunk",
  "agent_message",
  "agent_thought_chunk",
  "agent_thought",
  "tool_call",
];

/**
 * The known state of a session.
 *
 * What updates change is folded by the table of the states, and kept up to a limit. The order, the
 * number and the form of messages are not part of any state: they have facts of their own.
 */
export class ObservedSession {
  readonly id: string;
  readonly #version: 1 | 2;
  /** `early`: the response with its id is pending; `loading`: it is being loaded or resumed. */
  phase: "early" | "loading" | "active" | "ended";
  /** Lines of the agent's messages that named the session before the response with its id. */
  readonly early: number[] = [];
  /** The method that opened it; absent for the sessions of subagents. */
  openedBy?: string;
  /** Modes that can be set; absent while unknown. */
  modes?: ReadonlySet<unknown>;
  readonly terminals: RecentMap<unknown, ObservedTerminal> = new RecentMap(MAX_ITEMS);
  readonly toolCalls: RecentSet<unknown> = new RecentSet(MAX_ITEMS);
  /** Tool calls that a `tool_call` update has announced since the session was loaded. */
  announced: RecentSet<unknown> = new RecentSet(MAX_ITEMS);
  /** Tool calls that have not ended since the last turn began, with their last status, in version 1. */
  running: RecentMap<unknown, unknown> = new RecentMap(MAX_ITEMS);
  /** Pending permission requests by the tool call that they are about. */
  readonly permissions: RecentMap<unknown, Call> = new RecentMap(MAX_PENDING);
  /** What was reported of the items and of the other parts of the state, by target and id. */
  readonly #items: RecentMap<string, Entity> = new RecentMap(MAX_ITEMS);
  /** Pending calls of `session/prompt`, `session/load` and `session/resume`. */
  readonly pending: Set<Call> = new Set();
  /** Whether pending calls were dropped. */
  hasForgottenCalls = false;
  promptsSent = 0;
  /** How many prompts had been sent when the session was cancelled last. */
  #promptsAtCancel = -1;
  promptsAnswered = 0;
  /** Messages of the user that the agent has reported, in version 2. */
  readonly userMessages: RecentSet<unknown> = new RecentSet(MAX_ITEMS);
  /** Ids of messages in responses to prompts, with their lines, in version 2. */
  readonly promptMessages: RecentMap<unknown, number> = new RecentMap(MAX_ITEMS);
  /** Ids of messages in responses to prompts, by the keys of the prompts, in version 2. */
  readonly keyedMessages: RecentMap<unknown, unknown> = new RecentMap(MAX_ITEMS);
  /** Whether foreground work is running, as far as reported, in version 2. */
  isRunning = false;
  /** The line of the prompt or update that began foreground work, until it ends, in version 2. */
  workSince?: number;
  /** Whether background work is running, as far as reported, in version 2. */
  hasBackground = false;
  /** The line of the last update with the state idle. */
  lastIdle = 0;
  /** Whether the client may cancel it; absent for sessions that do not belong to a subagent. */
  isCancelGranted?: boolean;
  /** Whether the foreground work was cancelled and has not ended yet. */
  isCancelling = false;
  /** State updates since the last `session/load` or `session/resume` was sent. */
  statesSinceLoad = 0;
  /** Whether the client has requested the history, and its end was not sent, in version 2. */
  isReplaying = false;

  constructor(id: string, phase: ObservedSession["phase"], version: 1 | 2) {
    this.id = id;
    this.#version = version;
    this.phase = phase;
  }

  /** Returns the pending call of a method. */
  calling(method: string): Call | undefined {
    return [...this.pending].find((call) => call.method === method);
  }

  /** Returns the pending prompts. */
  get prompts(): readonly Call[] {
    return [...this.pending].filter(({ method }) => method === "session/prompt");
  }

  /**
   * Whether what the agent asks now belongs to work that was cancelled and has not ended. Unknown,
   * and therefore false, once a prompt was sent after the cancellation.
   */
  get isTurnCancelled(): boolean {
    if (this.#promptsAtCancel !== this.promptsSent) return false;
    return this.isCancelling || this.prompts.some(({ isCancelled }) => isCancelled);
  }

  /** The number of remembered items. */
  get size(): number {
    const kept = [
      ...[this.#items, this.terminals, this.toolCalls, this.announced, this.running],
      this.permissions,
      ...[this.userMessages, this.promptMessages, this.keyedMessages],
    ];
    return kept.reduce((sum, { size }) => sum + size, 0);
  }

  request(call: Call): void {
    const { method } = call;
    if (method === "session/prompt") this.promptsSent += 1;
    if (method === "session/request_permission") this.#permission(call);
    if (method === "session/load" || method === "session/resume") this.statesSinceLoad = 0;
    if (method === "session/resume")
      this.isReplaying = (at(call.params, "replayFrom") ?? null) !== null;
    // A replay announces tool calls again.
    if (method === "session/load") this.announced = new RecentSet(MAX_ITEMS);
    if (method === "session/close") this.cancel();
    if (!["session/prompt", "session/load", "session/resume"].includes(method)) return;
    this.pending.add(call);
    const [oldest] = this.pending;
    if (this.pending.size <= MAX_PENDING) return;
    this.pending.delete(oldest!);
    this.hasForgottenCalls = true;
  }

  #permission(call: Call): void {
    // The question whether a tool call may run introduces it to the client, in version 1.
    this.toolCalls.add(at(call.params, "toolCall", "toolCallId"));
    this.#fold("tool_call_update", at(call.params, "subject", "toolCall"));
    const id = askedToolCall(call.params);
    if (id !== undefined) this.permissions.set(id, call);
  }

  end(): void {
    this.phase = "ended";
    delete this.workSince;
  }

  cancel(): void {
    this.isCancelling = this.isRunning;
    this.#promptsAtCancel = this.promptsSent;
  }

  /** @param result undefined when the call failed */
  response(call: Call, result: unknown, line: number): void {
    this.pending.delete(call);
    const { method, params } = call;
    if (method === "session/prompt") {
      this.promptsAnswered += 1;
      if (this.prompts.length === 0) this.running = new RecentMap(MAX_ITEMS);
    }
    if (method === "session/request_permission") {
      const id = askedToolCall(params);
      if (this.permissions.get(id) === call) this.permissions.delete(id);
    }
    if (result === undefined) return;
    if (method === "session/close") this.end();
    if (method === "session/prompt" && typeof at(result, "messageId") === "string") {
      const messageId = at(result, "messageId");
      const key = at(params, "idempotencyKey");
      // A retry starts no work, and its message may have been reported on another connection.
      const isRetry = this.keyedMessages.has(key);
      if (!isRetry && this.lastIdle < call.line) this.workSince ??= call.line;
      if (typeof key === "string") this.keyedMessages.set(key, messageId);
      else this.promptMessages.set(messageId, line);
    }
    if (method === "session/set_config_option") this.#fold("config_option_update", result);
    const terminalId = at(result, "terminalId");
    if (method === "terminal/create" && terminalId !== undefined)
      this.terminals.set(terminalId, {
        line: call.line,
        isReleased: false,
        toolCalls: new RecentSet(MAX_SHOWING),
      });
    const terminal = this.terminals.get(at(params, "terminalId"));
    if (method === "terminal/release" && terminal !== undefined) terminal.isReleased = true;
  }

  /** Records the response that opens the session. */
  open(method: string, result: unknown): void {
    this.openedBy = method;
    this.promptsSent = this.promptsAnswered = 0;
    this.modes = new Set(list(at(result, "modes", "availableModes")).map((mode) => at(mode, "id")));
    const configOptions = at(result, "configOptions") ?? this.options ?? [];
    this.#fold("config_option_update", { configOptions });
  }

  update(kind: string, update: unknown, line: number): void {
    this.#fold(kind, update);
    if (kind === "tool_call") {
      this.toolCalls.add(at(update, "toolCallId"));
      this.announced.add(at(update, "toolCallId"));
    }
    if (kind === "tool_call" || kind === "tool_call_update") this.#toolCall(kind, update);
    const echoed = kind === "user_message_chunk" ? this.findEchoed(update) : undefined;
    if (echoed !== undefined) echoed.isEchoed = true;
    if (kind === "user_message" || kind === "user_message_chunk")
      this.#userMessage(at(update, "messageId"));
    if (kind === "state_update") this.#state(update, line);
    if (kind === "replay_complete") {
      this.isReplaying = false;
      this.statesSinceLoad = 0;
    }
    for (const content of list(at(update, "content")))
      this.terminals.get(at(content, "terminalId"))?.toolCalls.add(at(update, "toolCallId"));
  }

  /** Folds an update into the items that it changes. */
  #fold(kind: string, update: unknown): void {
    for (const { action, target, id } of STATE_CHANGES[`${this.#version}:${kind}`] ?? []) {
      const key = itemKey(target, id && at(update, ...id));
      if (action !== "upsert") this.#items.delete(key);
      const facts = factsOf(update);
      if (action === "remove" || Object.keys(facts).length === 0) continue;
      const item = this.#items.get(key) ?? { revision: 0 };
      patch(item, facts, { part: target }, true);
      this.#items.set(key, item);
    }
  }

  /** Returns what was reported of an item, or of a part of the state that has no id. */
  item(target: string, id?: unknown): Readonly<Entity> | undefined {
    return this.#items.get(itemKey(target, id));
  }

  /** Whether items may have been reported that are not known any more. */
  get hasForgottenItems(): boolean {
    return this.#items.hasForgotten;
  }

  /** The configuration options; undefined while unknown. */
  get options(): readonly unknown[] | undefined {
    const options = this.item("configOptions")?.["configOptions"];
    return Array.isArray(options) ? options : undefined;
  }

  /** Returns the pending prompt that a chunk of a user message repeats, as a whole or in part, for the first time. */
  findEchoed(chunk: unknown): Call | undefined {
    const text = textOf(at(chunk, "content", "text"));
    // A masked text may be any other.
    if (isMask(text)) return undefined;
    return this.prompts.find((prompt) => !prompt.isEchoed && begins(prompt.text ?? "", text));
  }

  #toolCall(kind: string, update: unknown): void {
    const id = at(update, "toolCallId");
    const given = at(update, "status") ?? (kind === "tool_call" ? "pending" : undefined);
    if (given === "pending" || given === "in_progress") this.running.set(id, given);
    else if (given !== undefined) this.running.delete(id);
  }

  #userMessage(id: unknown): void {
    if (this.userMessages.has(id)) return;
    this.userMessages.add(id);
    const [prompt, other] = this.prompts;
    if (prompt && !other && !this.hasForgottenCalls) prompt.isInserted = true;
  }

  /** Records a state by hand: rules need its line, and the fold forgets items beyond its limit. */
  #state(update: unknown, line: number): void {
    const state = at(update, "state");
    this.statesSinceLoad += 1;
    this.hasBackground = list(at(update, "background")).length > 0;
    this.isRunning = state === "running" || state === "requires_action";
    if (this.isRunning) this.workSince ??= line;
    if (state !== "idle") return;
    this.isCancelling = false;
    this.lastIdle = line;
    delete this.workSince;
  }
}

/** Returns the key of an item; an id that is not a string is that of no item. */
function itemKey(target: string, id: unknown): string {
  return `${target} ${typeof id === "string" ? id : ""}`;
}

/** Returns the properties of an update that rules need, as far as they are small. */
function factsOf(update: unknown): object {
  const facts = FACTS.map((name) => [name, at(update, name)] as const);
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined && isSmall(value)));
}

/** Returns the id of the tool call that a permission request is about, which depends on the version. */
function askedToolCall(params: unknown): unknown {
  const toolCall = at(params, "toolCall") ?? at(params, "subject", "toolCall");
  return at(toolCall, "toolCallId");
}

/** Returns the beginning of the text of a prompt. */
export function beginningOf(blocks: unknown): string {
  let text = "";
  for (const block of list(blocks)) {
    if (text.length >= MAX_TEXT) break;
    if (at(block, "type") === "text")
      text += textOf(at(block, "text")).slice(0, MAX_TEXT - text.length);
  }
  return text;
}

/** Returns whether a text begins like another one, of which only the beginning may be known. */
function begins(beginning: string, text: string): boolean {
  if (beginning.startsWith(text)) return true;
  return beginning.length >= MAX_TEXT && text.startsWith(beginning);
}

/** The known state of a session of edit suggestions. */
export class NesSession {
  isEnded = false;
  readonly suggestions: RecentSet<unknown> = new RecentSet(MAX_ITEMS);

  end(): void {
    this.isEnded = true;
  }

  offer(suggestions: readonly unknown[]): void {
    for (const suggestion of suggestions) this.suggestions.add(suggestionId(suggestion));
  }
}

/** Returns the id of a suggestion or of an answer to it, whose property depends on the version. */
export function suggestionId(value: unknown): unknown {
  return at(value, "suggestionId") ?? at(value, "id");
}
