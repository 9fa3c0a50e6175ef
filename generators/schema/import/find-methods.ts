import type { Json, JsonObject, JsonSchema } from "../json-schema/json.js";
import { referencedName, type Definitions } from "../json-schema/references.js";
import type { Path } from "../json-schema/walk.js";
import type { MethodKind } from "../source/sources.js";

/** The sides of a protocol whose methods are found by their messages. */
export type RoleSide = "agent" | "client";

/** What a mapping file says about a method; it precedes what the schema says. */
export interface MethodDecision {
  /** The side that handles it. */
  readonly side?: RoleSide | "both";
  /** The definition of its params. */
  readonly params?: string;
  /** The definition of its result. */
  readonly result?: string;
}

/** Decisions by the names of methods. */
export type MethodDecisions = { readonly [method: string]: MethodDecision };

/** A method that messages of a schema name by a constant. */
export interface FoundMethod {
  readonly name: string;
  readonly side: RoleSide;
  readonly kind: MethodKind;
  readonly params: string;
  readonly result?: string;
  readonly description?: string;
  /** The place of its message. */
  readonly path: Path;
}

/** Why something about a method is not known. All but `result` leave it out. */
export type UndecidedPart = "side" | "params" | "messages" | "result";

/** The names of methods by what is not known about them. */
export type Undecided = { readonly [part in UndecidedPart]?: readonly string[] };

export interface FoundMethods {
  /** The schema, in which params that were written in their message are definitions. */
  readonly document: JsonSchema;
  readonly methods: readonly FoundMethod[];
  readonly undecided: Undecided;
  /** The names and kinds of all methods, whether or not they were decided. */
  readonly named: readonly Pick<FoundMethod, "name" | "kind">[];
  /** The definitions that were made, with the places that they come from. */
  readonly made: ReadonlyMap<string, Path>;
}

/** A message that names its method. */
interface Message {
  readonly method: string;
  readonly kind: MethodKind;
  /** Its definition; absent for one that is written in a union. */
  readonly name?: string;
  readonly schema: JsonSchema;
  readonly path: Path;
}

/** The handling side by the sender that the name of a union starts with. */
const HANDLERS: { readonly [sender: string]: RoleSide } = {
  Client: "agent",
  Server: "client",
  Agent: "client",
};

/**
 * Finds the methods of a schema whose messages name them by a constant, `properties.method`, and
 * whose unions say who sends them: `ClientRequest` has the requests of the client, which the other side
 * handles. A request named `XRequest` has the result `XResult` or `XResponse`.
 *
 * @param schema a document in the forms of the dialect
 * @param decisions what is known about methods otherwise; its names exist
 */
export function findMethods(schema: JsonSchema, decisions: MethodDecisions = {}): FoundMethods {
  const { $defs = {} } = schema;
  const { messages, handlers } = findMessages($defs);
  const params = new ParamsDefinitions($defs);
  const undecided = new Map<UndecidedPart, string[]>();
  const note = (part: UndecidedPart, name: string): readonly FoundMethod[] => {
    undecided.set(part, [...(undecided.get(part) ?? []), name]);
    return [];
  };
  const methods = [...messages].flatMap(([key, all]): readonly FoundMethod[] => {
    // A definition has a name that others refer to.
    const message = all.find(({ name }) => name !== undefined) ?? all[0]!;
    const { method: name, kind } = message;
    const decision = Object.hasOwn(decisions, name) ? decisions[name]! : {};
    const sides = decision.side === undefined ? handlers.get(key) : sidesOf(decision.side);
    if (sides === undefined) return note("side", name);
    const isOne = new Set(all.map((one) => JSON.stringify(paramsOf(one.schema)))).size === 1;
    if (!isOne && decision.params === undefined) return note("messages", name);
    const own = decision.params ?? params.nameOf(message);
    if (own === undefined) return note("params", name);
    const result =
      kind === "request" ? (decision.result ?? resultOf(message, own, $defs)) : undefined;
    if (kind === "request" && result === undefined) note("result", name);
    const { description } = message.schema;
    return [...sides].map((side) => ({
      ...{ name, side, kind, params: own, path: message.path },
      ...(result !== undefined && { result }),
      ...(description !== undefined && { description }),
    }));
  });
  return {
    document: params.document(schema),
    methods: methods.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    undecided: Object.fromEntries([...undecided].map(([part, names]) => [part, names.sort()])),
    named: [...messages.values()].flatMap((all) =>
      all.slice(0, 1).map(({ method: name, kind }) => ({ name, kind })),
    ),
    made: params.places,
  };
}

