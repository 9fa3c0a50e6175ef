import type { Part, RecordPart } from "./part.js";
import type { Field, Slot } from "../shape.js";

/** Returns all properties of a record, with those of its base. */
export function fieldsOf(record: RecordPart, parts: ReadonlyMap<string, Part>): readonly Field[] {
  const base = record.base === undefined ? undefined : (parts.get(record.base) as RecordPart);
  const own = new Set([...record.tags, ...record.fields].map(({ name }) => name));
  const inherited = base === undefined ? [] : fieldsOf(base, parts);
  return [...inherited.filter(({ name }) => !own.has(name)), ...record.fields];
}

/** Returns the type of the other properties of a record, or of its base; undefined where they have none. */
export function extraOf(record: RecordPart, parts: ReadonlyMap<string, Part>): Slot | undefined {
  if (record.base === undefined) return record.extra;
  return extraOf(parts.get(record.base) as RecordPart, parts);
}
