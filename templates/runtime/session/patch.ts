import { isRecord } from "../rpc/messages.js";
import type { Metadata } from "./updates.js";

/** What is kept of one thing of a session, as the accumulator changes it. */
export interface Entity {
  revision: number;
  [field: string]: unknown;
}

/**
 * Takes the fields of an update over into what is kept, all but those that
 * `except` names. An absent field is kept.
 *
 * @param onNull what a `null` does to the kept field
 */
export function patchFields(
  entity: Entity,
  update: object,
  except: readonly string[],
  onNull: "clear" | "keep",
): void {
  for (const [field, value] of Object.entries(update)) {
    if (field === "sessionUpdate" || field === "revision" || except.includes(field)) continue;
    if (value === undefined || (value === null && onNull === "keep")) continue;
    if (value === null) delete entity[field];
    else setField(entity, field, value);
  }
}

/** Takes over a list that chunks may be added to: absent keeps it, `null` empties it. */
export function patchList(entity: Entity, field: string, list: unknown): void {
  if (list !== undefined) setField(entity, field, Array.isArray(list) ? [...list] : []);
}

/** Version 1: `null` removes metadata, an object takes its place. */
export function replaceMeta(entity: Entity, change: unknown): void {
  if (change === null) delete entity["_meta"];
  else if (isRecord(change)) entity["_meta"] = change;
}

/**
 * Version 2: `null` removes metadata; an object is merged by top-level key, where
 * `null` removes the key. The stored object is never changed, but replaced.
 */
export function mergeMeta(entity: Entity, change: unknown): void {
  if (change === null) delete entity["_meta"];
  if (!isRecord(change)) return;
  const merged = new Map(Object.entries((entity["_meta"] ?? {}) as Metadata));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  entity["_meta"] = Object.fromEntries(merged);
}

/** Sets an own field, also one with a name such as `__proto__`. */
function setField(entity: Entity, field: string, value: unknown): void {
  Object.defineProperty(entity, field, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
