/*
 * The fast path of the outgoing check. It expects values that have passed the fast check of
 * their definition, and finds what only sending forbids: undeclared properties, and values
 * that JSON cannot represent.
 */

/** Returns whether a valid value may be sent; false leaves the decision to the slow path. */
export type FastPath = (value: any, depth: number) => boolean;

/** What differs between a fast path for values that authors make and one for parsed JSON. */
export interface Forms {
  /** Any value that JSON can represent. */
  readonly json: FastPath;
  readonly list: (items: FastPath) => FastPath;
  readonly map: (values: FastPath) => FastPath;
  /** @param isOpen whether the object may have other properties than these */
  readonly object: (fields: ReadonlyMap<string, FastPath>, isOpen?: boolean) => FastPath;
}

/** Deeper values are left to the slow path, which has its own limit. */
export const MAX_DEPTH = 100;

/** Accepts every value. */
export const accepted: FastPath = () => true;

/** Leaves every value to the slow path. */
export const undecided: FastPath = () => false;

function list(items: FastPath): FastPath {
  return (value, depth) => {
    if (value === null) return true;
    if (!isDense(value) || depth > MAX_DEPTH) return false;
    for (let index = 0; index < value.length; index++)
      if (!items(value[index], depth + 1)) return false;
    return true;
  };
}

function map(values: FastPath): FastPath {
  return (value, depth) => {
    if (value === null) return true;
    if (!isPlain(value) || depth > MAX_DEPTH) return false;
    for (const key in value) if (!values(value[key], depth + 1)) return false;
    return true;
  };
}

/** One declared property of an object. */
interface DeclaredField {
  readonly name: string;
  /** Absent when every value is accepted. */
  readonly path: FastPath | undefined;
  /**
   * The bit of a property whose value is looked for even when it is not enumerable; otherwise 0,
   * since looking for scalars as well makes sending an update 7 % slower.
   */
  readonly bit: number;
}

/** The largest number of properties with a bit. */
const MAX_BITS = 30;

/**
 * Checks an object.
 *
 * @param fields the declared properties
 * @param isOpen whether it may have others
 */
function object(fields: ReadonlyMap<string, FastPath>, isOpen = false): FastPath {
  let bits = 0;
  const declared = [...fields].map(([name, path]): DeclaredField => {
    if (path === accepted) return { name, path: undefined, bit: 0 };
    return { name, path, bit: path === isJson ? 0 : 1 << bits++ };
  });
  if (bits > MAX_BITS) return undecided;
  const all = (1 << bits) - 1;
  const byName = new Map(declared.map((field) => [field.name, field]));
  /**
   * The order of properties in the last object, since most objects have the same properties in
   * the same order.
   */
  const order = [...declared];
  return (value, depth) => {
    if (value === null) return true;
    if (depth > MAX_DEPTH || !isPlain(value)) return false;
    let seen = 0;
    let index = 0;
    for (const key in value) {
      let field = index < order.length ? order[index] : undefined;
      if (field === undefined || field.name !== key) {
        field = byName.get(key);
        if (field === undefined) {
          if (isOpen && isJsonOrAbsent(value[key], depth + 1)) continue;
          return false;
        }
        order[index] = field;
      }
      index++;
      const { path } = field;
      if (path === undefined) continue;
      seen |= field.bit;
      const part = value[key];
      if (part !== undefined && part !== null && !path(part, depth + 1)) return false;
    }
    return seen === all || !hasHiddenField(value, declared, seen);
  };
}

/** Finds declared properties that are not enumerable, which the slow path reads as well. */
function hasHiddenField(value: any, declared: readonly DeclaredField[], seen: number): boolean {
  for (let index = 0; index < declared.length; index++) {
    const { name, bit } = declared[index]!;
    if (bit !== 0 && (seen & bit) === 0 && value[name] !== undefined) return true;
  }
  return false;
}

/**
 * Checks a tagged union.
 *
 * @param variants by the tag's value; undefined and null stand for an absent tag
 */
export function tagged(tag: string, variants: ReadonlyMap<unknown, FastPath>): FastPath {
  return (value, depth) => {
    if (value === null) return true;
    const path = variants.get(value[tag]);
    return path !== undefined && path(value, depth);
  };
}

/**
 * Checks a union without a tag. A value with the required property of one variant, and without
 * those of the others, cannot match another variant.
 *
 * @param variants each with its property
 */
export function oneOf(variants: readonly (readonly [name: string, path: FastPath])[]): FastPath {
  return (value, depth) => {
    if (value === null) return true;
    let meant: FastPath | undefined;
    for (let index = 0; index < variants.length; index++) {
      const [name, path] = variants[index]!;
      if (value[name] === undefined) continue;
      if (meant !== undefined) return false;
      meant = path;
    }
    return meant !== undefined && meant(value, depth);
  };
}

/** Creates a function on its first call. */
export function lazy(make: () => FastPath): FastPath {
  let path: FastPath | undefined;
  return (value, depth) => {
    path ??= make();
    return path(value, depth);
  };
}

/** Returns whether JSON represents a value exactly. */
function isJson(value: any, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    if (!isDense(value)) return false;
    for (let index = 0; index < value.length; index++)
      if (!isJson(value[index], depth + 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  for (const key in value) if (!isJsonOrAbsent(value[key], depth + 1)) return false;
  return true;
}

function isJsonOrAbsent(value: unknown, depth: number): boolean {
  return value === undefined || isJson(value, depth);
}

/** Returns whether an object is of no class and does not determine its own JSON. */
function isPlain(value: any): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && value.toJSON === undefined;
}

/**
 * Returns whether a value is an array without holes and without properties besides its items,
 * which does not determine its own JSON.
 */
function isDense(value: any): value is unknown[] {
  if (!Array.isArray(value) || Object.keys(value).length !== value.length) return false;
  return (value as { readonly toJSON?: unknown }).toJSON === undefined;
}

/** The forms for values that authors make, which may be of any class. */
export const OUTGOING_FORMS: Forms = { json: isJson, list, map, object };
