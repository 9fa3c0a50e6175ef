export { codePointLength } from "./fast-checks.js";

/** Whether two JSON values are equal: the order of an object's keys does not count. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      deepEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** A validator whose code is ajv's. */
export interface AjvValidator<T> {
  (value: unknown): value is T;
  /** What was wrong in the last call; null or absent when nothing was. */
  errors?: readonly AjvError[] | null;
}

/** One thing that is wrong with a value, as ajv reports it. */
export interface AjvError {
  /** JSON pointer (RFC 6901) of the place in the value. */
  readonly instancePath: string;
  /** The keyword that failed, as a URI reference into the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message?: string;
}
