import type { Part } from "../../../model/parts/part.js";
import { identifier, joinPython, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { fieldsOf } from "../../../model/parts/fields-of.js";
import { printSlot } from "../types.js";

/** What the printers of sessions share. */
export interface Types {
  readonly parts: ReadonlyMap<string, Part>;
  readonly names: PythonNames;
}

/** A property of a record as a parameter of a function. */
export interface Keyword {
  /** The name in JSON. */
  readonly property: string;
  readonly name: Python;
  readonly type: Python;
  readonly required: boolean;
}

/** Names of parameters and variables that the printed functions have besides properties. */
const TAKEN = new Set("blocks call history params response self timeout".split(" "));

/**
 * Returns the properties of a record, with those of its bases, as parameters; undefined for a part
 * that is not a record, and for names that the functions need themselves.
 */
export function keywordsOf(
  part: string,
  { parts, names }: Types,
  left: readonly string[] = [],
): readonly Keyword[] | undefined {
  const record = parts.get(part);
  if (record?.kind !== "record") return undefined;
  const keywords = fieldsOf(record, parts)
    .filter(({ name }) => !left.includes(name))
    .map((field): Keyword => ({
      property: field.name,
      name: identifier(names.attributeOf(part, field.name)),
      type: printSlot(field, names, { module: "_t.", isSent: true }),
      required: field.required,
    }));
  return keywords.some(({ name }) => TAKEN.has(name)) ? undefined : keywords;
}

/** Prints a parameter; an optional one is absent by default. */
export function parameter({ name, type, required }: Keyword): Python {
  return required ? py`${name}: ${type}` : py`${name}: ${type} | Unset = UNSET`;
}

/** Prints the parameters of a function: a single required one may be given by its place. */
export function parameters(keywords: readonly Keyword[], more: readonly Python[] = []): Python {
  const required = keywords.filter((one) => one.required);
  const optional = keywords.filter((one) => !one.required);
  const byName = [...optional.map(parameter), ...more];
  const first = required.map(parameter);
  const named = required.length > 1 ? [...first, ...byName] : byName;
  const placed = required.length > 1 ? [] : first;
  return joinPython([py`self`, ...placed, ...(named.length === 0 ? [] : [py`*`, ...named])], ", ");
}

/** Prints the arguments that pass parameters on. */
export function passed(keywords: readonly Keyword[]): readonly Python[] {
  return keywords.map(({ name }) => py`${name}=${name}`);
}
