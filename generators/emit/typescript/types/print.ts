import type { JSONSchema, Options } from "json-schema-to-typescript";
import type { Definition } from "../../../model/protocol.js";
import type {
  EnumShape,
  Field,
  ObjectShape,
  OtherVariant,
  Shape,
  Slot,
  TaggedShape,
  UnionShape,
} from "../../../model/shape.js";
import {
  code,
  identifier,
  literal,
  printedCode,
  type Code,
  docComment,
  propertyName,
} from "../../../output/code.js";
import { describeDefinition, describeField, describeVariant, type Describe } from "./describe.js";
import { remember, type Memo } from "../../../schema/memo.js";

const OPTIONS: Partial<Options> = {
  additionalProperties: false,
  bannerComment: "",
  declareExternallyReferenced: false,
  format: false,
  ignoreMinAndMaxItems: true,
  unknownAny: true,
  $refOptions: { resolve: { external: false } },
};

/**
 * Any object without declared properties, as markers are. `object` alone would accept arrays, and
 * an index signature would reject interfaces.
 */
const MARKER = [code`object`, code`{ readonly [Symbol.iterator]?: never }`];

/** The context of printing a type. */
export interface PrintContext extends Describe {
  /** Returns the identifier of a definition. */
  readonly identifierOf: (name: string) => string;
  /** Returns the shape of a definition. */
  readonly shapeOf: (name: string) => Shape;
  readonly memo?: Memo;
}

/** Prints one definition as one exported type, with json-schema-to-typescript. */
export async function printDefinition(
  definition: Definition,
  context: PrintContext,
): Promise<Code> {
  const placeholders = createPlaceholders();
  const schema: JSONSchema = {
    ...placeholders.doc(describeDefinition(definition, context)),
    ...printShape(definition.shape, { ...context, ...placeholders }),
  };
  const text = await remember(context.memo, "json-schema-to-typescript", schema, printSchema);
  const named = text.replace(
    /^(export (?:interface|type)) Root\b/m,
    `$1 ${identifier(definition.identifier)}`,
  );
  return printedCode(placeholders.fill(named).trim());
}

async function printSchema(schema: JSONSchema): Promise<string> {
  const { compile } = await import("json-schema-to-typescript");
  return compile(schema as Parameters<typeof compile>[0], "Root", OPTIONS);
}

/** The context of printing, with the placeholders for its text. */
type Printing = PrintContext & Omit<Placeholders, "fill">;

/** Returns the schema for which json-schema-to-typescript prints the type of a shape. */
export function printShape(shape: Shape, to: Printing): JSONSchema {
  switch (shape.kind) {
    case "any":
      return printed(code`unknown`, to);
    case "null":
      return { type: "null" };
    case "scalar":
      return shape.constant === undefined
        ? { type: shape.type }
        : printed(literal(shape.constant), to);
    case "reference":
      return printed(identifier(to.identifierOf(shape.name)), to);
    case "enum":
      return printEnum(shape, to);
    case "list":
      return {
        allOf: [{ tsType: READONLY }, { type: "array", items: printSlot(shape.items, to) }],
      };
    case "map":
      return { type: "object", additionalProperties: printSlot(shape.values, to) };
    case "object":
      return shape.fields.length === 0 && othersIn(shape, to) === undefined
        ? { allOf: MARKER.map((type) => printed(type, to)) }
        : printObject(propertiesOf(shape.fields, to), othersIn(shape, to) ?? false, to);
    case "tagged":
      return withShared(printTagged(shape, to), shape.shared, to);
    case "union":
      return withShared(printUnion(shape, to), shape.shared, to);
    default:
      return shape satisfies never;
  }
}

function printSlot({ shape, nullable }: Slot, to: Printing): JSONSchema {
  const schema = printShape(shape, to);
  return nullable ? { anyOf: [schema, { type: "null" }] } : schema;
}

function printed(type: Code, to: Printing): JSONSchema {
  return { tsType: to.type(type) };
}

function printEnum(shape: EnumShape, to: Printing): JSONSchema {
  const values = shape.values.map(({ value }) => printed(literal(value), to));
  if (shape.open === undefined) return { anyOf: values };
  const others = shape.open.isReceived || shape.type === "integer" ? other(shape.type) : CUSTOM;
  return { anyOf: [...values, printed(others, to)] };
}

/** The type of the values of a program's own that an open enumeration takes where one sends it. */
const CUSTOM = code`\`_\${string}\``;

/** Returns the type of any value of a type beside listed ones, which editors suggest nevertheless. */
function other(type: "string" | "integer"): Code {
  return type === "string" ? code`(string & {})` : code`(number & {})`;
}

/** Prints a union without a tag. A listed value and any value are told apart for editors. */
function printUnion({ variants }: UnionShape, to: Printing): JSONSchema {
  const shapes = variants.map(({ slot }) => slot.shape);
  const listed = shapes.map((shape) =>
    shape.kind === "reference" ? to.shapeOf(shape.name) : shape,
  );
  const isListed = (type: string): boolean =>
    listed.some((shape) => shape.kind === "enum" && shape.type === type);
  const print = (slot: Slot): JSONSchema => {
    const { shape, nullable } = slot;
    const isOther = shape.kind === "scalar" && !nullable && isListed(shape.type);
    return isOther && (shape.type === "string" || shape.type === "integer")
      ? printed(other(shape.type), to)
      : printSlot(slot, to);
  };
  return { anyOf: variants.map(({ slot }) => print(slot)) };
}

