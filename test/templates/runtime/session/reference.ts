import type { Event } from "./random-events.js";

/**
 * The meaning of session updates a second time, as plainly as possible: every part
 * of the state is computed anew from the whole list of what has happened.
 */

type Update = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };
type Fields = Record<string, unknown>;

/** A block, and whether it arrived alone: only then it continues the text before it. */
type Piece = readonly [block: unknown, isChunk: boolean];

export function referenceV1(given: readonly Event[]): Fields {
  const events = withEchoes(given);
  const updates = updatesOf(events);
  const keys = messageKeysV1(events);
  const messages = firsts(keys).map((key) => messageV1(key, events, keys));
  const toolCalls = by(updates, "toolCallId", ["tool_call", "tool_call_update"]);
  return {
    ...common(updates, lastOf, (list) => lastOf(list, "_meta")),
    ...odd(events),
    messages,
    timeline: timeline(events, keys),
    toolCalls: toolCalls.map(([toolCallId, all]) => {
      const start = all.findLastIndex(({ sessionUpdate }) => sessionUpdate === "tool_call");
      const list = all.slice(Math.max(start, 0));
      const last = (field: string): unknown => list.findLast((one) => one[field] != null)?.[field];
      return present({
        toolCallId,
        title: last("title"),
        kind: last("kind"),
        status: last("status"),
        rawInput: last("rawInput"),
        _meta: last("_meta"),
        content: last("content") ?? [],
        locations: last("locations") ?? [],
      });
    }),
    terminals: [],
    info: present({
      ...info(updates),
      _meta: updates.findLast((one) => isInfo(one) && one["_meta"] != null)?.["_meta"],
    }),
    last: present({
      ...lasts(updates),
      usage: updates.findLast(({ sessionUpdate }) => sessionUpdate === "usage_update"),
      plan: updates.findLast(({ sessionUpdate }) => sessionUpdate === "plan"),
      mode: updates.findLast(({ sessionUpdate }) => sessionUpdate === "current_mode_update"),
    }),
  };
}

