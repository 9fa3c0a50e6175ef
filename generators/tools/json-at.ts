import { isObject, type Json } from "../schema/json-schema/json.js";

// Members of values that nobody has checked.

/** Returns a member of an object; undefined for any other value. */
export function valueAt(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

/** Returns a text in an object; empty when there is none. */
export function textAt(value: Json | undefined, name: string): string {
  const text = valueAt(value, name);
  return typeof text === "string" ? text : "";
}

/** Returns a number in an object. */
export function numberAt(value: Json | undefined, name: string): number | undefined {
  const number = valueAt(value, name);
  return typeof number === "number" ? number : undefined;
}

/** Returns a list in an object; empty when there is none. */
export function listAt(value: Json | undefined, name: string): readonly Json[] {
  const list = valueAt(value, name);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}
