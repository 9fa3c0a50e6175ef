import { createRandom, type Random } from "../../../use/samples/random.js";
import { deepFreeze } from "./snapshot.js";

type Fields = Readonly<Record<string, unknown>>;

/** An event of a session: an update, or something else that closes messages. */
export type Event =
  | { readonly type: "update"; readonly update: Fields & { readonly sessionUpdate: string } }
  /** An update that no session knows. */
  | { readonly type: "odd"; readonly update: Fields & { readonly sessionUpdate: string } }
  | { readonly type: "end" }
  | { readonly type: "prompt"; readonly content: readonly { readonly type: string }[] };

export interface SessionEvent {
  readonly sessionId: string;
  readonly event: Event;
}

const SESSIONS = ["one", "two", "__proto__"];
const IDS = ["a", "b", "__proto__", "constructor"];

/** A random stream of events of several sessions; nothing in it can be changed. */
export function randomEvents(version: 1 | 2, seed: string, count: number): SessionEvent[] {
  const random = createRandom(`${version} ${seed}`);
  const echoes = new Map(SESSIONS.map((sessionId) => [sessionId, new EchoingAgent(random)]));
  return Array.from({ length: count }, () => {
    const sessionId = random.pick(SESSIONS);
    const event = version === 1 ? echoes.get(sessionId)!.echo(eventV1(random)) : eventV2(random);
    return deepFreeze({ sessionId, event });
  });
}

