import { extraOf, fieldsOf } from "../../model/parts/fields-of.js";
import type { Part, RecordPart, UnionPart } from "../../model/parts/part.js";
import type { EnumShape, Field, ScalarShape, Shape, Slot } from "../../model/shape.js";
import { go, identifier, indent, joinGo, rawLiteral, type Go } from "./code.js";
import {
  goAlternatives,
  fieldForm,
  isInterface,
  isOptionalItem,
  ownType,
  recordOf,
  resolve,
  scalarOf,
  SCALARS,
  slotType,
  typeName,
  type GoContext,
  type Scalar,
} from "./context.js";
import { InnerFunctions, slotName } from "./inner-functions.js";
import {
  customConditions,
  listedValues,
  scalarConditions,
  SCALAR_NAMES,
  sizeConditions,
} from "./limits.js";

/*
 * Generated encoders print `v` with `e`. They leave it to a diagnosis whether a value is valid when they
 * cannot be sure that it is.
 */

interface EncoderContext extends GoContext {
  readonly inner: InnerFunctions;
}

/** Prints the encoders: a method for each type, a function for each union. */
export function printEncoders(context: GoContext): Go {
  const own = { ...context, inner: new InnerFunctions("print") };
  const encoders = context.printed.map((part) => printEncoder(part, own));
  return joinGo(
    [...own.inner.printed, ...encoders, UNKNOWN].filter((one) => one !== ""),
    "\n",
  );
}

const UNKNOWN = go`func (v *Unknown) encodeJSON(e *codec.Encoder) {
	if v == nil {
		e.Nil()
		return
	}
	e.Unknown(v.Raw, v.Received)
}
`;

function printEncoder(part: Part, context: EncoderContext): Go {
  const name = typeName(part.name, context);
  switch (part.kind) {
    case "record":
      return printRecord(part, context);
    case "choice":
      return printInterface(name);
    case "union": {
      const own = goAlternatives(part)
        .filter(({ shape }) => shape.kind !== "reference")
        .map((one) => printNamed(ownType(one, context), one, context));
      return joinGo([printInterface(name, part), ...own], "\n");
    }
    case "alias":
      return part.shape.kind === "reference"
        ? go``
        : part.shape.kind === "enum"
          ? printEnum(name, part.shape)
          : printNamed(name, { shape: part.shape, nullable: false }, context);
    default:
      return part satisfies never;
  }
}

/** Prints the function of a union. Only a diagnosis knows whether one alternative alone fits. */
function printInterface(name: Go, part?: UnionPart): Go {
  const doubt = part?.isExclusive === true ? go`\te.Doubt()\n` : go``;
  return go`func encode${name}(v ${name}, e *codec.Encoder) {
	if v == nil {
		e.Nil()
		return
	}
${doubt}	v.encodeJSON(e)
}
`;
}

/** Prints the method of an enumeration with a method for its values. */
function printEnum(name: Go, shape: EnumShape): Go {
  const conditions = [go`v.IsKnown()`, ...customConditions(shape, go`string(v)`)];
  return go`func (v ${name}) encodeJSON(e *codec.Encoder) {
	e.Expect(${joinGo(conditions, " || ")})
	${printScalar(shape.type, go`v`, true)}
}
`;
}

function printNamed(name: Go, { shape }: Slot, context: EncoderContext): Go {
  const body = printShape(shape, go`v`, context, true);
  return go`func (v ${name}) encodeJSON(e *codec.Encoder) {\n${indent(body)}\n}\n`;
}

function printRecord(record: RecordPart, context: EncoderContext): Go {
  const name = typeName(record.name, context);
  const tags = Object.fromEntries(record.tags.map((tag) => [tag.name, tag.value]));
  const start = rawLiteral(JSON.stringify(tags).slice(0, -1));
  const fields = fieldsOf(record, context.parts).map((field) => {
    const own = identifier(context.names.fieldOf(record.name, field.name));
    return printField(field, go`v.${own}`, record, context);
  });
  const extra = extraOf(record, context.parts);
  const end =
    extra === undefined
      ? go`e.End(v.Extra, ${record.isOpen === true ? go`true` : go`false`})`
      : go`codec.EndWith(e, v.Extra, ${printerOf(extra, context)})`;
  return go`func (v *${name}) encodeJSON(e *codec.Encoder) {
	if v == nil {
		e.Nil()
		return
	}
	e.Object(${start}, v.Received)
${indent(joinGo(fields, ""))}	${end}
}
`;
}

