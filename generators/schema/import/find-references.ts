import { VALUES } from "../json-schema/key-order.js";
import { isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { partAt, type Path } from "../json-schema/walk.js";
import { parsePointer } from "../problem.js";

/** Keywords that hold definitions by name. */
export const HOLDERS = ["$defs", "definitions"];

/** Keywords that hold schemas by names, which may be those of keywords. */
export const BY_NAME = ["properties", "patternProperties", "dependentSchemas", ...HOLDERS];

/** A schema with a `$ref`. */
export interface Reference {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly written: string;
  /** The address of the document that it names. */
  readonly address: string;
  /** Where it leads to: the path, or what is wrong with it. */
  readonly target: Path | "another document" | "two schemas" | "nowhere";
}

/** The address of a document that has none. */
const NO_ADDRESS = "https://schema.invalid/folder/";

/**
 * Finds where the references of a document lead to: `$id` is the address of a schema and of what is in
 * it, `$anchor` a name in it (JSON Schema 2020-12, section 8.2). Up to draft-07, an `$id` of a fragment
 * is an anchor, and has no effect beside a `$ref`.
 */
export function findReferences(document: JsonObject, isEarlyDraft: boolean): readonly Reference[] {
  const schemas = new Map<string, Path>([[NO_ADDRESS, []]]);
  const anchors = new Map<string, Path | "two schemas">();
  const found: (Omit<Reference, "target" | "address"> & { readonly base: string })[] = [];

  const visit = (value: Json, path: Path, base: string): void => {
    if (Array.isArray(value))
      return (value as readonly Json[]).forEach((one, index) => visit(one, [...path, index], base));
    if (!isObject(value)) return;
    const { $id, $anchor, $ref } = value;
    const id = !isEarlyDraft ? $id : $ref === undefined ? ($id ?? value["id"]) : undefined;
    const isFragment = typeof id === "string" && id.startsWith("#");
    const own = typeof id === "string" && !isFragment ? addressOf(id, base) : base;
    if (own !== base) schemas.set(own, path);
    for (const name of [isFragment ? id.slice(1) : undefined, $anchor]) {
      if (typeof name !== "string" || name === "") continue;
      const anchor = `${own}#${name}`;
      anchors.set(anchor, anchors.has(anchor) ? "two schemas" : path);
    }
    if (typeof $ref === "string") found.push({ schema: value, path, written: $ref, base: own });
    for (const [keyword, part] of Object.entries(value)) {
      if (VALUES.has(keyword)) continue;
      const at = [...path, keyword];
      if (BY_NAME.includes(keyword) && isObject(part))
        for (const [name, one] of Object.entries(part)) visit(one!, [...at, name], own);
      else visit(part!, at, own);
    }
  };
  visit(document, [], NO_ADDRESS);

  const targetOf = (address: string, fragment: string): Reference["target"] => {
    const root = schemas.get(address);
    if (root === undefined) return "another document";
    const name = decoded(fragment);
    if (name === "") return root;
    if (!name.startsWith("/")) return anchors.get(`${address}#${name}`) ?? "nowhere";
    const path = standing(partAt(document, root), parsePointer(name));
    return path === undefined ? "nowhere" : [...root, ...path];
  };
  return found.map(({ base, ...one }) => {
    const [address = "", fragment = ""] = (resolved(one.written, base) ?? "").split("#");
    return { ...one, address, target: targetOf(address, fragment) };
  });
}

/**
 * Returns the path of an address from the folder of a document, by its `$id`; undefined for one that
 * is not below that folder.
 */
export function pathBelow(document: JsonObject, address: string): string | undefined {
  const { $id = document["id"] } = document;
  const base = typeof $id === "string" ? addressOf($id, NO_ADDRESS) : NO_ADDRESS;
  const folder = new URL(".", base).href;
  return address.startsWith(folder) ? decoded(address.slice(folder.length)) : undefined;
}

/** Whether a document is of a draft in which keywords beside `$ref` have no effect. */
export function isEarlyDraft({ $schema }: JsonObject): boolean {
  return typeof $schema === "string" && /\/draft-0[3-7]\//.test($schema);
}

/** Returns the address that an `$id` gives a schema, without a fragment. */
function addressOf(id: string, base: string): string {
  return (resolved(id, base) ?? base).split("#", 1)[0]!;
}

function resolved(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

/** Returns the path of a part that a schema has; `definitions` and `$defs` stand for each other. */
function standing(schema: Json | undefined, tokens: readonly string[]): Path | undefined {
  const [first = "", ...rest] = tokens;
  const holders = HOLDERS.includes(first) ? [first, ...HOLDERS] : [first];
  return holders
    .map((holder) => [holder, ...rest])
    .find((path) => partAt(schema, path) !== undefined);
}

/** Returns a fragment as it was before it was encoded. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
