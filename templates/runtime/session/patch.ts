import { isRecord } from "../rpc/messages.js";
import type { Metadata } from "./updates.js";

/** The stored state of one item of a session, in its mutable form. */
export interface Entity {
  revision: number;
  [field: string]: unknown;
}

/**
 * Copies the fields of an update to the stored state, except those that `except` names. An absent
 * field keeps the stored value.
 *
 * @param onNull how a `null` changes the stored field
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

/** Replaces a list that chunks may be appended to: absent keeps it, `null` empties it. */
export function patchList(entity: Entity, field: string, list: unknown): void {
  if (list !== undefined) setField(entity, field, Array.isArray(list) ? [...list] : []);
}

/** Patches metadata as version 1 does: `null` removes it, an object replaces it. */
export function replaceMeta(entity: Entity, change: unknown): void {
  if (change === null) delete entity["_meta"];
  else if (isRecord(change)) entity["_meta"] = change;
}

/**
 * Patches metadata as version 2 does: `null` removes it; an object is merged by top-level key,
 * where `null` removes the key. The stored object is replaced, never modified.
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

/** Sets an own field, including one with a name such as `__proto__`. */
function setField(entity: Entity, field: string, value: unknown): void {
  Object.defineProperty(entity, field, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
