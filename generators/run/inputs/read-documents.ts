import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import {
  joinDocuments,
  type Joined,
  type OtherDocument,
} from "../../schema/import/join-documents.js";
import { objectOf } from "../../schema/import/intersect.js";
import { isObject, type JsonObject } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import { parseJson } from "../../schema/source/parse-json.js";
import { isYaml, parseYaml } from "../../schema/source/parse-yaml.js";
import { readBytes } from "../../schema/source/read-bytes.js";
import { displayPath, usageError } from "../messages.js";
import type { Selection } from "../options.js";
import { isPlainFile, requireDocument } from "./input-files.js";

/** A schema as it is read, which need not be an object, with the documents that it refers to. */
export interface ReadSchema extends Pick<Joined, "files"> {
  readonly document: unknown;
}

/**
 * Reads a schema, in JSON or YAML, and the documents that it refers to: those in and below its folder,
 * and those whose files are given. Nothing is read from a network.
 *
 * @param refs files by address
 * @throws InputError for a file that cannot be read, or is not a document
 */
export function readWithOthers(path: string, refs: Selection["refs"] = {}): ReadSchema {
  const document = readDocument(path);
  if (!isObject(document)) return { document, files: new Map() };
  const folder = isPlainFile(path) ? dirname(path) : undefined;
  const unused = new Set(Object.keys(refs));
  const name = basename(path);
  const read = (addresses: readonly string[], below?: string): OtherDocument | undefined => {
    const named = addresses.find((address) => refs[address] !== undefined);
    if (named !== undefined) unused.delete(named);
    const file = named === undefined ? fileBelow(folder, below) : refs[named];
    if (file === undefined) return undefined;
    const other = readDocument(requireDocument(file));
    const shown = displayPath(file);
    if (isObject(other)) return { file: shown, document: schemasOf(other, shown) };
    const hint = "Give a JSON Schema document.";
    throw new InputError([{ file: shown, message: "is not a schema", hint }]);
  };
  const complete = (joined: Joined): Joined => {
    const [address] = unused;
    if (address === undefined) return joined;
    throw usageError(
      `--ref ${address}: no document that was read refers to this address`,
      "Write the address as the reference has it, without the part behind #, or leave it out.",
    );
  };
  const own = schemasOf(document, displayPath(path));
  if (own === document) return complete(joinDocuments(document, name, read));
  const { title } = objectOf(document["info"]);
  const whole = {
    ...(typeof title === "string" && { title }),
    $defs: { OpenApi: { $id: encodeURI(name), ...own } },
  };
  const joined = complete(joinDocuments(whole, `schemas of ${name}`, read));
  return { ...joined, files: new Map([...joined.files, ["/$defs/OpenApi", displayPath(path)]]) };
}

/**
 * Returns the part of an OpenAPI document that has its schemas, which are JSON Schema since 3.1; another document unchanged.
 *
 * @throws InputError for an earlier OpenAPI document
 */
function schemasOf(document: JsonObject, file: string): JsonObject {
  const version = document["openapi"] ?? document["swagger"];
  if (typeof version !== "string") return document;
  const { schemas = {} } = objectOf(document["components"]);
  if (/^3\.[1-9]/.test(version)) return { components: { schemas } };
  const message = `is an OpenAPI document of version ${version}, whose schemas are not JSON Schema`;
  throw new InputError([{ file, message, hint: "Convert it to OpenAPI 3.1 or later." }]);
}

/** Returns a file in or below a folder, whatever links there are; undefined if there is none. */
function fileBelow(folder: string | undefined, below: string | undefined): string | undefined {
  if (folder === undefined || below === undefined) return undefined;
  const file = join(folder, below);
  if (!isPlainFile(file)) return undefined;
  const path = relative(realpathSync(folder), realpathSync(file));
  return isAbsolute(path) || path.startsWith("..") ? undefined : file;
}

/** The documents that were read last: a run asks for the files of a schema, and for the schema. */
const known = new Map<string, { readonly bytes: Uint8Array; readonly document: unknown }>();
const MOST_KNOWN = 50;

function readDocument(path: string): unknown {
  const bytes = readBytes(path, displayPath(path));
  const last = known.get(path);
  if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.document;
  const document = (isYaml(path) ? parseYaml : parseJson)(bytes, displayPath(path));
  if (known.size === MOST_KNOWN) known.clear();
  known.set(path, { bytes, document });
  return document;
}

/** Returns the files of the documents that the schema of an output refers to; none if it cannot be read. */
export function otherFiles({ schema, refs = {} }: Selection): readonly string[] {
  if (schema === undefined || !isPlainFile(schema)) return [];
  try {
    return [...readWithOthers(schema, refs).files.values()];
  } catch {
    return Object.values(refs);
  }
}
