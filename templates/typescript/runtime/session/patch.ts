import { isRecord } from "../rpc/messages.js";
import type { StateTarget } from "./state-table.js";
import type { Metadata } from "./updates.js";

/** The stored state of one item of a session, in its mutable form. */
export interface Entity {
  revision: number;
  [field: string]: unknown;
}

/** Returns the properties of a new item that do not depend on what was reported. */
export function initial({ kind, defaults, lists = [] }: StateTarget): object {
  const item: Record<string, unknown> = kind === undefined ? {} : { kind };
  Object.assign(item, defaults);
  for (const list of lists) item[list] = [];
  return item;
}

/** Removes what was reported of an item, besides its id. */
export function reset(item: Entity, target: StateTarget): void {
  for (const field of Object.keys(item))
    if (field !== "revision" && field !== target.id) delete item[field];
  Object.assign(item, initial(target));
}

/**
 * Changes an item by an update: absent keeps a property, `null` resets it unless the target keeps
 * it, a value replaces it.
 */
export function patch(item: Entity, update: object, target: StateTarget, merges: boolean): void {
  for (const [field, value] of Object.entries(update) as [string, unknown][]) {
    if (value === undefined || field === "sessionUpdate" || field === "revision") continue;
    const isKept = target.keepsNull === "all" || target.keepsNull === field;
    if ((value === null && isKept) || (field === "kind" && target.kind !== undefined)) continue;
    if (value === null)
      setField(item, field, target.lists?.includes(field) ? [] : target.defaults?.[field]);
    else if (field === "_meta") patchMeta(item, value, merges);
    else if (field === target.list) setField(item, field, [...(value as unknown[])]);
    else if (field === target.bytes) setField(item, field, outputOf(value));
    else setField(item, field, value);
  }
}

/**
 * Changes metadata: an object replaces it, or is merged by top-level key, where `null` removes the
 * key. The stored object is replaced, never modified.
 */
export function patchMeta(item: Entity, change: unknown, merges: boolean): void {
  if (!isRecord(change)) return;
  const before = merges ? ((item["_meta"] ?? {}) as Metadata) : {};
  const merged = Object.entries({ ...before, ...change });
  item["_meta"] = merges
    ? Object.fromEntries(merged.filter(([, value]) => value !== null))
    : change;
}

/** Returns output in chunks, which are encoded in base64 separately. */
function outputOf(value: unknown): object {
  const { data, ...rest } = value as { readonly data?: unknown };
  return { ...rest, chunks: data === undefined ? [] : [data] };
}

/** Sets an own field, including one with a name such as `__proto__`; undefined removes it. */
function setField(item: Entity, field: string, value: unknown): void {
  if (value === undefined) delete item[field];
  else if (field !== "__proto__") item[field] = value;
  else
    Object.defineProperty(item, field, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
