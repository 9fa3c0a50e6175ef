import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  createDialectCheck,
  DOCUMENT_KINDS,
  type DialectCheck,
  type DocumentKind,
} from "./dialect.js";
import { isObject, type JsonObject } from "../json-schema/json.js";
import { inKeyOrder } from "../json-schema/key-order.js";
import type { Memo } from "../memo.js";
import { parseJson } from "./parse-json.js";
import { readBytes } from "./read-bytes.js";
import { InputError, type Problem } from "../problem.js";

/** Reads documents, and collects every problem before it throws. */
export interface Loader {
  /** Reads and checks one document; an invalid one is reported and skipped. */
  readonly read: (kind: DocumentKind, file: string) => JsonObject | undefined;
  readonly problem: (file: string, message: string, hint: string, pointer?: string) => void;
  /** The path of a file as problems name it. */
  readonly display: (file: string) => string;
  /** Throws everything that was noted. */
  readonly finish: () => void;
}

/** The last dialect check for each memo, with the digest of the dialect. */
const checks = new WeakMap<object, { readonly digest: string; readonly check: DialectCheck }>();
const NO_MEMO = {};

/**
 * The documents that passed a check, by kind and digest: a process often loads the same schema
 * again, such as a watcher, and two commands in one program.
 */
const passed = new WeakMap<DialectCheck, Map<string, JsonObject>>();
const MOST_PASSED = 1000;

/** Makes a loader go on with the sound parts of documents. */
export interface Tolerance {
  /** The problems found so far, whose parts are left out of documents. Those of a loader are added instead of thrown. */
  readonly problems: Problem[];
  readonly without: (document: JsonObject, problems: readonly Problem[]) => JsonObject;
}

/**
 * @param root the folder that problems name files relative to
 * @param tolerance leaves out invalid parts; by default every problem is an error
 */
export function createLoader(root: string, check: DialectCheck, tolerance?: Tolerance): Loader {
  const problems: Problem[] = [];
  const display = (file: string): string => relative(root, resolve(file)).replaceAll("\\", "/");
  // The modules that both versions share are read once.
  const documents = new Map<string, JsonObject | undefined>();
  const known = passed.get(check) ?? new Map<string, JsonObject>();
  passed.set(check, known);
  // An object that lacks a property has others that can be checked.
  const without = (document: JsonObject, found: readonly Problem[]): JsonObject =>
    tolerance?.without(
      document,
      found.filter(({ missing }) => missing === undefined),
    ) ?? document;
  const readDocument = (kind: DocumentKind, file: string): JsonObject | undefined => {
    try {
      const bytes = readBytes(file, display(file));
      const key = `${kind} ${digestOf([bytes])}`;
      const left = (tolerance?.problems ?? []).filter((one) => one.file === display(file));
      const before = left.length === 0 ? known.get(key) : undefined;
      if (before !== undefined) return before;
      const parsed = parseJson(bytes, display(file));
      const document = isObject(parsed) ? without(parsed, left) : parsed;
      const found = check(kind, document, display(file));
      problems.push(...found);
      const hasParts = kind === "module" || kind === "feature";
      if (found.length > 0 || left.length > 0)
        return tolerance && hasParts && isObject(document) ? without(document, found) : undefined;
      if (known.size === MOST_PASSED) known.clear();
      const ordered = inKeyOrder(document as JsonObject);
      known.set(key, ordered);
      return ordered;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  return {
    display,
    problem: (file, message, hint, pointer) =>
      problems.push({
        file: display(file),
        ...(pointer !== undefined && { pointer }),
        message,
        hint,
      }),
    read: (kind, file) => {
      const key = `${kind} ${resolve(file)}`;
      if (!documents.has(key)) documents.set(key, readDocument(kind, file));
      return documents.get(key);
    },
    finish: () => {
      if (tolerance !== undefined) tolerance.problems.push(...problems.splice(0));
      else if (problems.length > 0) throw new InputError(problems);
    },
  };
}

/** Creates the check of documents that others have read, from the dialect's own documents. */
export function loadDialect(directory: string, memo?: Memo): DialectCheck {
  const files = DOCUMENT_KINDS.map((kind) => join(directory, "dialect", `${kind}.schema.json`));
  const texts = files.map((file) => readBytes(file, file));
  const digest = digestOf(texts);
  const last = checks.get(memo ?? NO_MEMO);
  if (last?.digest === digest) return last.check;
  const documents = texts.map((text, index): [DocumentKind, JsonObject] => [
    DOCUMENT_KINDS[index]!,
    parseJson(text, files[index]!) as JsonObject,
  ]);
  const check = createDialectCheck(new Map(documents), memo);
  checks.set(memo ?? NO_MEMO, { digest, check });
  return check;
}

function digestOf(texts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  return hash.digest("hex");
}

/**
 * Reads one JSON file.
 *
 * @param display how problems name the file
 * @throws InputError when it cannot be read, or is not a usable document
 */
export function readJson(file: string, display: string): unknown {
  return parseJson(readBytes(file, display), display);
}

/** The names of the folders in one, sorted. */
export function subfolders(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();
}

/** Returns the paths of the JSON files in a folder, sorted; none when it does not exist. */
export function jsonFiles(directory: string): string[] {
  return filesIn(directory, ".json");
}

/** Returns the paths of the files in a folder whose names end in a way, sorted; none when it does not exist. */
export function filesIn(directory: string, ending: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(directory, name));
}
