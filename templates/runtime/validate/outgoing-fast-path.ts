/*
 * What passes over messages are made of. They take for granted that a value is valid, as
 * the first look has said, and look for what only sending forbids: properties that are not
 * declared, and what JSON cannot carry.
 */

/** Says of a valid value whether it may be sent; false means that a closer look must tell. */
export type Pass = (value: any, depth: number) => boolean;

/** What is nested deeper gets the closer look, which has its own limits. */
const MAX_DEPTH = 100;

/** There is nothing to look for. */
export const fine: Pass = () => true;

/** Nothing can be said at a glance. */
export const closer: Pass = () => false;

export function list(items: Pass): Pass {
  return (value, depth) => {
    if (value === null) return true;
    if (!isDense(value) || depth > MAX_DEPTH) return false;
    for (let index = 0; index < value.length; index++)
      if (!items(value[index], depth + 1)) return false;
    return true;
  };
}

export function map(values: Pass): Pass {
  return (value, depth) => {
    if (value === null) return true;
    if (!isPlain(value) || depth > MAX_DEPTH) return false;
    for (const key in value) if (!values(value[key], depth + 1)) return false;
    return true;
  };
}

/** One declared property of an object. */
interface Place {
  readonly name: string;
  /** Absent where there is nothing to look for. */
  readonly pass: Pass | undefined;
  /** Its own bit, if its value counts even where JSON leaves it out; else 0. */
  readonly bit: number;
}

/** As many properties as have a bit of their own. */
const MAX_PLACES = 30;

/**
 * @param fields the declared properties
 * @param isOpen whether it may have others
 */
export function object(fields: ReadonlyMap<string, Pass>, isOpen = false): Pass {
  let bits = 0;
  const places = [...fields].map(([name, pass]): Place => {
    if (pass === fine) return { name, pass: undefined, bit: 0 };
    return { name, pass, bit: pass === isJson ? 0 : 1 << bits++ };
  });
  if (bits > MAX_PLACES) return closer;
  const all = (1 << bits) - 1;
  const byName = new Map(places.map((place) => [place.name, place]));
  /** Where properties stood last: most objects have the same in the same order. */
  const order = [...places];
  return (value, depth) => {
    if (value === null) return true;
    if (depth > MAX_DEPTH || !isPlain(value)) return false;
    let seen = 0;
    let index = 0;
    for (const key in value) {
      let place = index < order.length ? order[index] : undefined;
      if (place === undefined || place.name !== key) {
        place = byName.get(key);
        if (place === undefined) {
          if (isOpen && isJsonOrAbsent(value[key], depth + 1)) continue;
          return false;
        }
        order[index] = place;
      }
      index++;
      const { pass } = place;
      if (pass === undefined) continue;
      seen |= place.bit;
      const part = value[key];
      if (part !== undefined && part !== null && !pass(part, depth + 1)) return false;
    }
    return seen === all || !hidesOne(value, places, seen);
  };
}

/** The closer look also reads properties that are not enumerable. */
function hidesOne(value: any, places: readonly Place[], seen: number): boolean {
  for (let index = 0; index < places.length; index++) {
    const { name, bit } = places[index]!;
    if (bit !== 0 && (seen & bit) === 0 && value[name] !== undefined) return true;
  }
  return false;
}

/**
 * A union told apart by a tag.
 *
 * @param variants by the tag's value; undefined and null stand for no tag
 */
export function tagged(tag: string, variants: ReadonlyMap<unknown, Pass>): Pass {
  return (value, depth) => {
    if (value === null) return true;
    const pass = variants.get(value[tag]);
    return pass !== undefined && pass(value, depth);
  };
}

/**
 * A union without a tag. When a value has the property that one variant must have, and
 * none of the others', it cannot fit another.
 *
 * @param variants each with its property
 */
export function oneOf(variants: readonly (readonly [name: string, pass: Pass])[]): Pass {
  return (value, depth) => {
    if (value === null) return true;
    let meant: Pass | undefined;
    for (let index = 0; index < variants.length; index++) {
      const [name, pass] = variants[index]!;
      if (value[name] === undefined) continue;
      if (meant !== undefined) return false;
      meant = pass;
    }
    return meant !== undefined && meant(value, depth);
  };
}

/** A pass that is made when it is first needed. */
export function lazily(make: () => Pass): Pass {
  let pass: Pass | undefined;
  return (value, depth) => {
    pass ??= make();
    return pass(value, depth);
  };
}

/** Whether JSON carries a value as it is. */
export function isJson(value: any, depth: number): boolean {
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

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether something is an array without holes and without properties besides its items. */
function isDense(value: unknown): value is unknown[] {
  return Array.isArray(value) && Object.keys(value).length === value.length;
}
