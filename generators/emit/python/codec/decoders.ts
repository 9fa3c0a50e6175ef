import {
  isByTag,
  type ChoicePart,
  type Part,
  type RecordPart,
  type UnionPart,
} from "../../../model/parts/part.js";
import type { Field, Shape, Slot } from "../../../model/shape.js";
import { decoderName, printCheck, printedFunction, tableOf, type CodecContext } from "./checks.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import { extraOf, fieldsOf } from "../../../model/parts/fields-of.js";

/*
 * Generated decoders have two parameters, the value `v` and the mode `m`: 0 accepts only what is valid
 * and needs no report, and inserts defaults; 1 accepts what a diagnosis has accepted; 2 is as 0
 * without defaults. They raise `Slow` for any other value; `KeyError`, its base, where a required
 * property is absent; `TypeError` where the value of one is not an object.
 */
const CHECKED = 1;
const WITHOUT_DEFAULTS = 2;

/** Prints the decoder of a part: straight-line code that creates its class. */
export function printDecoder(part: Part, context: CodecContext): Python {
  const name = decoderName(part.name, context);
  const body = ((): Python => {
    switch (part.kind) {
      case "record":
        return printRecord(part, context);
      case "choice":
        return printChoice(part, context);
      case "union":
        return printUnion(part, context);
      case "alias":
        return joinPython(
          [...printCheck({ shape: part.shape, nullable: false }, py`v`, context), py`return v`],
          "\n",
        );
      default:
        return part satisfies never;
    }
  })();
  return py`def ${name}(v: Any, m: int) -> Any:\n${indent(body)}`;
}

function printRecord(record: RecordPart, context: CodecContext): Python {
  const { names } = context;
  const fields = fieldsOf(record, context.parts);
  const attribute = (property: string): Python =>
    identifier(names.attributeOf(record.name, property));
  const known = [...record.tags, ...fields].map(({ name }) => literal(name));
  const keys = known.length === 0 ? py`frozenset()` : py`frozenset((${joinPython(known, ", ")},))`;
  const type = identifier(names.typeOf(record.name));
  const constant = identifier(`k_${type}`);
  context.tables.push(py`_t_${type} = t.${type}`, py`${constant}: frozenset[str] = ${keys}`);
  const required = fields.filter((field) => field.required && field.default === undefined);
  const defaulted = fields.filter((field) => field.default !== undefined);
  const optional = fields.filter((field) => !field.required && field.default === undefined);
  const count = literal(record.tags.length + required.length);
  const print = (field: Field, more?: Python): Python[] =>
    printField(field, attribute(field.name), context, more);
  const unset = optional.map(({ name }) => py`o.${attribute(name)} = `);
  const more = py`n > ${count}`;
  return joinPython(
    [
      // To read a required property of anything but an object raises TypeError.
      ...(required.length > 0 ? [] : [py`if type(v) is not OBJECT:`, py`    raise Slow`]),
      py`o = new(_t_${type})`,
      ...record.tags.map(({ name, value }) => py`o.${attribute(name)} = ${literal(value)}`),
      ...required.flatMap((field) => print(field)),
      // The number of properties without those that may be absent and were read.
      py`n = len(v)`,
      ...defaulted.flatMap((field) => print(field)),
      // Most objects have required properties only.
      ...(optional.length === 0
        ? []
        : [
            py`if n == ${count}:`,
            py`    ${joinPython(unset, "")}UNSET`,
            py`    o.extra = None`,
            py`    return o`,
          ]),
      ...optional.flatMap((field, index) => print(field, index === 0 ? undefined : more)),
      ...record.excludes.flatMap((name) => [
        py`if ${more} and ${literal(name)} in v:`,
        py`    raise Slow`,
      ]),
      // A diagnosis has kept what a closed object does not have.
      ...(record.isClosed === true
        ? [py`if ${more} and m != ${literal(CHECKED)}:`, py`    raise Slow`]
        : []),
      ...printExtra(py`others(v, ${constant}) if ${more} else None`, record, context),
      py`return o`,
    ],
    "\n",
  );
}

/** @param others the properties that the record does not name */
function printExtra(others: Python, record: RecordPart, context: CodecContext): Python[] {
  const values = extraOf(record, context.parts);
  if (values === undefined) return [py`o.extra = ${others}`];
  const map: Slot = { shape: { kind: "map", values }, nullable: true };
  return [
    py`x = ${others}`,
    py`if x is not None:`,
    py`    x = dict(x)`,
    ...printCheck(map, py`x`, context),
    py`o.extra = x`,
  ];
}

/** @param more whether there are properties that were not read yet, for one that may be absent */
function printField(
  field: Field,
  attribute: Python,
  context: CodecContext,
  more?: Python,
): Python[] {
  const { name, required, nullable, shape, default: fallback } = field;
  const key = literal(name);
  const check = printCheck({ shape, nullable }, py`x`, context);
  const read = assigned([py`x = v[${key}]`, ...check], attribute);
  if (fallback === undefined && required) return read;
  const absent =
    fallback === undefined ? [py`o.${attribute} = UNSET`] : printDefault(field, attribute, context);
  return [
    py`if ${more === undefined ? py`` : py`${more} and `}${key} in v:`,
    ...[py`n -= 1`, ...read].map(indent),
    py`else:`,
    ...absent.map(indent),
  ];
}

