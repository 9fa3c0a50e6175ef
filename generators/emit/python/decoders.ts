import type { ChoicePart, Part, RecordPart, UnionPart } from "../../model/parts/part.js";
import type { Field, Shape, Slot } from "../../model/shape.js";
import { identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import { printEnumCheck, printScalarCheck } from "./scalar-checks.js";
import type { PythonNames } from "./names.js";

/** The context of printing the functions of a part. */
export interface CodecContext {
  readonly parts: ReadonlyMap<string, Part>;
  readonly names: PythonNames;
  /** Returns whether decoding can insert a default somewhere in a value of the part. */
  readonly completes: (part: Part) => boolean;
  /** Collects the functions for values without a part, by their statements. */
  readonly innerFunctions: Map<Python, Python>;
  /** Collects the tables that decoders of unions use. */
  readonly tables: Python[];
}

/*
 * Generated decoders have two parameters, the value `v` and the mode `m`: 0 accepts only what is valid
 * and needs no report, and inserts defaults; 1 accepts what a diagnosis has accepted; 2 is as 0
 * without defaults. They raise `Slow` for any other value.
 */
const CHECKED = 1;
const WITHOUT_DEFAULTS = 2;

/** Returns the name of the decoder of a part. */
export function decoderName(part: string, { names }: CodecContext): Python {
  return identifier(`d_${names.typeOf(part)}`);
}

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
  return joinPython(
    [
      py`if type(v) is not OBJECT:`,
      py`    raise Slow`,
      py`o = new(t.${identifier(names.typeOf(record.name))})`,
      ...record.tags.map(({ name, value }) => py`o.${attribute(name)} = ${literal(value)}`),
      ...fields.flatMap((field) => printField(field, attribute(field.name), context)),
      py`o.extra = others(v, ${keys})`,
      py`return o`,
    ],
    "\n",
  );
}

function printField(field: Field, attribute: Python, context: CodecContext): Python[] {
  const { name, required, nullable, shape, default: fallback } = field;
  const read = py`x = v.get(${literal(name)}, UNSET)`;
  const check = printCheck({ shape, nullable: false }, py`x`, context);
  const set = py`o.${attribute} = x`;
  const raise = [py`if x is UNSET:`, py`    raise Slow`];
  const present = nullable ? [py`x is not None`] : [];
  if (fallback === undefined) {
    if (!required) return [read, ...guarded([py`x is not UNSET`, ...present], check), set];
    const isMissed = check.length === 0 || acceptsUnset(shape, context);
    return [read, ...(isMissed ? raise : []), ...guarded(present, check), set];
  }
  const otherwise = nullable ? py`elif x is not None:` : py`else:`;
  return [
    read,
    py`if x is UNSET:`,
    py`    if m == 0:`,
    ...printDefault(field, context).map((line) => indent(indent(line))),
    ...(required ? [py`    else:`, py`        raise Slow`] : []),
    ...(check.length > 0 ? [otherwise, ...check.map(indent)] : []),
    set,
  ];
}

