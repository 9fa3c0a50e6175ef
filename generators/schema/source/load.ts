import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  createDialectCheck,
  DOCUMENT_KINDS,
  type DialectCheck,
  type DocumentKind,
} from "./dialect.js";
import type { JsonObject } from "../json-schema/json.js";
import { inKeyOrder } from "../json-schema/key-order.js";
import type { Memo } from "../memo.js";
import { LIMITS, parseJson } from "./parse-json.js";
import { InputError, type Problem } from "../problem.js";

/** Reads documents, and collects every problem before it throws. */
export interface Loader {
  /** Reads and checks one document; an invalid one is reported and skipped. */
  readonly read: (kind: DocumentKind, file: string) => JsonObject | undefined;
  readonly problem: (file: string, message: string, hint: string) => void;
  /** The path of a file as problems name it. */
  readonly display: (file: string) => string;
  /** Throws everything that was noted. */
  readonly finish: () => void;
}

/** @param root the folder that problems name files relative to */
export function createLoader(root: string, check: DialectCheck): Loader {
  const problems: Problem[] = [];
  const display = (file: string): string => relative(root, resolve(file)).replaceAll("\\", "/");
  // What both versions share is read once.
  const documents = new Map<string, JsonObject | undefined>();
  const readDocument = (kind: DocumentKind, file: string): JsonObject | undefined => {
    try {
      const document = readJson(file, display(file));
      const found = check(kind, document, display(file));
      problems.push(...found);
      return found.length === 0 ? inKeyOrder(document as JsonObject) : undefined;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  return {
    display,
    problem: (file, message, hint) => problems.push({ file: display(file), message, hint }),
    read: (kind, file) => {
      const key = `${kind} ${resolve(file)}`;
      if (!documents.has(key)) documents.set(key, readDocument(kind, file));
      return documents.get(key);
    },
    finish: () => {
      if (problems.length > 0) throw new InputError(problems);
    },
  };
}

/** Creates the check of documents that others have read, from the dialect's own documents. */
export function loadDialect(directory: string, memo?: Memo): DialectCheck {
  const documents = DOCUMENT_KINDS.map((kind): [DocumentKind, JsonObject] => {
    const file = join(directory, "dialect", `${kind}.schema.json`);
    return [kind, readJson(file, file) as JsonObject];
  });
  return createDialectCheck(new Map(documents), memo);
}

/**
 * Reads one JSON file.
 *
 * @param display how problems name the file
 * @throws InputError when it cannot be read, or is not a document that one could work with
 */
export function readJson(file: string, display: string): unknown {
  return parseJson(readBytes(file, display), display);
}

/** More than nearly every module has. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file, which may be a pipe or a device: of more than may be, only so many that it shows. */
export function readBytes(file: string, display: string): Uint8Array {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const parts: Uint8Array[] = [];
    for (let length = 0, count = 1; count > 0 && length <= LIMITS.bytes; length += count) {
      const part = Buffer.allocUnsafe(CHUNK_BYTES);
      count = readSync(handle, part);
      parts.push(part.subarray(0, count));
    }
    return Buffer.concat(parts);
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const hint = "Check the path and its permissions.";
    throw new InputError([{ file: display, message, hint }]);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The names of the folders in one, sorted. */
export function subfolders(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();
}

/** Their paths, sorted; empty when the folder does not exist. */
export function jsonFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(directory, name));
}
