import { isObject, type JsonObject } from "../json-schema/json.js";
import { jsonPointer, parsePointer, type Problem } from "../problem.js";
import { findReferences, HOLDERS, isEarlyDraft, pathBelow } from "./find-references.js";
import { objectOf } from "./intersect.js";
import { freeName } from "./name-definitions.js";

/** A document with those that it refers to. */
export interface Joined {
  readonly document: JsonObject;
  /** The files of the others, by the pointers of their definitions. */
  readonly files: ReadonlyMap<string, string>;
}

/** A document that was read from a file. */
export interface OtherDocument {
  readonly file: string;
  readonly document: JsonObject;
}

/**
 * Adds the documents that one refers to as definitions that have their addresses as `$id`
 * (JSON Schema 2020-12, section 9.3), as long as they can be read.
 *
 * @param name that of its file, its address unless it has an `$id`
 * @param read returns a document by its address, whole and as it is written; the path leads to it from the folder of the first
 *   document, and is undefined where it is not below that
 */
export function joinDocuments(
  document: JsonObject,
  name: string,
  read: (addresses: readonly string[], path: string | undefined) => OtherDocument | undefined,
): Joined {
  const isEarly = isEarlyDraft(document);
  const holder = HOLDERS.find((one) => isObject(document[one])) ?? HOLDERS[0]!;
  const files = new Map<string, string>();
  const tried = new Set<string>();
  let joined: JsonObject = document;
  for (;;) {
    const next = findReferences(joined, isEarly).find(
      ({ target, address }) => target === "another document" && !tried.has(address),
    );
    if (next === undefined) return { document: joined, files };
    const { address, written } = next;
    tried.add(address);
    const path = pathBelow(document, address);
    const found = read([address, path ?? written.split("#", 1)[0]!], path);
    if (found === undefined) continue;
    const known = objectOf(joined[holder]);
    const own = freeName(nameAt(address), new Set(Object.keys(known)));
    const { $schema: _, id: __, ...other } = found.document;
    const id = document["$id"] ?? document["id"] ?? encodeURI(name);
    joined = { ...joined, $id: id, [holder]: { ...known, [own]: { ...other, $id: address } } };
    files.set(jsonPointer([holder, own]), found.file);
  }
}

/** Returns a problem with the file that it is in. */
export function inItsFile(problem: Problem, files: Joined["files"]): Problem {
  const [holder = "", name = "", ...rest] = parsePointer(problem.pointer ?? "");
  const file = files.get(jsonPointer([holder, name]));
  return file === undefined ? problem : { ...problem, file, pointer: jsonPointer(rest) };
}

/** Returns the name of the document at an address: that of its file, without what all have. */
function nameAt(address: string): string {
  return /([^/]*?)(\.schema)?(\.(json|ya?ml))?$/.exec(address)?.[1] || "document";
}
