import { isRecord } from "../rpc/messages.js";

/** Returns the own property at the end of a path of names; undefined when there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** Returns the elements of a list; empty for other values. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns whether a path is absolute in the notation of some platform. */
export function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Returns whether a capability is present: an object, or `true`. */
export function isOn(capability: unknown): boolean {
  return capability === true || isRecord(capability);
}

/** Returns the first value of a list that repeats an earlier one. */
export function repeated(values: readonly unknown[]): unknown {
  const before = new Set<unknown>();
  for (const value of values) {
    if (value !== undefined && before.has(value)) return value;
    before.add(value);
  }
  return undefined;
}

/** Returns a string unchanged, and an empty string for other values. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns whether a text may be a mask of a redacted recording, which has no letters but `x`. */
export function isMask(text: string): boolean {
  return /^(\P{L}|x)*$/iu.test(text);
}

/** Renders a value for the message of a violation, shortened to a reasonable length. */
export function show(value: unknown): string {
  if (value === undefined) return "undefined";
  // Not rendered, since the text would be cut anyway and deep nesting would fail.
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return "an object";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 100) : value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
