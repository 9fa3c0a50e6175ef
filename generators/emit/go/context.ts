import type {
  Alternative,
  ChoicePart,
  Part,
  RecordPart,
  UnionPart,
} from "../../model/parts/part.js";
import { buildParts } from "../../model/parts/build-parts.js";
import { createCompletes } from "../../model/parts/completes.js";
import { extraOf, fieldsOf } from "../../model/parts/fields-of.js";
import type { Protocol } from "../../model/protocol.js";
import { integerWidth } from "../../model/integer-width.js";
import type { Field, ScalarShape, Shape, Slot } from "../../model/shape.js";
import { go, identifier, type Go } from "./code.js";
import { createNames, type GoNames } from "./names.js";
import { printedParts } from "./printed-parts.js";

/** The context of printing a package: its parts, their names and their types. */
export interface GoContext {
  readonly parts: ReadonlyMap<string, Part>;
  /** The parts that have types. */
  readonly printed: readonly Part[];
  readonly names: GoNames;
  /** Returns whether decoding can insert a default somewhere in a value of the part. */
  readonly completes: (part: Part) => boolean;
}

/** Prepares the context of printing the package of a protocol. */
export function createGoContext(protocol: Protocol): GoContext {
  const parts = buildParts(protocol);
  const printed = printedParts(parts, protocol);
  const names = createNames(parts, printed, protocol);
  return { parts, printed, names, completes: createCompletes(parts) };
}

/** Returns whether a definition has a type of its own. */
export function isPrinted(definition: string, { parts, printed }: GoContext): boolean {
  return printed.includes(parts.get(definition)!);
}

/** Returns the part that a name stands for, through names for other parts. */
export function resolve(name: string, context: GoContext): Part {
  const part = context.parts.get(name)!;
  const isSame = part.kind === "alias" && part.shape.kind === "reference";
  return isSame ? resolve(part.shape.name, context) : part;
}

/** Returns the type of a part, without a pointer. */
export function typeName(name: string, context: GoContext): Go {
  return identifier(context.names.typeOf(resolve(name, context).name));
}

/** Returns the record that a shape refers to. */
export function recordOf(shape: Shape, context: GoContext): RecordPart | undefined {
  if (shape.kind !== "reference") return undefined;
  const part = resolve(shape.name, context);
  return part.kind === "record" ? part : undefined;
}

/** Returns whether a slot has a type for null besides that of its shape. */
export function isOptionalItem({ shape, nullable }: Slot): boolean {
  return nullable && shape.kind !== "any" && shape.kind !== "null";
}

/** A scalar type of Go. */
export type Scalar = keyof typeof SCALARS;

/** Returns the type of a scalar: integers that are unsigned in 64 bits have one of their own. */
export function scalarOf(shape: ScalarShape): Scalar {
  const { bits, isSigned } = integerWidth(shape);
  return shape.type === "integer" && bits === 64 && !isSigned ? "unsigned" : shape.type;
}

export const SCALARS = {
  string: go`string`,
  integer: go`int64`,
  unsigned: go`uint64`,
  number: go`float64`,
  boolean: go`bool`,
} as const;

/** Returns the type of a slot, as an item or a property that is required. */
export function slotType(slot: Slot, context: GoContext): Go {
  const type = shapeType(slot.shape, context);
  return isOptionalItem(slot) ? optionalType(slot.shape, context) : type;
}

function optionalType(shape: Shape, context: GoContext): Go {
  const isRecord = recordOf(shape, context) !== undefined;
  return go`acp.Opt[${isRecord ? go`*` : go``}${shapeType(shape, context)}]`;
}

/** Returns the type of the other properties of a record. */
export function extraType(record: RecordPart, context: GoContext): Go {
  const values = extraOf(record, context.parts);
  return values === undefined ? go`[]acp.Member` : shapeType({ kind: "map", values }, context);
}