function sidesOf(side: RoleSide | "both"): ReadonlySet<RoleSide> {
  return new Set(side === "both" ? (["agent", "client"] as const) : [side]);
}

/** Methods of the agent come first, requests before notifications. */
function orderOf({ side, kind, name }: FoundMethod): string {
  return `${side} ${kind === "request" ? 0 : 1} ${name}`;
}

/** Finds all messages, by kind and method, and the sides that handle them. */
function findMessages($defs: Definitions): {
  readonly messages: ReadonlyMap<string, readonly Message[]>;
  readonly handlers: ReadonlyMap<string, ReadonlySet<RoleSide>>;
} {
  const messages = new Map<string, Message[]>();
  const handlers = new Map<string, Set<RoleSide>>();
  const add = (message: Message): string => {
    const key = `${message.kind} ${message.method}`;
    const others = messages.get(key) ?? [];
    if (!others.some(({ schema }) => schema === message.schema))
      messages.set(key, [...others, message]);
    return key;
  };
  for (const [name, schema] of Object.entries($defs)) {
    const path = ["$defs", name];
    const [, sender, word] = /^(Client|Server|Agent)(Request|Notification)$/.exec(name) ?? [];
    if (sender === undefined) {
      const method = methodOf(schema);
      const kind = method === undefined ? undefined : kindOf(name, schema);
      if (method !== undefined && kind !== undefined) add({ method, kind, name, schema, path });
      continue;
    }
    const kind = word === "Request" ? "request" : "notification";
    for (const member of membersOf(schema, path, $defs)) {
      const key = add({ ...member, kind });
      handlers.set(key, (handlers.get(key) ?? new Set<RoleSide>()).add(HANDLERS[sender]!));
    }
  }
  return { messages, handlers };
}

/** Returns the constant by which a message names its method. */
function methodOf({ properties, required = [] }: JsonSchema): string | undefined {
  const { const: only, enum: listed = [] } = properties?.["method"] ?? {};
  const value = only ?? (listed.length === 1 ? listed[0] : undefined);
  return typeof value === "string" && required.includes("method") ? value : undefined;
}

/** Returns the kind of message that a definition is; undefined for one that only has a `method`. */
function kindOf(name: string, { properties = {} }: JsonSchema): MethodKind | undefined {
  const [word] = /(Request|Notification)$/.exec(name) ?? [];
  const isMessage = "jsonrpc" in properties || (word !== undefined && "params" in properties);
  if (!isMessage) return undefined;
  if (word !== undefined) return word === "Request" ? "request" : "notification";
  return "id" in properties ? "request" : "notification";
}

/** Returns the messages that are alternatives of a union, or the only one. */
function membersOf(
  schema: JsonSchema,
  path: Path,
  $defs: Definitions,
  followed: readonly string[] = [],
): readonly Omit<Message, "kind">[] {
  const target = targetOf(schema);
  if (target !== undefined) {
    const definition = Object.hasOwn($defs, target) ? $defs[target] : undefined;
    if (definition === undefined || followed.includes(target)) return [];
    const found = membersOf(definition, ["$defs", target], $defs, [...followed, target]);
    return found.map((one) => (one.schema === definition ? { ...one, name: target } : one));
  }
  const method = methodOf(schema);
  if (method !== undefined) return [{ method, schema, path }];
  return (["anyOf", "oneOf"] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).flatMap((one, index) =>
      membersOf(one, [...path, keyword, index], $defs, followed),
    ),
  );
}

