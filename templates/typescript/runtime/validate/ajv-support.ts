export { codePointLength } from "./fast-checks.js";

/** Returns whether two JSON values are equal, regardless of the order of keys. */
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

/** A validator that ajv generated. */
export interface AjvValidator<T> {
  (value: unknown): value is T;
  /** The errors of the last call; null or undefined when there were none. */
  errors?: readonly AjvError[] | null;
}

/** One error of a value, as ajv reports it. */
export interface AjvError {
  /** JSON pointer (RFC 6901) to the invalid value. */
  readonly instancePath: string;
  /** The keyword that failed, as a URI reference into the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message?: string;
}
