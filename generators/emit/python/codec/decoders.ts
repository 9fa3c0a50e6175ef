import type { ChoicePart, Part, RecordPart, UnionPart } from "../../../model/parts/part.js";
import type { Field, Shape } from "../../../model/shape.js";
import { decoderName, printCheck, printedFunction, type CodecContext } from "./checks.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";

/*
 * Generated decoders have two parameters, the value `v` and the mode `m`: 0 accepts only what is valid
 * and needs no report, and inserts defaults; 1 accepts what a diagnosis has accepted; 2 is as 0
 * without defaults. They raise `Slow` for any other value, or `KeyError`, its base, where a required
 * property is absent.
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

/** Returns all properties of a record, with those of its base. */
export function fieldsOf(
  record: RecordPart,
  { parts }: Pick<CodecContext, "parts">,
): readonly Field[] {
  const base = record.base === undefined ? undefined : (parts.get(record.base) as RecordPart);
  const own = new Set([...record.tags, ...record.fields].map(({ name }) => name));
  const inherited = base === undefined ? [] : fieldsOf(base, { parts });
  return [...inherited.filter(({ name }) => !own.has(name)), ...record.fields];
}

function printRecord(record: RecordPart, context: CodecContext): Python {
  const { names } = context;
  const fields = fieldsOf(record, context);
  const attribute = (property: string): Python =>
    identifier(names.attributeOf(record.name, property));
  const known = [...record.tags, ...fields].map(({ name }) => literal(name));
  const keys = known.length === 0 ? py`frozenset()` : py`frozenset((${joinPython(known, ", ")},))`;
  const type = identifier(names.typeOf(record.name));
  const constant = identifier(`_k_${type}`);
  context.tables.push(py`_t_${type} = t.${type}`, py`${constant}: frozenset[str] = ${keys}`);
  const required = fields.filter((field) => field.required && field.default === undefined);
  const defaulted = fields.filter((field) => field.default !== undefined);
  const optional = fields.filter((field) => !field.required && field.default === undefined);
  const print = (field: Field): Python[] => printField(field, attribute(field.name), context);
  return joinPython(
    [
      py`if type(v) is not OBJECT:`,
      py`    raise Slow`,
      py`o = new(_t_${type})`,
      ...record.tags.map(({ name, value }) => py`o.${attribute(name)} = ${literal(value)}`),
      ...required.flatMap(print),
      // `n` counts the properties that were not read yet; most objects have only required ones.
      py`n = len(v) - ${literal(record.tags.length + required.length)}`,
      ...defaulted.flatMap(print),
      ...(optional.length === 0
        ? []
        : [
            py`if n == 0:`,
            ...optional.map(({ name }) => py`    o.${attribute(name)} = UNSET`),
            py`    o.extra = None`,
            py`    return o`,
          ]),
      ...optional.flatMap(print),
      py`o.extra = None if n == 0 else others(v, ${constant})`,
      py`return o`,
    ],
    "\n",
  );
}

function printField(field: Field, attribute: Python, context: CodecContext): Python[] {
  const { name, required, nullable, shape, default: fallback } = field;
  const check = printCheck({ shape, nullable }, py`x`, context);
  const set = py`o.${attribute} = x`;
  if (fallback === undefined && required) return [py`x = v[${literal(name)}]`, ...check, set];
  const read = py`x = v.get(${literal(name)}, UNSET)`;
  const present = [py`n -= 1`, ...check];
  if (fallback === undefined) return [read, py`if x is not UNSET:`, ...present.map(indent), set];
  return [
    read,
    py`if x is UNSET:`,
    py`    if m == 0:`,
    ...printDefault(field, context).map((line) => indent(indent(line))),
    ...(required ? [py`    else:`, py`        raise Slow`] : []),
    py`else:`,
    ...present.map(indent),
    set,
  ];
}

/** Prints the statements that insert the default; the value of a default gets no defaults of its own. */
function printDefault({ shape, default: fallback }: Field, context: CodecContext): Python[] {
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
  const call = (name: string): Python => callOf(name, context);
  const none = absent ?? fallback;
  const table = joinPython(
    cases.map((one) => py`${literal(one.value)}: ${decoderName(one.part, context)}`),
    ", ",
  );
  const chosen =
    fallback === undefined
      ? [py`        return f(v, m)`]
      : [
          py`        try:`,
          py`            return f(v, m)`,
          py`        except KeyError:`,
          py`            if m != ${literal(CHECKED)}:`,
          py`                raise`,
          py`            return ${call(fallback)}`,
        ];
  const name = identifier(`_c_${context.names.typeOf(part.name)}`);
  context.tables.push(py`${name}: dict[str, Decoder] = {${table}}`);
  return joinPython(
    [
      py`if type(v) is not OBJECT:`,
      py`    raise Slow`,
      py`x = v.get(${literal(tag)}, UNSET)`,
      py`if type(x) is str:`,
      py`    f = ${name}.get(x)`,
      py`    if f is not None:`,
      ...chosen,
      ...(isOpen || fallback === undefined
        ? [py`    if m == ${literal(CHECKED)}:`, py`        return Unknown(x, v)`]
        : []),
      ...(none === undefined
        ? []
        : [py`if x is UNSET or x is None:`, py`    return ${call(none)}`]),
      fallback === undefined || isOpen ? py`raise Slow` : py`return ${call(fallback)}`,
    ],
    "\n",
  );
}

function callOf(name: string, context: CodecContext): Python {
  return py`${decoderName(name, context)}(v, m)`;
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
  // Whether a value fits one variant only, and which one gets defaults, takes a diagnosis.
  const isDecided = part.isExclusive || context.completes(part);
  return joinPython(
    [...(isDecided ? [py`if m == 0:`, py`    raise Slow`] : []), py`return first(${name}, v, m)`],
    "\n",
  );
}