/**
 * Returns the type of the properties that an object does not describe, where it limits them. The
 * library adds those of the properties that it describes, which an index signature needs (TS2411).
 */
function othersIn(shape: ObjectShape, to: Printing): JSONSchema | undefined {
  const { fields, patterns = [], others, closed } = shape;
  if (patterns.length === 0 && others === undefined) return undefined;
  const slots = [...patterns.map(({ values }) => values), ...(others ? [others] : [])];
  const isOpen = others === undefined && closed !== true;
  if (isOpen || [...fields, ...slots].some((slot) => slot.shape.kind === "any"))
    return printed(code`unknown`, to);
  return { anyOf: [...slots.map((slot) => printSlot(slot, to)), UNDEFINED] };
}

function propertiesOf(fields: readonly Field[], to: Printing): readonly Property[] {
  return fields.map((field) => property(field, to));
}

function printFields(fields: readonly Field[], to: Printing): JSONSchema {
  return printObject(propertiesOf(fields, to), false, to);
}

function property(field: Field, to: Printing): Property {
  const slot = printSlot(field, to);
  // An optional property may also be `undefined`, which is sent as if it were absent.
  const isWidened = !field.required && field.shape.kind !== "any";
  const type = isWidened ? { anyOf: [...(slot.anyOf ?? [slot]), UNDEFINED] } : slot;
  const schema = { ...to.doc(describeField(field, to)), ...type };
  return { name: field.name, required: field.required, schema };
}

interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JSONSchema;
}

function printObject(
  properties: readonly Property[],
  open: boolean | JSONSchema,
  to: Printing,
): JSONSchema {
  const keyed = properties.map((property) => ({ ...property, key: to.key(property.name) }));
  return {
    type: "object",
    properties: Object.fromEntries(keyed.map(({ key, schema }) => [key, schema])),
    required: keyed.filter(({ required }) => required).map(({ key }) => key),
    additionalProperties: open,
  };
}

function printTagged(shape: TaggedShape, to: Printing): JSONSchema {
  const { tag, open, absent, fallback } = shape;
  const variants = shape.variants.map(({ value, body, ...variant }) => {
    const schema = { ...to.doc(describeVariant(variant, to)), ...printed(literal(value), to) };
    return withBody({ name: tag, required: true, schema }, body, false, to);
  });
  const other = (
    variant: OtherVariant,
    type: Code,
    required: boolean,
    isOpen: boolean,
  ): JSONSchema => {
    const schema = { ...to.doc(describeVariant(variant, to)), ...printed(type, to) };
    return withBody({ name: tag, required, schema }, variant.body, isOpen, to);
  };
  // A template literal type never equals a known tag, so that unions narrow.
  if (open) variants.push(other(open, code`\`_\${string}\``, true, true));
  if (absent) variants.push(other(absent, code`null`, false, false));
  if (fallback) variants.push(other(fallback, code`never`, false, false));
  return { anyOf: variants };
}

/** Returns the schema of a variant: its tag and the properties of its body. */
function withBody(tag: Property, body: Shape, open: boolean, to: Printing): JSONSchema {
  if (body.kind === "object") {
    const others = othersIn(body, to) ?? open;
    return printObject([tag, ...propertiesOf(body.fields, to)], others, to);
  }
  return { allOf: [printObject([tag], open, to), printShape(body, to)] };
}

function withShared(alternatives: JSONSchema, shared: readonly Field[], to: Printing): JSONSchema {
  return shared.length === 0 ? alternatives : { allOf: [printFields(shared, to), alternatives] };
}

/**
 * Replaces schema text while json-schema-to-typescript prints: the library sees only generated
 * names, so no text of a schema can be misread, renamed or executed. `fill` inserts the text
 * again, as code or as a comment.
 */
interface Placeholders {
  /** Returns the placeholder of a printed type. */
  readonly type: (type: Code) => string;
  /** Returns the placeholder of a property name. */
  readonly key: (name: string) => string;
  /** Returns the placeholder of a documentation comment; empty for empty text. */
  readonly doc: (text: string) => { readonly description?: string };
  /** Replaces every placeholder in the output of the library. */
  readonly fill: (printed: string) => string;
}

const UNDEFINED: JSONSchema = { tsType: "undefined" };

/** The member of an intersection with an array that makes it readonly: the library has no such type. */
export const READONLY = "READONLY_";

function createPlaceholders(): Placeholders {
  const types: Code[] = [];
  const keys: Code[] = [];
  const docs: Code[] = [];
  return {
    type: (type) => `TYPE_${types.push(type) - 1}_`,
    key: (name) => `KEY_${keys.push(propertyName(name)) - 1}_`,
    doc: (text) => (text === "" ? {} : { description: `DOC_${docs.push(docComment(text)) - 1}_` }),
    // A single pass, so that inserted text is never searched.
    fill: (printed) =>
      printed
        .replaceAll(`${READONLY} & `, "readonly ")
        .replace(
          /\/\*\*\n \* DOC_(\d+)_\n \*\/|\bKEY_(\d+)_|\bTYPE_(\d+)_/g,
          (_, doc?: string, key?: string, type?: string) =>
            doc !== undefined ? docs[+doc]! : key !== undefined ? keys[+key]! : types[+type!]!,
        ),
  };
}
