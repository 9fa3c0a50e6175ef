import { isByTag, type AliasPart, type ChoicePart, type Part } from "../../../model/parts/part.js";
import type { Shape, Slot } from "../../../model/shape.js";
import { referencesOf } from "../../../model/visit-shape.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { printEnumCheck, printScalarCheck } from "./scalar-checks.js";

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

/** Returns the name of the decoder of a part. */
export function decoderName(part: string, { names }: CodecContext): Python {
  return identifier(`d_${names.typeOf(part)}`);
}

/** Returns the name of the table of a union's decoders, by tag. */
export function tableOf(part: ChoicePart, { names }: CodecContext): Python {
  return identifier(`_c_${names.typeOf(part.name)}`);
}

/** Returns the expression for the decoded value of a part. */
function decoded(part: Part, value: Python, mode: Python, context: CodecContext): Python {
  const call = py`${decoderName(part.name, context)}(${value}, ${mode})`;
  if (!isByTag(part)) return call;
  // After a diagnosis, there may be tags that are kept although they are not known.
  const direct = py`${tableOf(part, context)}[${value}[${literal(part.tag)}]](${value}, ${mode})`;
  return mode === "m" ? py`${direct} if m != 1 else ${call}` : direct;
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

/** Prints statements that check a value in a variable and replace it by its decoded form. */
export function printCheck(
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
      return [py`${value} = ${decoded(part, value, mode, context)}`];
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
  const isInline = target?.kind === "alias" && !holdsItself(target, context.parts);
  const plain = isInline ? target.shape : shape;
  if (plain.kind === "any") return undefined;
  const present =
    target !== undefined && !isInline
      ? decoded(target, py`i`, mode, context)
      : itemCheck(plain, context, mode);
  return nullable ? py`None if i is None else ${present}` : present;
}

/** Returns whether an alias is found inside of its own shape, as in a list of such lists. */
export function holdsItself(alias: AliasPart, parts: ReadonlyMap<string, Part>): boolean {
  const reached = new Set(referencesOf(alias.shape));
  for (const name of reached) {
    const part = parts.get(name)!;
    if (part.kind === "alias") referencesOf(part.shape).forEach((one) => reached.add(one));
  }
  return reached.has(alias.name);
}

/** Returns an expression for an item that has no decoder of its own. */
function itemCheck(shape: Shape, context: CodecContext, mode: Python): Python {
  if (shape.kind === "scalar" && shape.type === "string" && shape.pattern === undefined)
    if (shape.minLength === undefined && shape.maxLength === undefined) return py`text(i)`;
  const statements = joinPython(checkOf(shape, py`v`, context, py`m`), "\n");
  return py`${printedFunction(statements, context)}(i, ${mode})`;
}

/** Returns the name of a function with these statements, which is printed once a module. */
export function printedFunction(
  statements: Python,
  { innerFunctions }: Pick<CodecContext, "innerFunctions">,
): Python {
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