function printField(field: Field, place: Go, record: RecordPart, context: EncoderContext): Go {
  const key = rawLiteral(`${JSON.stringify(field.name)}:`);
  const { shape } = field;
  if (fieldForm(field, record, context) !== "optional")
    return go`e.Key(${key})\n${printShape(shape, place, context)}\n`;
  const isNullable = field.nullable || shape.kind === "any";
  const kind = field.required ? go`Required` : isNullable ? go`Nullable` : go`Optional`;
  const print = printShape(shape, go`value`, context);
  const value = shape.kind === "null" ? go`_` : go`value`;
  return go`if ${value}, ok := codec.Print${kind}(e, ${key}, &${place}); ok {\n${indent(print)}\n}\n`;
}

function printScalar(type: Scalar, value: Go, isNamed: boolean): Go {
  return go`e.${SCALAR_NAMES[type]}(${isNamed ? go`${SCALARS[type]}(${value})` : value})`;
}

/** Prints statements that print a value of a shape. */
function printShape(shape: Shape, value: Go, context: EncoderContext, isNamed = false): Go {
  switch (shape.kind) {
    case "any":
      return isNamed ? go`e.Raw(json.RawMessage(${value}))` : go`e.Raw(${value})`;
    case "null":
      return go`e.Null()`;
    case "scalar": {
      const checks = scalarChecks(shape, value, isNamed);
      const expected = checks.length === 0 ? [] : [go`e.Expect(${joinGo(checks, " && ")})`];
      return joinGo([...expected, printScalar(scalarOf(shape), value, isNamed)], "\n");
    }
    case "enum": {
      const cases = [
        ...listedValues(shape).map((one) => go`${value} == ${one}`),
        ...customConditions(shape, isNamed ? go`string(${value})` : value),
      ];
      const check = cases.length === 0 ? go`e.Doubt()` : go`e.Expect(${joinGo(cases, " || ")})`;
      return joinGo([check, printScalar(shape.type, value, isNamed)], "\n");
    }
    case "list": {
      const { items } = shape;
      const sizes = sizeConditions(shape, value).map((one) => go`e.Expect(${one})`);
      const isObjects = recordOf(items.shape, context) !== undefined && !items.nullable;
      const print = isObjects
        ? go`codec.PrintObjects(e, ${value}, (*${slotType(items, context)}).encodeJSON)`
        : go`codec.PrintItems(e, ${value}, ${printerOf(items, context)})`;
      return joinGo([...sizes, print], "\n");
    }
    case "map":
      return go`codec.PrintMembers(e, ${value}, ${printerOf(shape.values, context)})`;
    case "reference":
      return isInterface(resolve(shape.name, context))
        ? go`encode${typeName(shape.name, context)}(${value}, e)`
        : go`${value}.encodeJSON(e)`;
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

/** Returns the conditions under which a scalar is certainly within its limits. */
function scalarChecks(shape: ScalarShape, value: Go, isNamed: boolean): Go[] {
  // Whether a pattern matches is for a diagnosis to find out.
  return shape.pattern === undefined ? scalarConditions(shape, value, isNamed) : [go`false`];
}

/** Returns the function that prints an item or a value of a map. */
function printerOf(slot: Slot, context: EncoderContext): Go {
  const { shape } = slot;
  const type = slotType(slot, context);
  const inner = (body: Go): Go =>
    context.inner.name(
      slotName(slot, context),
      go`(v ${type}, e *codec.Encoder) {\n${indent(body)}\n}`,
    );
  if (isOptionalItem(slot)) {
    const print = printShape(shape, go`value`, context);
    return inner(go`if value, ok := codec.PrintNull(e, v); ok {\n${indent(print)}\n}`);
  }
  if (shape.kind === "any") return go`codec.PrintRaw`;
  if (shape.kind === "scalar" && scalarChecks(shape, type, false).length === 0)
    return go`codec.Print${SCALAR_NAMES[scalarOf(shape)]}`;
  if (shape.kind !== "reference" || recordOf(shape, context) !== undefined)
    return inner(printShape(shape, go`v`, context));
  const name = typeName(shape.name, context);
  return isInterface(resolve(shape.name, context)) ? go`encode${name}` : go`${name}.encodeJSON`;
}
