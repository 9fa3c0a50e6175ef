import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { isObject, type Json, type JsonObject } from "../../generators/schema/json-schema/json.js";
import { scanJson } from "../../generators/schema/source/json-text.js";
import { jsonPointer } from "../../generators/schema/problem.js";

/** Objects that stand on several lines in their file although they would fit on one. */
const expanded = new WeakSet<JsonObject>();

/** The documents of a schema folder, which are edited as data and written with few changed lines. */
export class Documents {
  readonly #folder: string;
  readonly #read = new Map<string, { readonly text: string; value: JsonObject | undefined }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns a document; undefined when there is none. */
  get(path: string): JsonObject | undefined {
    let known = this.#read.get(path);
    if (known === undefined) {
      const file = join(this.#folder, path);
      const text = existsSync(file) ? readFileSync(file, "utf8") : "";
      known = { text, value: text === "" ? undefined : parse(text) };
      this.#read.set(path, known);
    }
    return known.value;
  }

  /** Replaces a document; undefined removes it. */
  set(path: string, value: JsonObject | undefined): void {
    this.get(path);
    this.#read.get(path)!.value = value;
  }

  /** Writes what has changed, in the format of the repository, and returns the paths. */
  async write(): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const [path, { text, value }] of this.#read) {
      const file = join(this.#folder, path);
      const before = text === "" ? undefined : JSON.stringify(JSON.parse(text));
      if (before === (value && JSON.stringify(value))) continue;
      changed.push(path);
      if (value === undefined) rmSync(file);
      else writeFileSync(file, await format(print(value), { parser: "json", printWidth: 100 }));
    }
    return changed.sort();
  }
}

/**
 * Returns an object with other entries, in the order that it has; new ones go last. It stands on
 * as many lines as the object it replaces.
 */
export function withEntries(
  old: JsonObject | undefined,
  entries: ReadonlyMap<string, Json>,
): JsonObject {
  const kept = Object.keys(old ?? {}).filter((key) => entries.has(key));
  const names = [...new Set([...kept, ...entries.keys()])];
  return like(old, Object.fromEntries(names.map((name) => [name, entries.get(name)!])));
}

/** Returns an object that stands on as many lines as the one it replaces. */
export function like<T extends object>(old: object | undefined, value: T): T {
  if (old !== undefined && expanded.has(old as JsonObject)) expanded.add(value as JsonObject);
  return value;
}

function parse(text: string): JsonObject {
  const value = JSON.parse(text) as JsonObject;
  const { offsets } = scanJson(text);
  const mark = (part: Json, path: readonly (string | number)[]): void => {
    const inner = Array.isArray(part)
      ? [...part.entries()]
      : isObject(part)
        ? Object.entries(part)
        : [];
    if (
      isObject(part) &&
      /^\{\s*\n/.test(
        text.slice(offsets.get(jsonPointer(path))!, offsets.get(jsonPointer(path))! + 80),
      )
    )
      expanded.add(part);
    for (const [key, child] of inner) mark(child as Json, [...path, key]);
  };
  mark(value, []);
  return value;
}

/** The formatter keeps an object on several lines when its first name is on a line of its own. */
function print(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}:${print(part)}`,
  );
  return `{${expanded.has(value) ? "\n" : ""}${entries.join(",")}}`;
}
