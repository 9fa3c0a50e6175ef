import { isRecord } from "../rpc/messages.js";

/** The own property at the end of a path of names; undefined where there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** The elements of a list; none of what is no list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a capability is there: an object, or a switch that is on. */
export function isOn(capability: unknown): boolean {
  return capability === true || isRecord(capability);
}

/** The first value of a list that stands in it before. */
export function repeated(values: readonly unknown[]): unknown {
  const before = new Set<unknown>();
  for (const value of values) {
    if (value !== undefined && before.has(value)) return value;
    before.add(value);
  }
  return undefined;
}

/** A text as it is; nothing of what is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A value as a message of a violation shows it, cut to a bearable length. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  // What is cut anyway need not be printed; what is nested too deeply could not be.
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return "an object";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 100) : value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
