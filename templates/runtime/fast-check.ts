export { codePointLength } from "./code-points.js";

/** Whether a value is an object (not an array, not null); no type guard, as it is used on `any`. */
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an array and every item passes. */
export function isList(value: unknown, check: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!check(value[index])) return false;
  return true;
}

/** Whether a value is an object and every own value passes. */
export function isMap(value: unknown, check: (item: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  for (const key of Object.keys(value))
    if (!check((value as Record<string, unknown>)[key])) return false;
  return true;
}
