import { isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { jsonPointer, parsePointer } from "../problem.js";
import { objectOf } from "./intersect.js";
import { partAt, type Path } from "../json-schema/walk.js";

/** The definitions of a document, by names that types can have. */
export interface NamedDefinitions {
  /** Each schema as written, with the place that it stands at. */
  readonly schemas: ReadonlyMap<string, { readonly schema: Json; readonly path: Path }>;
  /** The names that were changed, as written, with the new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Returns the name of the definition that a `$ref` leads to; undefined where it leads nowhere. */
  readonly nameOf: (ref: string) => string | undefined;
}

/** What names of definitions look like. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/** Keywords that hold definitions by name. */
const HOLDERS = ["$defs", "definitions"];

/**
 * Finds the definitions of a document: those by name, those in namespaces, the root where it is a
 * type, and parts that references lead to. Names become words in PascalCase; two equal ones get numbers.
 *
 * @param fallback the name of a root without a title
 */
export function nameDefinitions(document: JsonObject, fallback: string): NamedDefinitions {
  const places = HOLDERS.flatMap((holder) => definitionsIn(document[holder], [holder]));
  const ids = new Map<string, string>();
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
    const { $id, $anchor } = isObject(schema) ? schema : {};
    if (typeof $id === "string") ids.set($id, name);
    if (typeof $anchor === "string") ids.set(`#${$anchor}`, name);
    return name;
  };
  for (const { schema, path } of places) add(schema, path, lastOf(path));
  if (isType(document)) {
    const { title } = document;
    const root = Object.fromEntries(
      Object.entries(document).filter(([keyword]) => !HOLDERS.includes(keyword)),
    );
    add(root as JsonObject, [], typeof title === "string" ? title : fallback);
  }
  const { $id: own } = document;
  const nameOf = (written: string): string | undefined => {
    const isOwn = typeof own === "string" && written.startsWith(`${own}#`);
    const ref = isOwn ? written.slice(own.length) : written;
    const known = ids.get(ref);
    if (known !== undefined || !ref.startsWith("#")) return known;
    const tokens = parsePointer(decoded(ref.slice(1)));
    const path = standing(document, tokens);
    const name = path && names.get(jsonPointer(path));
    if (name !== undefined || path === undefined || path.length === 0) return name;
    const part = partAt(document, path);
    if (!isObject(part)) return undefined;
    const words = path.filter(
      (token) => !HOLDERS.includes(String(token)) && token !== "properties",
    );
    return add(part, path, words.map((word) => pascalCase([], String(word))).join(""));
  };
  return { schemas, renamed, nameOf };
}

/** Lists the definitions below a holder; an object without keywords that holds objects is a namespace. */
function definitionsIn(
  holder: Json | undefined,
  path: Path,
): readonly { readonly schema: Json; readonly path: Path }[] {
  if (!isObject(holder)) return [];
  return Object.entries(holder).flatMap(([name, schema]) => {
    const at = [...path, name];
    return isNamespace(schema!) ? definitionsIn(schema, at) : [{ schema: schema!, path: at }];
  });
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
  const keywords = ["type", "properties", "enum", "const", ...(isMarked ? [] : COMBINING)];
  return keywords.some((keyword) => document[keyword] !== undefined);
}

const COMBINING = ["anyOf", "oneOf", "allOf"];

/** Returns the path of a part that a document has; `definitions` and `$defs` stand for each other. */
function standing(document: JsonObject, tokens: readonly string[]): Path | undefined {
  const [first, ...rest] = tokens;
  if (first === undefined) return [];
  const holders = HOLDERS.includes(first) ? [first, ...HOLDERS] : [first];
  return holders
    .map((holder) => [holder, ...rest])
    .find((path) => partAt(document, path) !== undefined);
}

/** Returns a name of words in PascalCase; a name of a namespace has the words of the namespace where it is taken. */
function pascalCase(path: Path, written: string): string {
  const words = written.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join("");
  const above = path.slice(1, -1).map((token) => pascalCase([], String(token)));
  const whole = NAME.test(written) ? `${above.join("")}${name}` : name;
  return NAME.test(whole) ? whole : `Type${whole}`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}${count}`)) count++;
  return `${name}${count}`;
}

function lastOf(path: Path): string {
  return String(path.at(-1));
}

/** Returns a pointer of a URL fragment as it was before it was encoded. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