/** Puts statements behind conditions; a single `if` becomes part of them. */
function guarded(conditions: readonly Python[], statements: readonly Python[]): Python[] {
  if (statements.length === 0) return [];
  if (conditions.length === 0) return [...statements];
  const [only, ...rest] = statements;
  const condition = /^if (.*):$/.exec(only!)?.[1] as Python | undefined;
  if (condition !== undefined && rest.length === 1) {
    const inner = condition.includes(" or ") ? py`(${condition})` : condition;
    return [py`if ${joinPython([...conditions, inner], " and ")}:`, ...rest];
  }
  return [py`if ${joinPython(conditions, " and ")}:`, ...statements.map(indent)];
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

/** Returns whether the check of a shape accepts a value that is absent. */
function acceptsUnset(shape: Shape, { parts }: Pick<CodecContext, "parts">): boolean {
  if (shape.kind === "any") return true;
  if (shape.kind !== "reference") return false;
  const part = parts.get(shape.name)!;
  if (part.kind === "union") return true;
  return part.kind === "alias" && acceptsUnset(part.shape, { parts });
}

/** Prints statements that check a value in a variable and replace it by its decoded form. */
function printCheck(
  { shape, nullable }: Slot,
  value: Python,
  context: CodecContext,
  mode: Python = py`m`,
): Python[] {
  const statements = checkOf(shape, value, context, mode);
  return nullable ? guarded([py`${value} is not None`], statements) : statements;
}

function checkOf(shape: Shape, value: Python, context: CodecContext, mode: Python): Python[] {
  switch (shape.kind) {
    case "any":
      return [];
    case "null":
      return [py`if ${value} is not None:`, py`    raise Slow`];
    case "scalar":
      return printScalarCheck(shape, value, mode);
    case "enum":
      return printEnumCheck(shape, value, mode);
    case "reference": {
      const part = context.parts.get(shape.name)!;
      if (part.kind === "alias") return checkOf(part.shape, value, context, mode);
      return [py`${value} = ${decoderName(shape.name, context)}(${value}, ${mode})`];
    }
    case "list": {
      const sizes = [
        ...(shape.minItems === undefined ? [] : [py`len(${value}) < ${literal(shape.minItems)}`]),
        ...(shape.maxItems === undefined ? [] : [py`len(${value}) > ${literal(shape.maxItems)}`]),
      ];
      const wrong = joinPython([py`type(${value}) is not LIST`, ...sizes], " or ");
      const items = itemOf(shape.items, context, mode);
      return [
        py`if ${wrong}:`,
        py`    raise Slow`,
        ...(items === undefined ? [] : [py`${value} = [${items} for i in ${value}]`]),
      ];
    }
    case "map": {
      const items = itemOf(shape.values, context, mode);
      return [
        py`if type(${value}) is not OBJECT:`,
        py`    raise Slow`,
        ...(items === undefined ? [] : [py`${value} = {k: ${items} for k, i in ${value}.items()}`]),
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

/** Returns the expression for an item `i`; undefined for items of any kind. */
function itemOf(
  { shape, nullable }: Slot,
  context: CodecContext,
  mode: Python,
): Python | undefined {
  const target = shape.kind === "reference" ? context.parts.get(shape.name)! : undefined;
  const plain = target?.kind === "alias" ? target.shape : shape;
  if (plain.kind === "any") return undefined;
  const decoded =
    target !== undefined && target.kind !== "alias"
      ? py`${decoderName(target.name, context)}(i, ${mode})`
      : itemCheck(plain, context, mode);
  return nullable ? py`None if i is None else ${decoded}` : decoded;
}

/** Returns an expression for an item that has no decoder of its own. */
function itemCheck(shape: Shape, context: CodecContext, mode: Python): Python {
  if (shape.kind === "scalar" && shape.type === "string" && shape.pattern === undefined)
    if (shape.minLength === undefined && shape.maxLength === undefined) return py`text(i)`;
  const statements = joinPython(checkOf(shape, py`v`, context, py`m`), "\n");
  return py`${inner(statements, context)}(i, ${mode})`;
}

/** Returns the name of a function with these statements, which is printed once a module. */
function inner(statements: Python, { innerFunctions }: CodecContext): Python {
  const name = innerFunctions.get(statements) ?? identifier(`_i${innerFunctions.size}`);
  innerFunctions.set(statements, name);
  return name;
}

/** Prints the functions that decoders of a module call for values without a part. */
export function printInner({ innerFunctions }: CodecContext): Python[] {
  return [...innerFunctions].map(([statements, name]) => {
    const body = [...(statements === "" ? [] : [statements]), py`return v`];
    return py`def ${name}(v: Any, m: int) -> Any:\n${indent(joinPython(body, "\n"))}`;
  });
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
          py`        except Slow:`,
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
    return inner(joinPython(printCheck({ shape, nullable }, py`v`, context), "\n"), context);
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
