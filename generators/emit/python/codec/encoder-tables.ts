import type { ChoicePart, Part, RecordPart, UnionPart } from "../../../model/parts/part.js";
import type { Shape, Slot } from "../../../model/shape.js";
import { identifier, joinPython, literal, py, type Python } from "../code.js";
import { printedFunction } from "./checks.js";
import { fieldsOf } from "../../../model/parts/fields-of.js";
import {
  encoderName,
  isInline,
  printPlainEncoder,
  tableName,
  type EncoderContext,
} from "./encoders.js";

/** The encoder that checks the values of one class. */
interface Entry {
  /** The class, which alone shows that a value may belong to the part. */
  readonly type: Python;
  readonly encoder: Python;
  /** The record of the class; undefined for a class of Python. */
  readonly record?: RecordPart;
}

/** Prints the table of the encoders that check the values of a part, by class. */
export function printEncoderTable(part: Part, context: EncoderContext): Python {
  const byClass = new Map<Python, Set<Python>>();
  for (const { type, encoder } of entriesOf(part, context))
    byClass.set(type, (byClass.get(type) ?? new Set()).add(encoder));
  const entries = [...byClass].map(([type, encoders]) => {
    const all = joinPython([...encoders], ", ");
    return py`${type}: ${encoders.size === 1 ? all : py`either(${all})`}`;
  });
  return py`${tableName(part, context)}: dict[type, Encoder] = {${joinPython(entries, ", ")}}`;
}

/** @param around the parts whose entries are being collected, which may hold themselves */
function entriesOf(
  part: Part,
  context: EncoderContext,
  around: readonly Part[] = [],
): readonly Entry[] {
  if (around.includes(part)) return [];
  const inside = [...around, part];
  switch (part.kind) {
    case "record":
      return [recordEntry(part, context)];
    case "choice":
      return choiceEntries(part, context, inside);
    case "union":
      return unionEntries(part, context, inside);
    case "alias":
      return slotEntries({ shape: part.shape, nullable: false }, context, inside);
    default:
      return part satisfies never;
  }
}

function recordEntry(record: RecordPart, context: EncoderContext): Entry {
  const type = py`t.${identifier(context.names.typeOf(record.name))}`;
  return { type, encoder: encoderName(record.name, context), record };
}

function choiceEntries(
  part: ChoicePart,
  context: EncoderContext,
  around: readonly Part[],
): readonly Entry[] {
  const { tag, cases, absent, fallback } = part;
  const tagged = cases.flatMap(({ value, part: name }) =>
    entriesOf(context.parts.get(name)!, context, around).filter(({ record }) =>
      record?.tags.some((one) => one.name === tag && one.value === value),
    ),
  );
  const untagged = absent ?? fallback;
  const others =
    untagged === undefined ? [] : entriesOf(context.parts.get(untagged)!, context, around);
  return [
    ...tagged,
    ...bodyEntries(tagged, context),
    ...others
      .filter(({ record }) => record !== undefined)
      .map((one) => ({ ...one, encoder: py`untagged(${literal(tag)}, ${one.encoder})` })),
  ];
}

/**
 * Returns encoders for the bodies of variants, e.g. `TextContent` in the place of the variant
 * `ContentBlockText`: a body of one variant is sent with the tags of this variant.
 */
function bodyEntries(tagged: readonly Entry[], context: EncoderContext): readonly Entry[] {
  const records = tagged.flatMap(({ record }) => record ?? []);
  const names = records.map(({ name }) => name);
  const bases = records.map(({ base }) => base);
  return records.flatMap(({ base, tags, fields }) => {
    const isBody = base !== undefined && fields.length === 0 && !names.includes(base);
    if (!isBody || bases.filter((one) => one === base).length > 1) return [];
    const values = literal(Object.fromEntries(tags.map(({ name, value }) => [name, value])));
    const own = recordEntry(context.parts.get(base) as RecordPart, context);
    return [{ ...own, encoder: py`tagged(${values}, ${own.encoder})` }];
  });
}

function unionEntries(
  part: UnionPart,
  context: EncoderContext,
  around: readonly Part[],
): readonly Entry[] {
  const entries = part.alternatives.map((slot) => slotEntries(slot, context, around));
  if (!part.isExclusive) return entries.flat();
  // A value must not fit another alternative as well, of which only a diagnosis knows all.
  const required = entries.map((own) => own.map(({ record }) => requiredBy(record, context)));
  return entries.flatMap((own, index) => {
    const others = required.filter((_, other) => other !== index).flat();
    const isApart = others.every((names) => names.length > 0);
    if (!isApart || entries.some((all) => all.length === 0)) return [];
    const sets = others.map((names) => py`frozenset(${literal([...names])})`);
    return own
      .filter(({ record }) => record !== undefined)
      .map((one) => ({ ...one, encoder: py`apart(${joinPython([one.encoder, ...sets], ", ")})` }));
  });
}

function requiredBy(record: RecordPart | undefined, context: EncoderContext): readonly string[] {
  const fields = record === undefined ? [] : fieldsOf(record, context.parts);
  return fields.filter((field) => field.required).map(({ name }) => name);
}

function slotEntries(
  { shape, nullable }: Slot,
  context: EncoderContext,
  around: readonly Part[],
): readonly Entry[] {
  const present = shapeEntries(shape, context, around);
  return nullable
    ? [...present, ...plainEntries(["type(None)"], { kind: "null" }, context)]
    : present;
}

function shapeEntries(
  shape: Shape,
  context: EncoderContext,
  around: readonly Part[],
): readonly Entry[] {
  switch (shape.kind) {
    case "reference": {
      const part = context.parts.get(shape.name)!;
      return isInline(part, context)
        ? shapeEntries(part.shape, context, around)
        : entriesOf(part, context, around);
    }
    case "any":
      // Of values without a class that is known, only a diagnosis knows whether they are JSON.
      return [];
    case "null":
      return plainEntries(["type(None)"], shape, context);
    case "scalar":
    case "enum":
      return plainEntries(CLASSES[shape.type], shape, context);
    case "list":
      return plainEntries(["list"], shape, context);
    case "map":
      return plainEntries(["dict"], shape, context);
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

/** The classes of parsed scalars. */
const CLASSES = {
  boolean: ["bool"],
  string: ["str"],
  integer: ["int"],
  number: ["int", "float"],
} as const;

type PlainClass = "type(None)" | "bool" | "str" | "int" | "float" | "list" | "dict";

function plainEntries(
  classes: readonly PlainClass[],
  shape: Shape,
  context: EncoderContext,
): readonly Entry[] {
  const encoder = printedFunction(printPlainEncoder(shape, context), context);
  return classes.map((name) => ({ type: name as Python, encoder }));
}
