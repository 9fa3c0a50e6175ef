import type { Language } from "../../output/languages.js";
import { propertyPath } from "../../model/parts/name-parts.js";
import { pascalCase, wordsOf } from "../../model/parts/words.js";
import { InputError } from "../../schema/problem.js";
import type { Part, RecordPart } from "../../model/parts/part.js";
import type { Method, Protocol } from "../../model/protocol.js";
import { methodKey, type MethodId } from "../../schema/source/method-key.js";
import { isVendorName, type MethodSide } from "../../schema/source/sources.js";
import { relayedNames } from "../../model/relayed.js";

const KEYWORDS =
  `False None True and as assert async await break class continue def del elif else except finally for from
  global if import in is lambda nonlocal not or pass raise return try while with yield match case type`.split(
    /\s+/,
  );

/** Keywords that are names in an import. */
const SOFT_KEYWORDS = ["case", "match", "type"];

/**
 * The names that every module has without an import. A definition would hide them, or not: mypy
 * takes the builtin where the definition stands below its use.
 */
const BUILTINS =
  `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
  BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
  ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
  EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning
  GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError
  KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
  NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
  ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError
  RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError
  TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any
  ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr
  dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex
  id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open
  ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super
  tuple vars zip`.split(/\s+/);

/** Names that the modules of types and schemas import or declare. */
const MODULE_NAMES =
  `Any Codec Decoder Encoder Encoders Final Literal Message Open Schema TYPE_CHECKING TypeAlias UNSET Union Unknown
  Unset annotations field final`.split(/\s+/);

/** Names that annotations in a class use, and properties of every message. */
const ATTRIBUTES =
  "Any Literal Open UNSET Unset bool dict extra field float int list mro str".split(" ");

/** Members of the base classes of roles, connected sides and proxies, and of what is derived from them. */
const ROLE_MEMBERS =
  `advertised agent authenticate_again call_extension calls change_initialize client continue_session extensions
  handle_extension handled handler_of intercept intercepts limits list_sessions load_session new_session notify notify_extension on_error on_notes
  handshake params_of peer_of position_encoding position_encodings request resume_session session session_store stats supports unknown
  wait_closed while_busy`.split(/\s+/);

const RESERVED_TYPES = new Set([...KEYWORDS, ...BUILTINS, ...MODULE_NAMES]);
const RESERVED_ATTRIBUTES = new Set([...KEYWORDS.filter((word) => word !== "type"), ...ATTRIBUTES]);

/** The names of parts, properties and handlers in Python. */
export interface PythonNames {
  /** Returns the name of a part's class or alias. */
  readonly typeOf: (part: string) => string;
  /** Returns the attribute of a property, by the record that declares it. */
  readonly attributeOf: (record: string, property: string) => string;
  /** Names that have a number or an underscore, since something else has the same, by path. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Returns the name of the handler of a method, and of the call: `session_set_mode`. */
  readonly handlerOf: (method: MethodId) => string;
  /** Returns whether a part is an enumeration that is closed where one sends it. */
  readonly isClosed: (part: string) => boolean;
}