/** Adds the statement that sets an attribute to `x`, or makes it of the last one. */
function assigned(statements: readonly Python[], attribute: Python): Python[] {
  const last = /^x = (.*)$/.exec(statements.at(-1)!)?.[1] as Python | undefined;
  return last === undefined
    ? [...statements, py`o.${attribute} = x`]
    : [...statements.slice(0, -1), py`o.${attribute} = ${last}`];
}

/** Prints the statements that insert the default; the value of a default gets no defaults of its own. */
function printDefault(field: Field, attribute: Python, context: CodecContext): Python[] {
  const inserted = assigned(printInserted(field, context), attribute).map(indent);
  const absent = field.required ? py`raise Slow` : py`o.${attribute} = UNSET`;
  return [py`if m == 0:`, ...inserted, py`else:`, indent(absent)];
}

function printInserted({ shape, default: fallback }: Field, context: CodecContext): Python[] {
  const value = literal(fallback!);
  if (fallback === null || !isObjectLike(shape, context)) return [py`x = ${value}`];
  const check = printCheck({ shape, nullable: false }, py`x`, context, literal(WITHOUT_DEFAULTS));
  return [py`x = fresh(${value})`, ...check];
}

function isObjectLike(shape: Shape, context: CodecContext): boolean {
  if (shape.kind === "list" || shape.kind === "map") return true;
  if (shape.kind !== "reference") return false;
  const part = context.parts.get(shape.name)!;
  return part.kind !== "alias" || isObjectLike(part.shape, context);
}

function printChoice(part: ChoicePart, context: CodecContext): Python {
  const { tag, cases, fallback, absent, isOpen } = part;
  const call = (name: string): Python => py`${decoderName(name, context)}(v, m)`;
  const table = tableOf(part, context);
  const variants = cases.map((one) => py`${literal(one.value)}: ${decoderName(one.part, context)}`);
  context.tables.push(py`${table}: dict[str, Decoder] = {${joinPython(variants, ", ")}}`);
  const chosen =
    fallback === undefined
      ? [py`return f(v, m)`]
      : [py`return known(f, ${decoderName(fallback, context)}, v, m)`];
  const kept = [py`if m == ${literal(CHECKED)}:`, py`    return kept(x, v)`];
  const listed = [py`f = ${table}.get(x)`, py`if f is not None:`, ...chosen.map(indent)];
  if (isByTag(part))
    return joinPython([py`x = v[${literal(tag)}]`, ...listed, ...kept, py`raise Slow`], "\n");
  const unlisted = isOpen || fallback === undefined;
  const refused = py`raise Slow`;
  const other = fallback === undefined ? refused : py`return ${call(fallback)}`;
  return joinPython(
    [
      py`if type(v) is not OBJECT:`,
      indent(refused),
      py`x = v.get(${literal(tag)}, UNSET)`,
      py`if type(x) is str:`,
      ...[...listed, ...(unlisted ? [...kept, refused] : [])].map(indent),
      ...(absent === undefined
        ? []
        : [py`if x is UNSET or x is None:`, indent(py`return ${call(absent)}`)]),
      other,
    ],
    "\n",
  );
}

function printUnion(part: UnionPart, context: CodecContext): Python {
  const functions = part.alternatives.map(({ shape, nullable }) => {
    const target = shape.kind === "reference" ? context.parts.get(shape.name)! : undefined;
    if (target !== undefined && target.kind !== "alias" && !nullable)
      return decoderName(target.name, context);
    return printedFunction(
      joinPython(printCheck({ shape, nullable }, py`v`, context), "\n"),
      context,
    );
  });
  const name = identifier(`_u_${context.names.typeOf(part.name)}`);
  context.tables.push(py`${name}: tuple[Decoder, ...] = (${joinPython(functions, ", ")},)`);
  const choose = part.isExclusive ? py`only` : py`first`;
  return joinPython(
    [
      ...(context.completes(part)
        ? [py`if m == 0:`, indent(printCompleted(part, name, context))]
        : []),
      py`return ${choose}(${name}, v, m)`,
    ],
    "\n",
  );
}

/**
 * Prints the choice of an alternative with its defaults. With its defaults or a repair, a value may
 * also fit an alternative before it, unless it lacks one of its required properties.
 */
function printCompleted(part: UnionPart, decoders: Python, context: CodecContext): Python {
  if (part.isExclusive) return py`raise Slow`;
  const required = part.alternatives.map(({ shape }) => {
    const target = shape.kind === "reference" ? context.parts.get(shape.name)! : undefined;
    const fields = target?.kind === "record" ? fieldsOf(target, context.parts) : [];
    const names = fields.filter((field) => field.required && field.default === undefined);
    return py`frozenset(${literal(names.map(({ name }) => name))})`;
  });
  const table = identifier(`_r_${context.names.typeOf(part.name)}`);
  context.tables.push(py`${table}: tuple[frozenset[str], ...] = (${joinPython(required, ", ")},)`);
  return py`return completed(${decoders}, ${table}, v)`;
}
