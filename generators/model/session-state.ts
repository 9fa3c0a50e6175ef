import type { Json, StateChange } from "../schema/json-schema/json.js";
import { ownFields } from "./map-shape.js";
import type { Definition, Method, Protocol } from "./protocol.js";
import { updateUnion } from "./update-union.js";
import type { Shape } from "./shape.js";

/** How messages change the state of a session: the `x-state` of a schema, and what it leaves out. */
export interface StateTable {
  /** By the tag of an update: its changes, none for one that changes nothing. */
  readonly updates: { readonly [tag: string]: readonly UpdateChange[] };
  /** By method: the parts of its messages that are folded as an update that says the same. */
  readonly messages: { readonly [method: string]: readonly MessageChange[] };
  /** The parts of the state, by the name of the target. */
  readonly targets: { readonly [target: string]: StateTarget };
  /** Whether a patch changes `_meta` by top-level key; otherwise it replaces `_meta`. */
  readonly mergesMeta: boolean;
}

/** A change by an update; see `StateChange`. Paths are lists of names. */
export interface UpdateChange {
  readonly action: StateChange["action"];
  readonly target: string;
  readonly id?: readonly string[];
  readonly field?: readonly string[];
  readonly value?: readonly string[];
}

/** A value in a message, and the update that would report it. */
export interface MessageChange {
  readonly part: "params" | "result";
  readonly from: readonly string[];
  /** The tag of the update; absent if the value itself is the part of the state. */
  readonly tag?: string;
  /** The property of the update that has the value; absent if the value is the update without its tag. */
  readonly as?: string;
  readonly target: string;
  /** The value is a list, and an absent one is empty. */
  readonly isList?: true;
}

/** One part of the state. */
export interface StateTarget {
  /** The property of the state, a map where updates have ids. */
  readonly part: string;
  /** The property that has the id. */
  readonly id?: string;
  /** The kind of message: messages of all kinds are one list. */
  readonly kind?: string;
  /** Chunks may lack the id. */
  readonly isIdOptional?: true;
  /** The type of the entries in the timeline; absent for what has no place in it. */
  readonly entry?: string;
  /** The list that chunks are appended to. */
  readonly list?: string;
  /** The property with base64 data that chunks are appended to. */
  readonly bytes?: string;
  /** Adjacent blocks of plain text in the list are joined. */
  readonly joins?: true;
  /** The values of properties that are not reported, or `null`. */
  readonly defaults?: { readonly [property: string]: Json };
  /** The properties that are lists, empty if they are not reported, or `null`. */
  readonly lists?: readonly string[];
  /** The properties that a `null` in an update does not change. */
  readonly keepsNull?: "all" | "_meta";
  /** The part is the last update, with patches applied; otherwise an item with a revision. */
  readonly isUpdate?: true;
  /** The part is the value in the last update that has it. */
  readonly isValue?: true;
}

type Own = Partial<StateTarget>;

const MESSAGE = { part: "messages", entry: "message", joins: true } as const;

/** What the schemas leave out. A target without a row is a part named as the target. */
const OWN: Readonly<Record<string, Own>> = {
  userMessage: { ...MESSAGE, kind: "user_message" },
  agentMessage: { ...MESSAGE, kind: "agent_message" },
  agentThought: { ...MESSAGE, kind: "agent_thought" },
  sessionMessage: { part: "sessionMessages", entry: "session_message", joins: true },
  toolCall: {
    part: "toolCalls",
    entry: "tool_call",
    list: "content",
    lists: ["content", "locations"],
  },
  compaction: {
    part: "compactions",
    entry: "compaction",
    joins: true,
    defaults: { status: "in_progress" },
  },
  terminal: { part: "terminals" },
  subagent: { part: "subagents" },
  cursor: { part: "cursors" },
  plan: { part: "plans" },
  entryPlan: { part: "plan" },
  availableCommands: { part: "commands" },
  configOptions: { part: "config" },
  promptSuggestions: { part: "suggestions" },
  sessionInfo: { part: "info" },
  usage: { part: "usage", isUpdate: true },
  turnUsage: { isValue: true },
};

/** The same for one version only. */
const OWN_OF_VERSION: Readonly<Record<number, Readonly<Record<string, Own>>>> = {
  1: {
    userMessage: { isIdOptional: true },
    agentMessage: { isIdOptional: true },
    agentThought: { isIdOptional: true },
    toolCall: { keepsNull: "all" },
    sessionInfo: { keepsNull: "_meta" },
  },
  2: { toolCall: { defaults: { kind: "other", status: "pending" } } },
};

/** The updates that change nothing, but are kept. */
const KEPT: Readonly<Record<string, UpdateChange>> = {
  notice: { action: "append", target: "notices" },
};

