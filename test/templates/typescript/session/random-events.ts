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

type Make = (random: Random) => Event;

/** Makes an update of an object with an id, which has some optional fields, and metadata. */
function about(
  sessionUpdate: string,
  idField: string,
  optional: Readonly<Record<string, (random: Random) => unknown>>,
): Make {
  return (random) => {
    const fields: Record<string, unknown> = { [idField]: id(random) };
    for (const [name, make] of Object.entries(optional))
      Object.assign(fields, maybe(random, name, make));
    return update(sessionUpdate, { ...fields, ...meta(random) });
  };
}

/** Makes a chunk of an object with an id. */
function chunkOf(sessionUpdate: string, idField: string): Make {
  return (random) => update(sessionUpdate, { [idField]: id(random), content: block(random) });
}

const toolCallUpdate: Make = (random) =>
  update("tool_call_update", { toolCallId: id(random), ...tool(random) });

function eventV1(random: Random): Event {
  // Few ids, so that all rules about messages without one get their turn.
  const messageId = random.pick([{}, {}, {}, { messageId: null }, { messageId: id(random) }]);
  const fields = { ...messageId, content: block(random), ...meta(random) };
  const agentChunk = (): Event => update("agent_message_chunk", fields);
  const userChunk = (): Event => update("user_message_chunk", fields);
  const makes: readonly Make[] = [
    () => (random.chance(0.5) ? { type: "end" } : { type: "prompt", content: blocks(random) }),
    ...[agentChunk, agentChunk, agentChunk],
    () => update("agent_thought_chunk", fields),
    ...[userChunk, userChunk],
    () => update("agent_message_clear", { ...messageId, ...meta(random) }),
    () => update("tool_call", { toolCallId: id(random), title: word(random), ...tool(random) }),
    toolCallUpdate,
    () => update("plan", { entries: [{ content: word(random) }], ...meta(random) }),
    () => update("current_mode_update", { currentModeId: word(random) }),
    () =>
      odd(random, [
        { sessionUpdate: "agent_message", messageId: "a", content: [] },
        { sessionUpdate: "agent_message_chunk", messageId: 5, content: {} },
      ]),
  ];
  return (makes[random.below(16)] ?? eventOfBoth)(random);
}

function eventV2(random: Random): Event {
  const kind = random.pick(["user_message", "agent_message", "agent_message", "agent_thought"]);
  const messageId = id(random);
  const chunk = (): Event =>
    update(`${kind}_chunk`, { messageId, content: block(random), ...meta(random) });
  const whole = (): Event =>
    update(kind, { messageId, ...maybe(random, "content", blocks), ...meta(random) });
  const makes: readonly Make[] = [
    ...[chunk, chunk, chunk],
    ...[whole, whole],
    () => update("agent_message_clear", { messageId }),
    toolCallUpdate,
    chunkOf("tool_call_content_chunk", "toolCallId"),
    about("terminal_update", "terminalId", {
      command: word,
      output: () => ({ data: bytes(random), ...meta(random) }),
    }),
    () => update("terminal_output_chunk", { terminalId: id(random), data: bytes(random) }),
    () => update("state_update", { state: word(random) }),
    () =>
      odd(random, [
        { sessionUpdate: "agent_message_clear" },
        { sessionUpdate: "tool_call", toolCallId: "a", title: "" },
      ]),
  ];
  return (makes[random.below(14)] ?? eventOfBoth)(random);
}

const OF_BOTH: readonly Make[] = [
  (random) =>
    update("plan_update", { plan: { type: "file", planId: id(random), uri: word(random) } }),
  (random) => update("plan_removed", { planId: id(random) }),
  (random) => update("available_commands_update", { availableCommands: [{ name: word(random) }] }),
  (random) => update("config_option_update", { configOptions: [{ name: word(random) }] }),
  (random) =>
    update("session_info_update", {
      ...maybe(random, "title", word),
      ...maybe(random, "updatedAt", word),
      ...meta(random),
    }),
  (random) =>
    update("usage_update", {
      used: random.below(100),
      size: 100,
      ...maybe(random, "cost", () => ({ amount: random.below(9), currency: "EUR" })),
      ...meta(random),
    }),
  (random) => update("notice", { severity: "info", title: word(random) }),
  (random) =>
    update("compaction_update", {
      compactionId: id(random),
      status: word(random),
      ...maybe(random, "summary", blocks),
      ...maybe(random, "error", word),
      ...meta(random),
    }),
  chunkOf("compaction_summary_chunk", "compactionId"),
  about("subagent_update", "sessionId", {
    title: word,
    additionalDirectories: (random) => [word(random)],
  }),
  about("session_message", "messageId", { senderSessionId: word, content: blocks }),
  about("cursor_update", "cursorId", { capabilities: () => ({ fork: {} }) }),
  (random) =>
    update("prompt_suggestions_update", {
      suggestions: [{ prompt: [{ type: "text", text: word(random) }] }],
      ...meta(random),
    }),
  chunkOf("session_message_chunk", "messageId"),
];

function eventOfBoth(random: Random): Event {
  return OF_BOTH[random.below(14)]!(random);
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