/** Returns the definition that a schema stands for, also with a text or a tag beside the reference. */
function targetOf(schema: JsonSchema): string | undefined {
  const [only, ...others] = schema.allOf ?? [];
  return (
    referencedName(schema) ??
    (only !== undefined && others.length === 0 ? referencedName(only) : undefined)
  );
}

/** Returns the params of a message without `null`; undefined where it has none. */
function paramsOf({ properties }: JsonSchema): JsonSchema | undefined {
  const params = properties?.["params"];
  const alternatives = params?.anyOf ?? [];
  const others = alternatives.filter(({ type }) => type !== "null");
  if (params?.type === "null") return undefined;
  return others.length === 1 && others.length < alternatives.length ? others[0] : params;
}

/** The definitions of params, with those that are made. */
class ParamsDefinitions {
  readonly places = new Map<string, Path>();
  readonly #definitions: Definitions;
  readonly #made = new Map<string, JsonSchema>();
  /** The places where a made definition takes the place of a schema, by its name. */
  readonly #replaced = new Map<string, Path>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Returns the name of the definition of a message's params; undefined for those that have no form. */
  nameOf(message: Message): string | undefined {
    const params = paramsOf(message.schema);
    if (params === undefined) return this.#make(message, { type: "object" }, message.path);
    const target = targetOf(params);
    if (target !== undefined) return target;
    const isObject = params.type === "object" || params.anyOf !== undefined;
    if (!isObject || params !== message.schema.properties?.["params"]) return undefined;
    const path = [...message.path, "properties", "params"];
    const name = this.#make(message, params, path);
    this.#replaced.set(name, path);
    return name;
  }

  /** Returns a document with the made definitions, and references in their places. */
  document(schema: JsonSchema): JsonSchema {
    let document: Json = schema as Json;
    for (const [name, path] of this.#replaced)
      document = replaceAt(document, path, { $ref: `#/$defs/${name}` });
    const { $defs } = document as JsonSchema;
    return { ...(document as JsonSchema), $defs: { ...$defs, ...Object.fromEntries(this.#made) } };
  }

  #make({ name, method, kind }: Message, schema: JsonSchema, path: Path): string {
    const base = `${name ?? wordsOf(method, kind)}Params`;
    let own = base;
    const isTaken = (): boolean => Object.hasOwn(this.#definitions, own) || this.#made.has(own);
    for (let count = 2; isTaken(); count++) own = `${base}${count}`;
    this.#made.set(own, schema);
    this.places.set(own, path);
    return own;
  }
}

/** Returns a document with another part at a place that it has. */
function replaceAt(part: Json, [token, ...rest]: Path, value: Json): Json {
  if (token === undefined) return value;
  const entries = Object.entries(part as JsonObject).map(([key, one]): [string, Json] => [
    key,
    key === String(token) ? replaceAt(one!, rest, value) : one!,
  ]);
  return Array.isArray(part) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/** `thread/start` becomes `ThreadStartRequest`. */
function wordsOf(method: string, kind: MethodKind): string {
  const words = [...method.split(/[^A-Za-z0-9]+/), kind].filter((word) => word !== "");
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

/** Returns the definition that is named like the result of a request. */
function resultOf({ name }: Message, params: string, $defs: Definitions): string | undefined {
  const stem =
    name === undefined
      ? /^(.+?)(?:Request)?Params$/.exec(params)?.[1]
      : name.replace(/Request$/, "");
  if (stem === undefined || stem === "") return undefined;
  return [`${stem}Result`, `${stem}Response`].find(
    (one) => Object.hasOwn($defs, one) && !isEnvelope($defs[one]!, $defs),
  );
}

/** Checks whether a definition is a whole message, in which the result is a property. */
function isEnvelope(schema: JsonSchema, $defs: Definitions): boolean {
  const parts = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return parts.some((part) => {
    const target = targetOf(part);
    const { properties = {} } = target === undefined ? part : ($defs[target] ?? {});
    return "jsonrpc" in properties;
  });
}