export function referenceV2(events: readonly Event[]): Fields {
  const updates = updatesOf(events);
  const keys = events.map((event) => {
    const update = event.type === "update" ? event.update : undefined;
    const kind = /^(user_message|agent_message|agent_thought)(_chunk)?$/.exec(
      update?.sessionUpdate ?? "",
    )?.[1];
    return kind === undefined ? undefined : `${kind}:${String(update!["messageId"])}`;
  });
  const usage = updates.filter(({ sessionUpdate }) => sessionUpdate === "usage_update");
  return {
    ...common(updates, lastOf, mergedMeta),
    ...odd(events),
    messages: firsts(keys).map((key) => {
      const [kind, messageId] = key.split(":") as [string, string];
      const list = updates.filter(
        (one) => one.sessionUpdate.startsWith(kind) && one["messageId"] === messageId,
      );
      const whole = list.filter((one) => one.sessionUpdate === kind);
      const content = contentOf(list, kind, "content", "agent_message_clear");
      return present({ kind, messageId, content, _meta: mergedMeta(whole) });
    }),
    timeline: timeline(events, keys),
    toolCalls: by(updates, "toolCallId", ["tool_call_update", "tool_call_content_chunk"]).map(
      ([toolCallId, list]) => {
        const whole = list.filter(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
        return present({
          toolCallId,
          kind: lastOf(whole, "kind") ?? "other",
          status: lastOf(whole, "status") ?? "pending",
          locations: lastOf(whole, "locations") ?? [],
          rawInput: lastOf(whole, "rawInput"),
          content: contentOf(list, "tool_call_update", "content"),
          _meta: mergedMeta(whole),
        });
      },
    ),
    terminals: by(updates, "terminalId", ["terminal_update", "terminal_output_chunk"]).map(
      ([terminalId, list]) => {
        const whole = list.filter(({ sessionUpdate }) => sessionUpdate === "terminal_update");
        const start = list.findLastIndex((one) => one["output"] !== undefined);
        const { data, ...rest } = (list[start]?.["output"] ?? {}) as Fields;
        const later = list.slice(start + 1).flatMap((one) => one["data"] ?? []);
        const chunks = [...(data === undefined ? [] : [data]), ...later];
        return present({
          terminalId,
          command: lastOf(whole, "command"),
          output: data === undefined && chunks.length === 0 ? null : { ...rest, chunks },
          _meta: mergedMeta(whole),
        });
      },
    ),
    info: present({ ...info(updates), _meta: mergedMeta(updates.filter(isInfo)) }),
    last: present({
      ...lasts(updates),
      usage: usage.length === 0 ? null : present({ ...usage.at(-1), cost: lastOf(usage, "cost") }),
      state: updates.findLast(({ sessionUpdate }) => sessionUpdate === "state_update"),
    }),
  };
}

/** An event, or a chunk of the user that echoes a prompt; `of` is absent when that was an error. */
type Seen = Event | { readonly type: "echo"; readonly update: Update; readonly of?: Event };

interface Echoed {
  readonly prompt: Event & { readonly type: "prompt" };
  readonly chunks: { readonly index: number; readonly update: Update }[];
  isOver: boolean;
}

/**
 * The events with the echoes of prompts among them. Chunks that only began like an echo stand where
 * that was found out.
 */
function withEchoes(events: readonly Event[]): Seen[] {
  const open: Echoed[] = [];
  const seen: Seen[][] = [];
  const ids = new Set<unknown>();
  events.forEach((event, index) => {
    seen.push([event]);
    if (event.type === "prompt") open.push({ prompt: event, chunks: [], isOver: false });
    if (event.type === "end") open.shift();
    if (event.type !== "update") return;
    const { update } = event;
    if (/^(agent_(message|thought)_chunk|tool_call(_update)?)$/.test(update.sessionUpdate))
      for (const first of open.slice(0, 1)) first.isOver = true;
    if (update.sessionUpdate !== "user_message_chunk") return;
    const id = update["messageId"] ?? undefined;
    const begun = open.find(
      ({ chunks, isOver }) =>
        !isOver && chunks.length > 0 && (chunks[0]!.update["messageId"] ?? undefined) === id,
    );
    const isKnown = id !== undefined && ids.has(id) && begun === undefined;
    ids.add(id);
    if (isKnown) return;
    const before = begun?.chunks.splice(0) ?? [];
    const chunks = [...before, { index, update }];
    const echoed = [...(begun ? [begun] : []), ...open.filter((one) => one !== begun)].find(
      (one) => !one.isOver && one.chunks.length === 0 && begins(one.prompt, chunks),
    );
    const see = (list: Echoed["chunks"], of?: Event): void => {
      for (const { index: place } of list) {
        const own = list.filter((chunk) => chunk.index === place);
        seen[place] = own.map(({ update: one }) => ({
          type: "echo",
          update: one,
          ...(of && { of }),
        }));
      }
    };
    see(before);
    if (echoed === undefined)
      return void (seen[index] = chunks.map((chunk) => ({ type: "update", update: chunk.update })));
    const placed = echoed === begun ? chunks : chunks.map((chunk) => ({ ...chunk, index }));
    echoed.chunks.push(...placed);
    see(placed, echoed.prompt);
    echoed.isOver = tokens(echoed.prompt.content).length === tokensOf(chunks).length;
  });
  return seen.flat();
}

function begins(prompt: Echoed["prompt"], chunks: Echoed["chunks"]): boolean {
  const [all, part] = [tokens(prompt.content), tokensOf(chunks)];
  return part.every((token, index) => token === all[index]);
}

function tokensOf(chunks: Echoed["chunks"]): string[] {
  return tokens(chunks.map(({ update }) => update["content"]));
}

/** The characters of texts, and other blocks. */
function tokens(content: readonly unknown[]): string[] {
  return content.flatMap((block) => {
    const { type, text } = block as Fields;
    return type === "text" ? [...(text as string)] : [JSON.stringify(block)];
  });
}

/** The message that each event makes or reaches. */
function messageKeysV1(events: readonly Seen[]): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  events.forEach((event, index) => {
    keys.push(messageKeyV1(event, index, events, keys));
  });
  return keys;
}

function messageKeyV1(
  event: Seen,
  index: number,
  events: readonly Seen[],
  keys: readonly (string | undefined)[],
): string | undefined {
  if (event.type === "prompt") return `user_message#${index}`;
  if (event.type === "echo") return event.of && keys[events.indexOf(event.of)];
  if (event.type !== "update") return undefined;
  const { sessionUpdate, messageId } = event.update;
  const before = [...events.keys()].slice(0, index).reverse();
  const isFirst = (other: number): boolean => !keys.slice(0, other).includes(keys[other]);
  if (sessionUpdate === "agent_message_clear") {
    if (messageId != null) {
      const key = `agent_message:${String(messageId)}`;
      return keys.includes(key) ? key : undefined;
    }
    for (const other of before) {
      if (closes(events[other]!)) return undefined;
      if (tagOf(events[other]!) === "agent_message_chunk" && isFirst(other)) return keys[other];
    }
    return undefined;
  }
  const kind = /^(.*)_chunk$/.exec(sessionUpdate)?.[1] ?? "";
  if (!["user_message", "agent_message", "agent_thought"].includes(kind)) return undefined;
  if (messageId != null) {
    const isOwn = (one: Seen): boolean =>
      one.type === "echo" && one.of !== undefined && one.update["messageId"] === messageId;
    const echo = kind === "user_message" ? events.slice(0, index).findIndex(isOwn) : -1;
    return echo === -1 ? `${kind}:${String(messageId)}` : keys[echo];
  }
  for (const other of before) {
    const tag = tagOf(events[other]!);
    const isUser = tag === "user_message_chunk" || events[other]!.type === "echo";
    const isEarlierUser = isUser && kind === "user_message";
    if (closes(events[other]!) && !isEarlierUser) break;
    if (tag.endsWith("message_chunk") || tag === "agent_thought_chunk") {
      if (tag === "session_message_chunk") {
        if (appears(events, other)) break;
      } else if (isFirst(other)) {
        if (tag === `${kind}_chunk`) return keys[other];
        break;
      }
    } else if (appears(events, other)) break;
  }
  return `${kind}#${index}`;
}

