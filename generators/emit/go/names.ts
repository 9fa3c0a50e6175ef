import type { Language } from "../../output/languages.js";
import type { Part, RecordPart } from "../../model/parts/part.js";
import type { Method, Protocol } from "../../model/protocol.js";
import { propertyPath } from "../../model/parts/name-parts.js";
import { capitalized, wordsOf } from "../../model/parts/words.js";
import { methodKey } from "../../schema/source/method-key.js";
import { takenNames } from "./printed-parts.js";

/** The name of the target. */
export const LANGUAGE = "go" satisfies Language;

/** Words that Go writes in capitals. */
const INITIALISMS = new Set(
  `acl acp api ascii cpu css dns eof fs guid html http https id ide ip json lhs lsp mcp nes os qps ram rhs rpc
  sla smtp sql sse ssh tcp tls ttl udp ui uid uri url utf8 uuid vm xml`.split(/\s+/),
);

/** Names that every package declares. */
const PACKAGE_NAMES = ["Decode", "Encode", "JSON", "Unknown", "Validate", "Value", "Version"];

/** Names that packages with roles declare. */
const ROLE_NAMES =
  `Agent AgentCall AgentHandler AgentSession CheckElicitation Client ClientCall ClientHandler ConnectedAgent
  ConnectedClient Continuation ElicitationDefaults Entry Message MessageKind NewAgent NewClient OpenTerminal OpenToolCall Session State Turn TurnEnd`.split(
    /\s+/,
  );

/** Methods that both sides have as they are called. */
const PEER_MEMBERS =
  `CallExtension Close Continue Done Err Handshake ListSessions NotifyExtension Replay Session Stats Supports`.split(
    " ",
  );

/** Fields and methods that every object has. */
const MEMBERS = ["Extra", "Received", "MarshalJSON", "UnmarshalJSON"];

/** The names of parts, properties and values in Go. */
export interface GoNames {
  /**
   * Returns the name of the type of a part, or of an alternative that is no part. A definition without
   * a type of its own has that of the variant with its name.
   */
  readonly typeOf: (part: string) => string;
  /** Returns whether a name is that of a type. */
  readonly isType: (name: string) => boolean;
  /** Returns the name of a field, by the record that has it. */
  readonly fieldOf: (record: string, property: string) => string;
  /** Returns the name of the constant of a value, from its name in the model. */
  readonly constantOf: (value: string) => string;
  /** Names that have a number, since something else has the same, by path. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Returns the name of the handler of a method, and of the call. */
  readonly handlerOf: (method: Method) => string;
  /** Returns the name of the interface with the handler of a method alone. */
  readonly handlerTypeOf: (method: Method) => string;
}

/**
 * Prepares the names of parts: exported and distinct, definitions first.
 *
 * @param printed the parts that have types
 */
export function createNames(
  parts: ReadonlyMap<string, Part>,
  printed: readonly Part[],
  { methods, initialize }: Pick<Protocol, "methods" | "initialize">,
): GoNames {
  const taken = new Set([...PACKAGE_NAMES, ...(initialize === undefined ? [] : ROLE_NAMES)]);
  const definitions = takenNames(printed);
  const isDefinition = ({ name, path }: Part): boolean =>
    path.length === 1 || definitions.has(name);
  const types = new Map<string, string>();
  const renamed = new Map<string, string>();
  const claimFor = (path: string, name: string, used: Set<string>): string => {
    const claimed = claim(name, used);
    if (claimed !== name) renamed.set(path, claimed);
    return claimed;
  };
  const declare = (name: string): unknown => {
    if (types.has(name)) return;
    const path = parts.get(name)?.path.join("/") ?? name;
    types.set(name, claimFor(path, exported(definitions.get(name) ?? name, "Type"), taken));
  };
  printed.filter(isDefinition).forEach(({ name }) => declare(name));
  printed.forEach(({ name }) => declare(name));
  for (const part of printed)
    if (part.kind === "union") part.alternatives.forEach(({ name }) => declare(name));
  for (const [variant, definition] of definitions) types.set(definition, types.get(variant)!);
  const constants = new Map<string, string>();
  for (const part of printed)
    for (const { name, value } of part.kind === "alias" ? (part.values ?? []) : [])
      constants.set(name, claimFor([...part.path, value].join("/"), exported(name, "Type"), taken));
  const fields = new Map<string, Map<string, string>>();
  const fieldsOf = (name: string): ReadonlyMap<string, string> => {
    const known = fields.get(name);
    if (known !== undefined) return known;
    const record = parts.get(name) as RecordPart;
    const own = new Map(record.base === undefined ? [] : fieldsOf(record.base));
    const used = new Set([...MEMBERS, ...own.values()]);
    for (const { name: property } of record.fields)
      if (!own.has(property))
        own.set(
          property,
          claimFor(
            propertyPath(record.path, property),
            joined(record.words.get(property)!, "Field"),
            used,
          ),
        );
    fields.set(name, own);
    return own;
  };
  for (const { kind, name } of printed) if (kind === "record") fieldsOf(name);
  const declared = new Set(types.values());
  return {
    renamed,
    ...nameHandlers(methods, taken),
    typeOf: (part) => types.get(part)!,
    isType: (name) => declared.has(name),
    fieldOf: (record, property) => fieldsOf(record).get(property)!,
    constantOf: (value) => constants.get(value)!,
  };
}

/** @param taken the names of the package, to which those of the interfaces are added */
function nameHandlers(
  methods: readonly Method[],
  taken: Set<string>,
): Pick<GoNames, "handlerOf" | "handlerTypeOf"> {
  const handlers = new Map<string, string>();
  const handlerTypes = new Map<string, string>();
  const members = { agent: new Set(PEER_MEMBERS), client: new Set(PEER_MEMBERS) };
  for (const method of methods) {
    const used = method.side === "client" ? members.client : members.agent;
    const name = claim(exported(method.handler.join("_"), "Method"), used);
    handlers.set(methodKey(method), name);
    handlerTypes.set(methodKey(method), claim(`${name}Handler`, taken));
  }
  return {
    handlerOf: (method) => handlers.get(methodKey(method))!,
    handlerTypeOf: (method) => handlerTypes.get(methodKey(method))!,
  };
}

/**
 * Returns a name in Go's case: `SessionID` for `sessionId`.
 *
 * @param prefix stands before a name that does not begin with a capital
 */
export function exported(name: string, prefix: string): string {
  return joined(wordsOf(name), prefix);
}

function joined(words: readonly string[], prefix: string): string {
  const name = words.map(wordIn).join("");
  return /^\p{Lu}/u.test(name) ? name : prefix + name;
}

function wordIn(word: string): string {
  if (INITIALISMS.has(word)) return word.toUpperCase();
  if (word.endsWith("s") && INITIALISMS.has(word.slice(0, -1)))
    return `${word.slice(0, -1).toUpperCase()}s`;
  return capitalized(word);
}

/** Takes a name, or the same name with a number. */
export function claim(name: string, taken: Set<string>): string {
  let claimed = name;
  for (let count = 2; taken.has(claimed); count++) claimed = `${name}${count}`;
  taken.add(claimed);
  return claimed;
}

/** Returns the name of a profile's package: `acpv1unstable`. */
export function packageOf(profile: string): string {
  return `acp${profile.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
}