/** Prepares the names of all parts: distinct, no keywords, and classes named as definitions are. */
export function createNames(
  parts: ReadonlyMap<string, Part>,
  protocol: Pick<Protocol, "definitions" | "methods">,
): PythonNames {
  const types = new Map<string, string>();
  const taken = new Set(RESERVED_TYPES);
  const legal = [...parts.keys()].filter((name) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name));
  const others = [...parts.keys()].filter((name) => !legal.includes(name));
  const renamed = new Map<string, string>();
  const claimFor = (path: string, name: string, used: Set<string>, prefix?: string): string => {
    const claimed = claim(name, used, prefix);
    if (claimed !== name) renamed.set(path, claimed);
    return claimed;
  };
  const declare = (name: string, own: string): unknown =>
    types.set(name, claimFor(parts.get(name)!.path.join("/"), own, taken));
  for (const name of legal) declare(name, name);
  for (const name of others) declare(name, startingWithLetter(name));
  const attributes = new Map<string, ReadonlyMap<string, string>>();
  const attributesOf = (name: string): ReadonlyMap<string, string> => {
    const known = attributes.get(name);
    if (known !== undefined) return known;
    const record = parts.get(name) as RecordPart;
    const inherited = record.base === undefined ? new Map() : attributesOf(record.base);
    const own = new Map<string, string>(inherited);
    // In a class, the name of a type that is an attribute as well is the attribute.
    const used = new Set([...RESERVED_ATTRIBUTES, ...types.values(), ...own.values()]);
    const properties = [...record.tags, ...record.fields].map(({ name: property }) => property);
    for (const property of properties)
      if (!own.has(property))
        own.set(
          property,
          claimFor(
            propertyPath(record.path, property),
            record.words.get(property)!.join("_"),
            used,
            "field",
          ),
        );
    attributes.set(name, own);
    return own;
  };
  for (const { kind, name } of parts.values()) if (kind === "record") attributesOf(name);
  const handlers = handlerNames(protocol.methods);
  const closed = closedEnums(parts, protocol);
  return {
    renamed,
    typeOf: (part) => types.get(part)!,
    attributeOf: (record, property) => attributesOf(record).get(property)!,
    handlerOf: (method) => handlers.get(methodKey(method))!,
    isClosed: (part) => closed.has(part),
  };
}

/** Returns the names of all handlers: distinct on each side, first those of the protocol. */
function handlerNames(methods: readonly Method[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<MethodSide, Set<string>>();
  const published = methods.filter(({ name }) => !isVendorName(name));
  const vendors = methods.filter(({ name }) => isVendorName(name));
  for (const method of [...published, ...vendors]) {
    const used = taken.get(method.side) ?? new Set([...KEYWORDS, ...ROLE_MEMBERS]);
    taken.set(method.side, used);
    // Sessions have the methods of the protocol under the rest of their names.
    if (isVendorName(method.name))
      for (const name of [...used]) used.add(name.replace(/^session_/, ""));
    const words = method.handler.flatMap((part) => wordsOf(part));
    names.set(methodKey(method), claim(words.join("_"), used, "method"));
  }
  return names;
}

function startingWithLetter(name: string): string {
  const words = pascalCase(wordsOf(name));
  return /^\p{L}/u.test(words) ? words : `Type${words}`;
}

/** Takes a name, or the same name with an underscore and a number. */
function claim(name: string, taken: Set<string>, prefix = "Type"): string {
  const start = /^\p{L}/u.test(name) ? name : `${prefix}_${name}`;
  let claimed = start;
  for (let count = 1; taken.has(claimed); count++) claimed = `${start}_${count === 1 ? "" : count}`;
  taken.add(claimed);
  return claimed;
}

/** The name of the target, and of its options. */
export const LANGUAGE = "python" satisfies Language;

/** Returns whether a name is a keyword of Python anywhere. */
export function isKeyword(name: string): boolean {
  return KEYWORDS.includes(name) && !SOFT_KEYWORDS.includes(name);
}

/** Returns the name of a profile's subpackage: `v1_unstable`. */
export function subpackageName(profile: string): string {
  return profile.replace(/[^A-Za-z0-9]/g, "_");
}

/**
 * Refuses a name that no program could import.
 *
 * @param what how the message names it
 * @throws InputError for a keyword
 */
export function checkModule(what: string, name: string): void {
  if (!isKeyword(name)) return;
  const message = `${what} is a keyword of Python, which no program can import`;
  throw new InputError([{ message, hint: "Choose another name." }], "usage");
}

/**
 * Returns the names of the enumerations that take only listed texts from a program. Receivers keep
 * other texts, so what one reads may be any. Enumerations that both sides receive are open: what came
 * from one may be sent to the other.
 */
function closedEnums(
  parts: ReadonlyMap<string, Part>,
  { definitions, methods }: Pick<Protocol, "definitions" | "methods">,
): ReadonlySet<string> {
  const relayed = relayedNames(definitions, methods);
  const closed = [...parts.values()].filter(
    (part) =>
      part.kind === "alias" &&
      part.shape.kind === "enum" &&
      part.shape.type === "string" &&
      part.shape.values.length > 0 &&
      part.shape.open === undefined &&
      !relayed.has(part.path[0]!),
  );
  return new Set(closed.map(({ name }) => name));
}