function closes(event: Seen): boolean {
  return event.type !== "update" && event.type !== "odd"
    ? true
    : tagOf(event) === "user_message_chunk";
}

function messageV1(
  key: string,
  events: readonly Seen[],
  keys: readonly (string | undefined)[],
): Fields {
  const mine = events.filter((_, index) => keys[index] === key);
  const start = mine.findLastIndex((event) => tagOf(event) === "agent_message_clear");
  const pieces = mine.slice(start + 1).flatMap((event): Piece[] => {
    if (event.type === "prompt") return event.content.map((block) => [block, false]);
    return event.type === "update" ? [[event.update["content"], true]] : [];
  });
  const [kind, messageId] = key.split(/[:#]/);
  const updates = mine.flatMap((event) => ("update" in event ? [event.update] : []));
  return present({
    kind,
    messageId: key.includes(":")
      ? messageId
      : updates.find((one) => one["messageId"])?.["messageId"],
    content: joined(pieces),
    _meta: updates.findLast((one) => one["_meta"] != null)?.["_meta"],
  });
}

const ENTRIES: Readonly<Record<string, readonly [type: string, id: string]>> = {
  tool_call: ["tool_call", "toolCallId"],
  tool_call_update: ["tool_call", "toolCallId"],
  tool_call_content_chunk: ["tool_call", "toolCallId"],
  compaction_update: ["compaction", "compactionId"],
  compaction_summary_chunk: ["compaction", "compactionId"],
  session_message: ["session_message", "messageId"],
  session_message_chunk: ["session_message", "messageId"],
};

/** Type and id of what an event reports besides messages. */
function entryOf(event: Seen): readonly [string, unknown] | undefined {
  const entry = ENTRIES[tagOf(event)];
  if (entry === undefined || event.type !== "update") return undefined;
  return [entry[0], event.update[entry[1]]];
}

/** Whether the thing that an event reports was not there before. */
function appears(events: readonly Seen[], index: number): boolean {
  const name = JSON.stringify(entryOf(events[index]!));
  if (name === undefined) return false;
  return !events.slice(0, index).some((other) => JSON.stringify(entryOf(other)) === name);
}

function timeline(events: readonly Seen[], keys: readonly (string | undefined)[]): unknown[] {
  const all = firsts(keys);
  return events.flatMap((event, index): unknown[] => {
    const key = keys[index];
    if (key !== undefined)
      return keys.indexOf(key) === index ? [["message", all.indexOf(key)]] : [];
    return appears(events, index) ? [entryOf(event)] : [];
  });
}

/** The part that differs between the versions only in how metadata is patched. */
function common(
  updates: readonly Update[],
  last: typeof lastOf,
  meta: (list: readonly Update[]) => unknown,
): Fields {
  const plans = by(updates, "planId", ["plan_update", "plan_removed"], "plan");
  return {
    compactions: by(updates, "compactionId", ["compaction_update", "compaction_summary_chunk"]).map(
      ([compactionId, list]) => {
        const whole = list.filter(({ sessionUpdate }) => sessionUpdate === "compaction_update");
        return present({
          compactionId,
          status: last(whole, "status") ?? "in_progress",
          error: last(whole, "error"),
          summary: contentOf(list, "compaction_update", "summary"),
          _meta: meta(whole),
        });
      },
    ),
    sessionMessages: by(updates, "messageId", ["session_message", "session_message_chunk"]).map(
      ([messageId, list]) => {
        const whole = list.filter(({ sessionUpdate }) => sessionUpdate === "session_message");
        return present({
          messageId,
          senderSessionId: last(whole, "senderSessionId"),
          content: contentOf(list, "session_message", "content"),
          _meta: meta(whole),
        });
      },
    ),
    subagents: by(updates, "sessionId", ["subagent_update"]).map(([sessionId, list]) =>
      present({
        sessionId,
        title: last(list, "title"),
        additionalDirectories: last(list, "additionalDirectories"),
        _meta: meta(list),
      }),
    ),
    plans: plans
      .map(([planId, list]) => {
        const start = list.findLastIndex(({ sessionUpdate }) => sessionUpdate === "plan_removed");
        return [planId, list.slice(start + 1)] as const;
      })
      .filter(([, list]) => list.length > 0)
      .sort(([, a], [, b]) => updates.indexOf(a[0]!) - updates.indexOf(b[0]!))
      .map(([planId, list]) => [planId, list.at(-1)]),
    notices: updates.filter(({ sessionUpdate }) => sessionUpdate === "notice"),
  };
}

function odd(events: readonly Seen[]): Fields {
  const others = events.flatMap((event) => (event.type === "odd" ? [event.update] : []));
  const notices = events.filter((event) => tagOf(event) === "notice");
  return { others, counts: [notices.length, others.length] };
}

function lasts(updates: readonly Update[]): Fields {
  return {
    commands: updates.findLast(
      ({ sessionUpdate }) => sessionUpdate === "available_commands_update",
    ),
    config: updates.findLast(({ sessionUpdate }) => sessionUpdate === "config_option_update"),
  };
}

function isInfo({ sessionUpdate }: Update): boolean {
  return sessionUpdate === "session_info_update";
}

function info(updates: readonly Update[]): Fields {
  const list = updates.filter(isInfo);
  return { title: lastOf(list, "title"), updatedAt: lastOf(list, "updatedAt") };
}

/** The last value of a field; null is also a value. */
function lastOf(list: readonly Update[], field: string): unknown {
  return list.findLast((one) => one[field] !== undefined)?.[field];
}

function mergedMeta(list: readonly Update[]): unknown {
  const start = list.findLastIndex((one) => one["_meta"] === null);
  const changes = list.slice(start + 1).flatMap((one) => (one["_meta"] ?? []) as Fields | []);
  if (changes.length === 0) return undefined;
  return present(Object.assign({}, ...changes) as Fields);
}

/** Content since it was last given as a whole (by `whole`) or cleared (by `clear`). */
function contentOf(
  list: readonly Update[],
  whole: string,
  field: string,
  clear?: string,
): unknown[] {
  const start = list.findLastIndex(
    (one) =>
      one.sessionUpdate === clear || (one.sessionUpdate === whole && one[field] !== undefined),
  );
  const first = (list[start]?.[field] ?? []) as unknown[];
  const later = list.slice(start + 1).filter(({ sessionUpdate }) => sessionUpdate !== whole);
  const pieces: Piece[] = first.map((block) => [block, false]);
  for (const { content, sessionUpdate } of later)
    // The results of a tool call are items, not blocks of a text.
    if (sessionUpdate.endsWith("_chunk"))
      pieces.push([content, sessionUpdate !== "tool_call_content_chunk"]);
  return joined(pieces);
}

function joined(pieces: readonly Piece[]): unknown[] {
  return pieces.reduce<unknown[]>((blocks, [block, isChunk]) => {
    const texts = [blocks.at(-1), block].map(plainText);
    return isChunk && texts.every((text) => text !== undefined)
      ? [...blocks.slice(0, -1), { type: "text", text: texts.join("") }]
      : [...blocks, block];
  }, []);
}

function plainText(block: unknown): string | undefined {
  const { type, text, annotations, _meta, ...rest } = (block ?? {}) as Fields;
  const isPlain = type === "text" && annotations == null && _meta == null;
  return isPlain && Object.keys(rest).length === 0 ? (text as string) : undefined;
}

/** The updates of some kinds by an id, in order of appearance. */
function by(
  updates: readonly Update[],
  id: string,
  tags: readonly string[],
  inside?: string,
): [id: string, list: Update[]][] {
  const idOf = (one: Update): unknown =>
    one[id] ?? (inside === undefined ? undefined : (one[inside] as Fields)[id]);
  const relevant = updates.filter(({ sessionUpdate }) => tags.includes(sessionUpdate));
  return [...new Set(relevant.map(idOf))].map((value) => [
    value as string,
    relevant.filter((one) => idOf(one) === value),
  ]);
}

function updatesOf(events: readonly Seen[]): Update[] {
  return events.flatMap((event) => (event.type === "update" ? [event.update] : []));
}

function tagOf(event: Seen): string {
  return event.type === "update" ? event.update.sessionUpdate : "";
}

function firsts(keys: readonly (string | undefined)[]): string[] {
  return [...new Set(keys.filter((key) => key !== undefined))];
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}