/** What a property changes that a feature adds to a definition, which upstream does not say. */
const ADDED: Readonly<Record<string, UpdateChange>> = {
  PromptResponse: { action: "replace", target: "turnUsage", value: ["usage"] },
  IdleStateUpdate: { action: "replace", target: "turnUsage", value: ["usage"] },
};

/** The updates that have a definition as a variant. */
const ADDED_TO: Readonly<Record<string, string>> = { state_update: "IdleStateUpdate" };

/** Returns how the messages of a protocol change the states of its sessions. */
export function stateTable(protocol: Protocol): StateTable {
  const variants = updateUnion(protocol)?.shape.variants ?? [];
  const updates = Object.fromEntries(
    variants.flatMap(({ value, state }) => {
      if (state === undefined) return [];
      const changes = changesOf(value, state.session ?? []);
      return [[value, [...changes, ...addedTo(ADDED_TO[value], protocol)]]];
    }),
  );
  const messages = protocol.methods.flatMap((method): [string, MessageChange[]][] => {
    const changes = messageChanges(method, protocol, updates);
    return changes.length === 0 ? [] : [[method.name, changes]];
  });
  const all = [...Object.values(updates), ...messages.map(([, changes]) => changes)].flat();
  const targets = [...new Set(all.map(({ target }) => target))].sort();
  const changes = Object.values(updates).flat();
  return {
    updates,
    messages: Object.fromEntries(messages),
    targets: Object.fromEntries(
      targets.map((target) => [target, targetOf(target, changes, protocol.versionNumber)]),
    ),
    mergesMeta: protocol.versionNumber > 1,
  };
}

/** Returns the changes by an update with their paths as lists of names. */
export function changesOf(tag: string, changes: readonly StateChange[]): UpdateChange[] {
  if (changes.length === 0) return KEPT[tag] === undefined ? [] : [KEPT[tag]];
  return changes.map(({ action, target, id, field, value }) => ({
    action,
    target,
    ...(id !== undefined && { id: id.split(".") }),
    ...(field !== undefined && { field: field.split(".") }),
    ...(value !== undefined && { value: value.split(".") }),
  }));
}

function targetOf(target: string, changes: readonly UpdateChange[], version: number): StateTarget {
  const own = changes.filter((change) => change.target === target);
  const id = own.find(({ action, id }) => action !== "remove" && id !== undefined)?.id;
  const field = own.find(({ action }) => action === "append")?.field;
  const isPatched = own.some(({ action }) => action === "append" || action === "upsert");
  return {
    part: target,
    ...(id && { id: id.at(-1)! }),
    ...(field &&
      (field.length === 1 ? { list: field[0]!, lists: [field[0]!] } : { bytes: field[0]! })),
    ...(!isPatched && { isUpdate: true as const }),
    ...OWN[target],
    ...OWN_OF_VERSION[version]?.[target],
  };
}

/** Returns what a property of a definition changes, if a feature has added it. */
function addedTo(definition: string | undefined, { definitions }: Protocol): UpdateChange[] {
  const change = ADDED[definition ?? ""];
  const fields = definitions.find(({ name }) => name === definition)?.shape;
  const isOn = fields && ownFields(fields).some(({ name }) => name === change?.value?.[0]);
  return change !== undefined && isOn ? [change] : [];
}

/** Finds, for each change by a message, the update that would make it. */
function messageChanges(
  method: Method,
  protocol: Protocol,
  updates: StateTable["updates"],
): MessageChange[] {
  return (["params", "result"] as const).flatMap((part) => {
    const definition = protocol.definitions.find(({ name }) => name === method[part]);
    const changes = changesOf(method.name, definition?.state?.session ?? []);
    return [...changes, ...addedTo(definition?.name, protocol)].map((change) => {
      const { target, field, value } = change;
      const from = value ?? [];
      const update = Object.entries(updates).find(([, [one]]) => one && isSame(one, change));
      const as =
        field?.[0] ?? (change.action === "replace" ? update?.[1][0]?.value?.[0] : undefined);
      return {
        part,
        from,
        ...(update && { tag: update[0] }),
        ...(as !== undefined && { as }),
        target,
        ...(isListAt(definition!, from) && { isList: true as const }),
      };
    });
  });
}

/** Returns whether an update can make the change of another message. */
function isSame({ action, target, field }: UpdateChange, other: UpdateChange): boolean {
  const isPatch = action === "upsert" && (other.action === "upsert" || other.field !== undefined);
  return target === other.target && field === undefined && (isPatch || action === other.action);
}

function isListAt(definition: Definition, [name, ...more]: readonly string[]): boolean {
  const shape: Shape | undefined = ownFields(definition.shape).find(
    (one) => one.name === name,
  )?.shape;
  return more.length === 0 && shape?.kind === "list";
}