export function shapeType(shape: Shape, context: GoContext): Go {
  switch (shape.kind) {
    case "any":
      return go`json.RawMessage`;
    case "null":
      return go`acp.NullValue`;
    case "scalar":
      return SCALARS[scalarOf(shape)];
    case "enum":
      return SCALARS[shape.type];
    case "list":
      return go`[]${slotType(shape.items, context)}`;
    case "map":
      return go`map[string]${slotType(shape.values, context)}`;
    case "reference":
      return typeName(shape.name, context);
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

/** The forms of fields: a value, a pointer to it, or one that may be absent or null. */
export type FieldForm = "value" | "pointer" | "optional";

/** Returns the form of a field. An object that is required inside of itself needs a pointer. */
export function fieldForm(field: Field, record: RecordPart, context: GoContext): FieldForm {
  if (!field.required || isOptionalItem(field)) return "optional";
  const target = recordOf(field.shape, context);
  return target !== undefined && embedded(target, context).has(record) ? "pointer" : "value";
}

/** Returns the records whose values would stand in a record. */
function embedded(record: RecordPart, context: GoContext): ReadonlySet<RecordPart> {
  const found = new Set([record]);
  for (const one of found)
    for (const field of fieldsOf(one, context.parts)) {
      const target = recordOf(field.shape, context);
      if (target !== undefined && field.required && !field.nullable) found.add(target);
    }
  return found;
}

export function fieldType(field: Field, record: RecordPart, context: GoContext): Go {
  switch (fieldForm(field, record, context)) {
    case "optional":
      return optionalType(field.shape, context);
    case "pointer":
      return go`*${shapeType(field.shape, context)}`;
    default:
      return shapeType(field.shape, context);
  }
}

/** An alternative of a union, which may stand for null beside another with its name. */
export interface GoAlternative extends Alternative {
  readonly isBeside?: boolean;
}

/** Returns the alternatives of a union, with one for null of its own where another may be null. */
export function goAlternatives(part: UnionPart): readonly GoAlternative[] {
  return part.alternatives.flatMap((one) =>
    isOptionalItem(one)
      ? [
          { ...one, nullable: false },
          { ...one, shape: { kind: "null" }, nullable: false, isBeside: true },
        ]
      : [one],
  );
}

/** Returns the name of the type of an alternative that no part has. */
export function ownType({ name, isBeside = false }: GoAlternative, context: GoContext): Go {
  const own = context.names.typeOf(name);
  return identifier(isBeside ? `${own}OrNull` : own);
}

/** Returns the types that a value of a part can have: `*Record`, `Name`, `*Unknown`. */
export function leavesOf(part: Part, context: GoContext, around: readonly Part[] = []): Set<Go> {
  if (around.includes(part)) return new Set();
  const inside = [...around, part];
  const of = (name: string): Go[] => [...leavesOf(resolve(name, context), context, inside)];
  switch (part.kind) {
    case "record":
      return new Set([go`*${typeName(part.name, context)}`]);
    case "alias":
      return new Set([typeName(part.name, context)]);
    case "choice": {
      const names = [...part.cases.map((one) => one.part), part.fallback, part.absent];
      const listed = names.flatMap((name) => (name === undefined ? [] : of(name)));
      return new Set([...listed, ...(keepsUnknown(part) ? [go`*Unknown`] : [])]);
    }
    case "union":
      return new Set(
        goAlternatives(part).flatMap((one) =>
          one.shape.kind === "reference" ? of(one.shape.name) : [ownType(one, context)],
        ),
      );
    default:
      return part satisfies never;
  }
}

/** Returns whether a diagnosis keeps variants that a choice does not list. */
export function keepsUnknown(part: ChoicePart): boolean {
  return part.isOpen || part.fallback === undefined;
}

export function isInterface(part: Part): part is ChoicePart | UnionPart {
  return part.kind === "choice" || part.kind === "union";
}
