import type { AliasPart, Part, RecordPart } from "../../../model/parts/part.js";
import type { Field, Shape, Slot } from "../../../model/shape.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import { holdsItself, type CodecContext } from "./checks.js";
import { extraOf, fieldsOf } from "../../../model/parts/fields-of.js";
import { invalidScalar, unlistedValue } from "./scalar-checks.js";

/*
 * Generated encoders have two parameters, the message `o` and whether it is checked, `c`. They return
 * the object to send. For a message that must be encoded unchecked and diagnosed, they raise `Slow`,
 * or `KeyError`, its base, where a part has another class.
 */

export type EncoderContext = Pick<CodecContext, "parts" | "names" | "innerFunctions">;

/** Returns the name of the encoder of a record. */
export function encoderName(record: string, { names }: EncoderContext): Python {
  return identifier(`e_${names.typeOf(record)}`);
}

/** Prints the encoder of a record: straight-line code that returns the object to send. */
export function printEncoder(record: RecordPart, context: EncoderContext): Python {
  const attribute = (property: string): Python =>
    py`o.${identifier(context.names.attributeOf(record.name, property))}`;
  const fields = fieldsOf(record, context.parts);
  const extra = extraOf(record, context.parts);
  const values =
    extra === undefined
      ? py`o.extra`
      : encodedShape({ kind: "map", values: extra }, py`o.extra`, context);
  const required = fields
    .filter((field) => field.required)
    .map((field, index) => ({ field, variable: identifier(`a${index}`) }));
  const wrong = [
    ...record.tags.map(({ name, value }) => py`${attribute(name)} != ${literal(value)}`),
    ...required.flatMap(({ field, variable }) => invalidField(field, variable, context)),
  ];
  const always = [
    ...record.tags.map(({ name }) => py`${literal(name)}: ${attribute(name)}`),
    ...required.map(
      ({ field, variable }) => py`${literal(field.name)}: ${encoded(field, variable, context)}`,
    ),
  ];
  const body = [
    ...required.map(({ field, variable }) => py`${variable} = ${attribute(field.name)}`),
    ...refused(wrong),
    py`r: dict[str, Any] = {${joinPython(always, ", ")}}`,
    ...fields
      .filter((field) => !field.required)
      .flatMap((field) => printOptional(field, attribute(field.name), context)),
    py`if o.extra is not None:`,
    record.isClosed === true ? py`    if c:` : py`    if c and type(o.extra) is not Others:`,
    py`        raise Slow`,
    py`    extend(r, ${values}, o.extra, d.k_${identifier(context.names.typeOf(record.name))}, ${record.isOpen === true ? py`True` : py`False`})`,
    py`return r`,
  ];
  return py`def ${encoderName(record.name, context)}(o: Any, c: bool) -> Any:
${indent(joinPython(body, "\n"))}`;
}

function printOptional(field: Field, attribute: Python, context: EncoderContext): Python[] {
  return [
    py`x = ${attribute}`,
    py`if x is not UNSET:`,
    ...refused(invalid(field, py`x`, context)).map(indent),
    py`    r[${literal(field.name)}] = ${encoded(field, py`x`, context)}`,
  ];
}

/** Prints the body of an encoder of values without a class of their own, such as lists. */
export function printPlainEncoder(shape: Shape, context: EncoderContext): Python {
  const wrong = refused(invalidShape(shape, py`o`, context));
  return joinPython([...wrong, py`return ${encodedShape(shape, py`o`, context)}`], "\n");
}

function refused(conditions: readonly Python[]): Python[] {
  if (conditions.length === 0) return [];
  return [py`if c and ${anyOf(conditions)}:`, py`    raise Slow`];
}

/** Returns an operand of `and` that is true if one of the conditions is. */
function anyOf(conditions: readonly Python[]): Python {
  const [only, ...others] = conditions;
  if (others.length === 0) return only!;
  const operands = conditions.map((one) => (one.includes(" and ") ? py`(${one})` : one));
  return py`(${joinPython(operands, " or ")})`;
}

/** Returns the conditions any of which shows that the value of a required property is not valid. */
function invalidField(field: Field, value: Python, context: EncoderContext): Python[] {
  return field.shape.kind === "any" ? [py`${value} is UNSET`] : invalid(field, value, context);
}

/** Returns the conditions any of which shows that a value is not valid, apart from its parts. */
function invalid({ shape, nullable }: Slot, value: Python, context: EncoderContext): Python[] {
  const conditions = invalidShape(shape, value, context);
  if (!nullable || conditions.length === 0) return conditions;
  return [py`${value} is not None and ${anyOf(conditions)}`];
}

function invalidShape(shape: Shape, value: Python, context: EncoderContext): Python[] {
  switch (shape.kind) {
    case "any":
      return [];
    case "null":
      return [py`${value} is not None`];
    case "scalar":
      return invalidScalar(shape, value);
    case "enum":
      return unlistedValue(shape, value);
    case "reference": {
      const part = context.parts.get(shape.name)!;
      return isInline(part, context) ? invalidShape(part.shape, value, context) : [];
    }
    case "list": {
      const item = invalid(shape.items, py`i`, context);
      return [
        py`type(${value}) is not LIST`,
        ...(shape.minItems === undefined ? [] : [py`len(${value}) < ${literal(shape.minItems)}`]),
        ...(shape.maxItems === undefined ? [] : [py`len(${value}) > ${literal(shape.maxItems)}`]),
        ...(item.length === 0 ? [] : [py`any(${joinPython(item, " or ")} for i in ${value})`]),
      ];
    }
    case "map": {
      const item = invalid(shape.values, py`i`, context);
      return [
        py`type(${value}) is not OBJECT`,
        ...(item.length === 0
          ? []
          : [py`any(${joinPython(item, " or ")} for i in ${value}.values())`]),
      ];
    }
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

/** Returns the expression for the object or value to send. */
function encoded({ shape, nullable }: Slot, value: Python, context: EncoderContext): Python {
  const present = encodedShape(shape, value, context);
  return nullable && present !== value ? py`None if ${value} is None else ${present}` : present;
}

function encodedShape(shape: Shape, value: Python, context: EncoderContext): Python {
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "enum":
      return value;
    case "reference": {
      const part = context.parts.get(shape.name)!;
      if (isInline(part, context)) return encodedShape(part.shape, value, context);
      const checked = py`${tableName(part, context)}[type(${value})](${value}, c)`;
      return py`${checked} if c else freely(${tableName(part, context)}, E, ${value})`;
    }
    case "list": {
      const item = encoded(shape.items, py`i`, context);
      return item === "i" ? value : py`[${item} for i in ${value}]`;
    }
    case "map": {
      const item = encoded(shape.values, py`i`, context);
      return item === "i" ? value : py`{k: ${item} for k, i in ${value}.items()}`;
    }
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

/** Returns whether the checks of a part stand where it is used; all others have a table. */
export function isInline(part: Part, { parts }: Pick<EncoderContext, "parts">): part is AliasPart {
  return part.kind === "alias" && !holdsItself(part, parts);
}

/** Returns the name of the table of a part's encoders, by class. */
export function tableName(part: Part, { names }: EncoderContext): Python {
  return identifier(`_e_${names.typeOf(part.name)}`);
}
