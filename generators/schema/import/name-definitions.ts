import { isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { jsonPointer, nearest, shellWord } from "../problem.js";
import type { Refuse } from "./combinations.js";
import { findReferences, HOLDERS, type Reference } from "./find-references.js";
import { KEYWORDS } from "../json-schema/keywords.js";
import { objectOf } from "./intersect.js";
import { partAt, type Path } from "../json-schema/walk.js";

/** The definitions of a document, by names that types can have. */
export interface NamedDefinitions {
  /** Each schema as written, with the place that it stands at. */
  readonly schemas: ReadonlyMap<string, { readonly schema: Json; readonly path: Path }>;
  /** The names that were changed, as written, with the new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The names of the definitions that the `$ref`s of schemas lead to; none for those that lead nowhere. */
  readonly targets: ReadonlyMap<JsonObject, string>;
  /** The schemas with a `$ref` to a document that is not read. */
  readonly unread: ReadonlySet<JsonObject>;
}

/** The names that a root which is a type may have. */
export interface RootNames {
  /** The one that the user gives. */
  readonly given?: string;
  readonly file: string;
}

/** A title with more words is a sentence, not a name. */
const MOST_WORDS = 4;

/** Where an OpenAPI document has its schemas. */
const IN_OPENAPI = ["components", "schemas"];

/** What names of definitions look like. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Finds the definitions of a document: those by name, those in namespaces, the root where it is a
 * type, and parts that references lead to. Names become words in PascalCase; two equal ones get numbers.
 *
 * @param rootNames those that a root may have: the given one, its title unless that is a sentence, its file's
 * @param allowsUnread whether references may lead to documents that are not read
 * @param refuse gets references that lead nowhere
 */
export function nameDefinitions(
  document: JsonObject,
  rootNames: RootNames,
  isEarlyDraft: boolean,
  allowsUnread: boolean,
  refuse: Refuse,
): NamedDefinitions {
  const places = HOLDERS.flatMap((holder) => definitionsIn(document[holder], [holder]));
  const schemas = new Map<string, { schema: Json; path: Path }>();
  const renamed = new Map<string, string>();
  const names = new Map<string, string>();
  const taken = new Set(places.map(({ path }) => lastOf(path)).filter((name) => NAME.test(name)));
  const add = (schema: Json, path: Path, written: string): string => {
    const isOwn = NAME.test(written) && !schemas.has(written);
    const name = isOwn ? written : freeName(pascalCase(path, written), taken);
    taken.add(name);
    schemas.set(name, { schema, path });
    names.set(jsonPointer(path), name);
    if (name !== written) renamed.set(path.slice(1).join("/") || written, name);
    return name;
  };
  for (const { schema, path } of places) add(schema, path, lastOf(path));
  if (isType(document)) {
    const { title } = document;
    const isName = typeof title === "string" && wordsIn(title).length <= MOST_WORDS;
    add(document, [], rootNames.given ?? (isName ? title : rootNames.file));
  }
  const nameAt = (path: Path): string | undefined => {
    const name = names.get(jsonPointer(path));
    const part = partAt(document, path);
    if (name !== undefined || path.length === 0 || !isObject(part)) return name;
    const words = path.filter(
      (token) => !HOLDERS.includes(String(token)) && token !== "properties",
    );
    return add(part, path, words.map((word) => pascalCase([], String(word))).join(""));
  };
  const targets = new Map<JsonObject, string>();
  const unread = new Set<JsonObject>();
  for (const reference of findReferences(document, isEarlyDraft)) {
    const { schema, path, target } = reference;
    const name = typeof target === "string" ? undefined : nameAt(target);
    if (name !== undefined) targets.set(schema, name);
    else if (target === "another document" && allowsUnread && path.length > 0) unread.add(schema);
    else refuseReference(reference, [...names.keys()], refuse);
  }
  for (const holder of HOLDERS)
    if (document[holder] !== undefined && !isObject(document[holder]))
      refuse([holder], "definitions are an object of schemas by name", "Write one.");
  return { schemas, renamed, targets, unread };
}

/** @param pointers those of all definitions */
function refuseReference(
  { path, written, address, target }: Reference,
  pointers: readonly string[],
  refuse: Refuse,
): void {
  const at = [...path, "$ref"];
  if (target === "another document")
    return refuse(
      at,
      `"${written}" is in another document, which is not read`,
      `${howToRead(written, address)}${path.length === 0 ? "." : ", or have it read as any value with --allow unread-refs."}`,
      path.length === 0 ? undefined : { allow: "unread-refs" },
    );
  if (target === "two schemas")
    return refuse(at, `two schemas have the anchor "${written}"`, "Rename one of them.");
  const byLast = new Map(pointers.map((one) => [one.split("/").at(-1)!, one]));
  const last = written.split("/").at(-1)!;
  const near = nearest(last, byLast.keys(), Math.floor(last.length / 3));
  const hint =
    near === undefined
      ? "Add it, or correct the reference."
      : `Did you mean "#${byLast.get(near)}"?`;
  refuse(at, `nothing is at "${written}"`, hint);
}

/** Says what to do about a document that was not read. */
function howToRead(written: string, address: string): string {
  const [name = ""] = written.split("#", 1);
  return URL.canParse(name)
    ? `Download it, and name the file with --ref ${shellWord(`${address}=./${name.split("/").at(-1) || "schema.json"}`)}`
    : `No such file is in or below the folder of the schema; name one with --ref ${shellWord(name)}=<file>`;
}

/** Lists the definitions below a holder; an object without keywords that holds objects is a namespace. */
function definitionsIn(
  holder: Json | undefined,
  path: Path,
): readonly { readonly schema: Json; readonly path: Path }[] {
  if (!isObject(holder)) return [];
  return Object.entries(holder).flatMap(([name, schema]) => {
    const at = [...path, name];
    if (isDocument(schema!))
      return [...HOLDERS.map((one) => [one]), IN_OPENAPI].flatMap((one) =>
        definitionsIn(partAt(schema, one), [...at, ...one]),
      );
    return isNamespace(schema!) ? definitionsIn(schema, at) : [{ schema: schema!, path: at }];
  });
}

/** Whether a schema is a document of its own that only holds definitions. */
function isDocument(schema: Json): schema is JsonObject {
  if (!isObject(schema) || schema["$id"] === undefined) return false;
  const keywords = Object.keys(schema).filter((name) => KEYWORDS[name] !== "text");
  const holding = ["$id", ...HOLDERS, IN_OPENAPI[0]];
  return keywords.every((name) => holding.includes(name));
}

function isNamespace(schema: Json): boolean {
  if (!isObject(schema)) return false;
  const members = Object.entries(schema);
  const isHolder = ([name, value]: readonly [string, Json | undefined]): boolean =>
    isObject(value) && (NAME.test(name) || isNamespace(value));
  return members.length > 0 && members.every(isHolder);
}

/**
 * Whether the root of a document is a type, not only the holder of definitions: where definitions are
 * marked with the methods that they belong to, alternatives are the messages of the protocol.
 */
function isType(document: JsonObject): boolean {
  const definitions = HOLDERS.flatMap((holder) => Object.values(objectOf(document[holder])));
  const isMarked = definitions.some((one) => isObject(one!) && one["x-method"] !== undefined);
  const keywords = ["$ref", "type", "properties", "enum", "const", ...(isMarked ? [] : COMBINING)];
  return keywords.some((keyword) => document[keyword] !== undefined);
}

const COMBINING = ["anyOf", "oneOf", "allOf"];

/** Returns a name of words in PascalCase; a name of a namespace has the words of the namespace where it is taken. */
function pascalCase(path: Path, written: string): string {
  const name = wordsIn(written)
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join("");
  const above = path
    .slice(1, -1)
    .filter((token) => !HOLDERS.includes(String(token)))
    .map((token) => pascalCase([], String(token)));
  const whole = NAME.test(written) ? `${above.join("")}${name}` : name;
  return NAME.test(whole) ? whole : `Type${whole}`;
}

function wordsIn(text: string): readonly string[] {
  return text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

/** Returns a name that is not taken: the given one, with a number where it is. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}${count}`)) count++;
  return `${name}${count}`;
}

function lastOf(path: Path): string {
  return String(path.at(-1));
}
