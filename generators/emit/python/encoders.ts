import type { RecordPart } from "../../model/parts/part.js";
import type { Shape, Slot } from "../../model/shape.js";
import { identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import type { CodecContext } from "./checks.js";
import { fieldsOf } from "./decoders.js";

/** Returns the name of the encoder of a record. */
export function encoderName(record: string, { names }: CodecContext): Python {
  return identifier(`e_${names.typeOf(record)}`);
}

/** Prints the encoder of a record: straight-line code that returns the object to send. */
export function printEncoder(record: RecordPart, context: CodecContext): Python {
  const attribute = (property: string): Python =>
    py`o.${identifier(context.names.attributeOf(record.name, property))}`;
  const fields = fieldsOf(record, context);
  const always = [
    ...record.tags.map(({ name }) => py`${literal(name)}: ${attribute(name)}`),
    ...fields
      .filter(({ required }) => required)
      .map((field) => {
        const value = attribute(field.name);
        return py`${literal(field.name)}: ${encoded(field, value, context)}`;
      }),
  ];
  const optional = fields
    .filter(({ required }) => !required)
    .flatMap((field) => [
      py`x = ${attribute(field.name)}`,
      py`if x is not UNSET:`,
      py`    r[${literal(field.name)}] = ${encoded(field, py`x`, context)}`,
    ]);
  const body = [
    py`r: dict[str, Any] = {${joinPython(always, ", ")}}`,
    ...optional,
    py`if o.extra is not None:`,
    py`    r.update(o.extra)`,
    py`return r`,
  ];
  return py`def ${encoderName(record.name, context)}(o: Any) -> Any:
${indent(joinPython(body, "\n"))}`;
}

/** Returns the expression for the object or value to send. */
function encoded({ shape, nullable }: Slot, value: Python, context: CodecContext): Python {
  const present = encodedShape(shape, value, context);
  return nullable && present !== value ? py`None if ${value} is None else ${present}` : present;
}

function encodedShape(shape: Shape, value: Python, context: CodecContext): Python {
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "enum":
      return value;
    case "reference": {
      const part = context.parts.get(shape.name)!;
      if (part.kind === "alias") return encodedShape(part.shape, value, context);
      return py`E[type(${value})](${value})`;
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