/** Makes parts of prompts out of some chunks of the user. */
class EchoingAgent {
  readonly #random: Random;
  /** The content of the last prompts that was not echoed yet. */
  #rest: { readonly type: string; readonly text?: string }[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  echo(event: Event): Event {
    if (event.type === "prompt") {
      this.#rest = [...(this.#random.chance(0.5) ? this.#rest : []), ...event.content];
      return event;
    }
    const isChunk = event.type === "update" && event.update.sessionUpdate === "user_message_chunk";
    const [next] = this.#rest;
    if (!isChunk || next === undefined || this.#random.chance(0.2)) return event;
    this.#rest.shift();
    const { text } = next;
    if (text === undefined || this.#random.chance(0.5)) return withContent(event, next);
    const cut = this.#random.below(text.length + 1);
    this.#rest.unshift({ type: "text", text: text.slice(cut) });
    return withContent(event, { type: "text", text: text.slice(0, cut) });
  }
}

function withContent(event: Event & { readonly type: "update" }, content: unknown): Event {
  return { ...event, update: { ...event.update, content } };
}

function eventV1(random: Random): Event {
  // Few ids, so that all rules about messages without one get their turn.
  const messageId = random.pick([{}, {}, {}, { messageId: null }, { messageId: id(random) }]);
  const fields = { ...messageId, content: block(random), ...meta(random) };
  switch (random.below(16)) {
    case 0:
      return random.chance(0.5) ? { type: "end" } : { type: "prompt", content: blocks(random) };
    case 1:
    case 2:
    case 3:
      return update("agent_message_chunk", fields);
    case 4:
      return update("agent_thought_chunk", fields);
    case 5:
    case 6:
      return update("user_message_chunk", fields);
    case 7:
      return update("agent_message_clear", { ...messageId, ...meta(random) });
    case 8:
      return update("tool_call", { toolCallId: id(random), title: word(random), ...tool(random) });
    case 9:
      return update("tool_call_update", { toolCallId: id(random), ...tool(random) });
    case 10:
      return update("plan", { entries: [{ content: word(random) }], ...meta(random) });
    case 11:
      return update("current_mode_update", { currentModeId: word(random) });
    case 12:
      return odd(random, [
        { sessionUpdate: "agent_message", messageId: "a", content: [] },
        { sessionUpdate: "agent_message_chunk", messageId: 5, content: {} },
      ]);
    default:
      return eventOfBoth(random);
  }
}

function eventV2(random: Random): Event {
  const kind = random.pick(["user_message", "agent_message", "agent_message", "agent_thought"]);
  const messageId = id(random);
  switch (random.below(14)) {
    case 0:
    case 1:
    case 2:
      return update(`${kind}_chunk`, { messageId, content: block(random), ...meta(random) });
    case 3:
    case 4:
      return update(kind, { messageId, ...maybe(random, "content", blocks), ...meta(random) });
    case 5:
      return update("agent_message_clear", { messageId });
    case 6:
      return update("tool_call_update", { toolCallId: id(random), ...tool(random) });
    case 7:
      return update("tool_call_content_chunk", { toolCallId: id(random), content: block(random) });
    case 8:
      return update("terminal_update", {
        terminalId: id(random),
        ...maybe(random, "command", word),
        ...maybe(random, "output", () => ({ data: bytes(random), ...meta(random) })),
        ...meta(random),
      });
    case 9:
      return update("terminal_output_chunk", { terminalId: id(random), data: bytes(random) });
    case 10:
      return update("state_update", { state: word(random) });
    case 11:
      return odd(random, [
        { sessionUpdate: "agent_message_clear" },
        { sessionUpdate: "tool_call", toolCallId: "a", title: "" },
      ]);
    default:
      return eventOfBoth(random);
  }
}

function eventOfBoth(random: Random): Event {
  switch (random.below(14)) {
    case 0:
      return update("plan_update", {
        plan: { type: "file", planId: id(random), uri: word(random) },
      });
    case 1:
      return update("plan_removed", { planId: id(random) });
    case 2:
      return update("available_commands_update", { availableCommands: [{ name: word(random) }] });
    case 3:
      return update("config_option_update", { configOptions: [{ name: word(random) }] });
    case 4:
      return update("session_info_update", {
        ...maybe(random, "title", word),
        ...maybe(random, "updatedAt", word),
        ...meta(random),
      });
    case 5:
      return update("usage_update", {
        used: random.below(100),
        size: 100,
        ...maybe(random, "cost", () => ({ amount: random.below(9), currency: "EUR" })),
        ...meta(random),
      });
    case 6:
      return update("notice", { severity: "info", title: word(random) });
    case 7:
      return update("compaction_update", {
        compactionId: id(random),
        status: word(random),
        ...maybe(random, "summary", blocks),
        ...maybe(random, "error", word),
        ...meta(random),
      });
    case 8:
      return update("compaction_summary_chunk", {
        compactionId: id(random),
        content: block(random),
      });
    case 9:
      return update("subagent_update", {
        sessionId: id(random),
        ...maybe(random, "title", word),
        ...maybe(random, "additionalDirectories", () => [word(random)]),
        ...meta(random),
      });
    case 10:
      return update("session_message", {
        messageId: id(random),
        ...maybe(random, "senderSessionId", word),
        ...maybe(random, "content", blocks),
        ...meta(random),
      });
    case 11:
      return update("cursor_update", {
        cursorId: id(random),
        ...maybe(random, "capabilities", () => ({ fork: {} })),
        ...meta(random),
      });
    case 12:
      return update("prompt_suggestions_update", {
        suggestions: [{ prompt: [{ type: "text", text: word(random) }] }],
        ...meta(random),
      });
    default:
      return update("session_message_chunk", { messageId: id(random), content: block(random) });
  }
}

function odd(random: Random, more: readonly (Fields & { sessionUpdate: string })[]): Event {
  const known = [
    { sessionUpdate: "_custom", messageId: "a", content: word(random) },
    { sessionUpdate: "constructor" },
    { sessionUpdate: "plan_update", plan: { planId: 5 } },
    { sessionUpdate: "session_message", messageId: "a", content: "text" },
  ];
  return { type: "odd", update: random.pick([...known, ...more]) };
}

function update(sessionUpdate: string, fields: Fields): Event {
  return { type: "update", update: { sessionUpdate, ...fields } };
}

function tool(random: Random): Fields {
  return {
    ...maybe(random, "kind", word),
    ...maybe(random, "status", word),
    ...maybe(random, "content", blocks),
    ...maybe(random, "locations", () => [{ path: word(random) }]),
    ...maybe(random, "rawInput", word),
    ...meta(random),
  };
}

/** A field that is absent, null or has a value. */
function maybe(random: Random, field: string, make: (random: Random) => unknown): Fields {
  return random.pick([{}, { [field]: null }, { [field]: make(random) }]);
}

function meta(random: Random): Fields {
  return random.chance(0.6)
    ? {}
    : maybe(random, "_meta", () => ({
        [id(random).replace("__proto__", "p")]: random.chance(0.3) ? null : word(random),
      }));
}

function block(random: Random): { readonly type: string } {
  const text = { type: "text", text: word(random) };
  return random.pick([
    text,
    text,
    text,
    { ...text, annotations: null },
    { ...text, _meta: {} },
    { type: "image", data: word(random) },
  ]);
}

function blocks(random: Random): { readonly type: string }[] {
  return Array.from({ length: random.below(3) }, () => block(random));
}

function id(random: Random): string {
  return random.pick(IDS);
}

function word(random: Random): string {
  return random.pick(["x", "yy", "zzz", ""]) + String(random.below(10));
}

function bytes(random: Random): string {
  return Buffer.from(word(random)).toString("base64");
}
