import { isObject, type Json } from "../../../../generators/schema/json-schema/json.js";

/** A text that is in no sample. */
export const MARKER = "MARKER";

/** A value with a marker, and the JSON pointer of the object that has it. */
export interface Marked {
  readonly value: Json;
  readonly pointer: string;
  /** The property that was added. */
  readonly property: string;
}

/** Yields copies of a value with a marker in the metadata of one object, or in a property that no version defines. */
export function* markedValues(value: Json, pointer = ""): Generator<Marked> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    for (const [index, item] of list.entries())
      for (const marked of markedValues(item, `${pointer}/${index}`))
        yield { ...marked, value: list.with(index, marked.value) };
  } else if (isObject(value)) {
    const others = isObject(value["_meta"]) ? value["_meta"] : {};
    const meta = { ...others, "example.com/marker": MARKER };
    yield { value: { ...value, _meta: meta }, pointer, property: "_meta" };
    yield { value: { ...value, _unknown: MARKER }, pointer, property: "_unknown" };
    for (const [key, item] of Object.entries(value))
      for (const marked of markedValues(item, `${pointer}/${key}`))
        yield { ...marked, value: { ...value, [key]: marked.value } };
  }
}

/** Yields copies of a value with one of some properties added to one of its objects, where it is absent. */
export function* foreignValues(
  value: Json,
  names: readonly string[],
  pointer = "",
): Generator<Marked> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    for (const [index, item] of list.entries())
      for (const marked of foreignValues(item, names, `${pointer}/${index}`))
        yield { ...marked, value: list.with(index, marked.value) };
  } else if (isObject(value)) {
    for (const property of names)
      if (!Object.hasOwn(value, property))
        yield { value: { ...value, [property]: MARKER }, pointer, property };
    for (const [key, item] of Object.entries(value))
      for (const marked of foreignValues(item, names, `${pointer}/${key}`))
        yield { ...marked, value: { ...value, [key]: marked.value } };
  }
}

/** Returns whether a value has the marker. */
export function hasMarker(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).includes(MARKER);
}
