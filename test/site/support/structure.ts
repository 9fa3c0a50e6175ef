import type { Json, JsonObject, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { jsonPointer, parsePointer } from "../../../generators/schema/problem.js";

// A second opinion on `generators/schema/compare/diff.ts`: nothing of it is used here.

/** One structural difference, as the site's files for programs tell it. */
export interface ReportedChange {
  readonly pointer: string;
  readonly kind: "added" | "removed" | "changed" | "renamed";
  readonly before?: Json;
  readonly after?: Json;
}

const WORDS = ["description", "$schema", "x-docs-ignore"];

/**
 * A schema reduced to what a comparison speaks of: without words, lists that are
 * sets sorted, alternatives by name with their order beside them.
 */
export function structureOf(schema: JsonSchema, isAlternative = false): JsonObject {
  const entries = Object.entries(schema as unknown as JsonObject).flatMap(
    ([keyword, value]): [string, Json][] => {
      if (WORDS.includes(keyword)) return [];
      if (keyword === "title" && (!isAlternative || tagOf(schema) !== undefined)) return [];
      if (keyword === "required" || keyword === "enum") return [[keyword, sortedSet(value)]];
      if (keyword === "not" && isMap(value) && Array.isArray(value["anyOf"]))
        return [
          [keyword, { ...structureOf(value as JsonSchema), anyOf: sortedSet(value["anyOf"]) }],
        ];
      if (keyword === "properties" || keyword === "$defs")
        return [
          [keyword, mapValues(value as JsonObject, (part) => structureOf(part as JsonSchema))],
        ];
      if (keyword === "anyOf" || keyword === "oneOf")
        return [[keyword, alternatives(value as unknown as readonly JsonSchema[])]];
      if (keyword === "allOf")
        return [
          [keyword, (value as readonly Json[]).map((part) => structureOf(part as JsonSchema))],
        ];
      return [
        [keyword, isMap(value) && keyword !== "default" ? structureOf(value as JsonSchema) : value],
      ];
    },
  );
  return Object.fromEntries(entries);
}

/** Every definition under its new name, there and wherever it is referred to. */
export function withNames(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const text = JSON.stringify(schema).replace(
    /"\$ref":"#\/\$defs\/([^"]+)"/g,
    (whole, name: string) => (names.has(name) ? `"$ref":"#/$defs/${names.get(name)!}"` : whole),
  );
  const renamed = JSON.parse(text) as JsonSchema;
  return {
    ...renamed,
    $defs: Object.fromEntries(
      Object.entries(renamed.$defs ?? {}).map(([name, value]) => [names.get(name) ?? name, value]),
    ),
  };
}

/** Finds the places in which two structures differ. */
export function differences(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly string[] = [],
): readonly ReportedChange[] {
  if (sortedText(before) === sortedText(after)) return [];
  const pointer = jsonPointer(path);
  if (before === undefined) return [{ pointer, kind: "added", after: after! }];
  if (after === undefined) return [{ pointer, kind: "removed", before }];
  if (!isMap(before) || !isMap(after)) return [{ pointer, kind: "changed", before, after }];
  const isUnion = ["anyOf", "oneOf"].includes(path.at(-1) ?? "");
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !(isUnion && key === "order" && sameOrder(before[key]!, after[key]!)))
    .flatMap((key) => differences(before[key], after[key], [...path, key]));
}

/** Applies the listed changes; an order of alternatives that follows from them is left open. */
export function applyChanges(before: JsonObject, changes: readonly ReportedChange[]): JsonObject {
  const root = structuredClone(before) as Tree;
  for (const { pointer, kind, before: old, after } of changes) {
    const path = parsePointer(pointer);
    let place = root;
    for (const token of path.slice(0, -1)) place = place[token] as Tree;
    const last = path.at(-1)!;
    if (sortedText(place[last]) !== sortedText(old))
      throw new Error(`${pointer} is not what the change says that it was`);
    if (kind === "removed") delete place[last];
    else place[last] = structuredClone(after!);
  }
  return root;
}

/** A structure without the order of alternatives, as text. */
export function withoutOrder(structure: Json): string {
  const strip = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(strip);
    if (!isMap(value)) return value;
    const { order, ...rest } = value;
    return mapValues("variants" in rest && Array.isArray(order) ? rest : value, strip);
  };
  return sortedText(strip(structure));
}

/** JSON with its keys sorted. */
export function sortedText(value: Json | undefined): string {
  return (
    JSON.stringify(value, (_, part: Json) =>
      isMap(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ""
  );
}

type Tree = { [key: string]: Json };

function alternatives(list: readonly JsonSchema[]): Json {
  const named = list.map((part, index) => String(tagOf(part) ?? part.title ?? index));
  const names =
    new Set(named).size === named.length ? named : named.map((_, index) => String(index));
  return {
    order: names,
    variants: Object.fromEntries(
      names.map((name, index) => [name, structureOf(list[index]!, true)]),
    ),
  };
}

/** The constant that identifies an alternative: its own, or that of the one property that it requires to be constant. */
function tagOf({ const: own, properties = {}, required = [] }: JsonSchema): Json | undefined {
  if (own !== undefined) return own;
  const tags = Object.entries(properties).filter(
    ([name, property]) => property.const !== undefined && required.includes(name),
  );
  return tags.length === 1 ? tags[0]![1].const : undefined;
}

function sameOrder(before: Json, after: Json): boolean {
  const [a, b] = [before as readonly string[], after as readonly string[]];
  return (
    a.filter((name) => b.includes(name)).join("\n") ===
    b.filter((name) => a.includes(name)).join("\n")
  );
}

function sortedSet(value: Json): Json {
  return [...(value as readonly Json[])]
    .map((item) => (isMap(item) ? structureOf(item as JsonSchema) : item))
    .sort((a, b) => (sortedText(a) < sortedText(b) ? -1 : 1));
}

function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(value: JsonObject, change: (part: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}
