import { fieldText } from "../../model/field-text.js";
import type { Part, RecordPart } from "../../model/parts/part.js";
import type { EnumShape, Field, Shape, Slot } from "../../model/shape.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import { inDependencyOrder, targetsOf } from "../../model/parts/dependency-order.js";
import type { PythonNames } from "./names.js";

/** Prints the module of types: a class for each record, an alias for everything else. */
export function printTypes(parts: ReadonlyMap<string, Part>, names: PythonNames): Python {
  const all = [...parts.values()];
  const records = all.filter((part) => part.kind === "record");
  const classes = [
    ...records.filter(({ base }) => base === undefined),
    ...records.filter(({ base }) => base !== undefined),
  ].map((record) => printClass(record, parts, names));
  const unions = inDependencyOrder(all.filter((part) => part.kind !== "record"));
  // Names that no expression may contain: they are not defined yet, or stand for a text, or for
  // `None`, which has no union with itself.
  const quoted = new Set(unions.map(({ name }) => name));
  const aliases = unions.map((part) => {
    const isQuoted = targetsOf(part).some((name) => quoted.has(name));
    if (!isQuoted && !isNull(part)) quoted.delete(part.name);
    return printAlias(part, names, { isQuoted });
  });
  const body = joinPython([...classes, joinPython(aliases, "\n\n")], "\n\n\n");
  const imported = (module: Python, names: readonly string[]): readonly Python[] => {
    const used = names.filter((name) => (USES[name] ?? new RegExp(`\\b${name}\\b`)).test(body));
    const listed = joinPython(used.map(identifier), ", ");
    return used.length === 0 ? [] : [py`from ${module} import ${listed}\n`];
  };
  const imports = [
    ...imported(py`typing`, ["Any", "Literal", "TypeAlias", "final"]),
    ...imported(py`.._runtime.message`, ["UNSET", "Message", "Open", "Unknown", "Unset", "field"]),
  ];
  return py`${DOC}

from __future__ import annotations

${joinPython(imports, "\n")}
${records.length > 0 ? py`\n` : py``}${body}
`;
}

/** How names are used that are also words of texts. */
const USES: { readonly [name: string]: RegExp } = {
  Open: /: Open\[/,
  field: /= field\(/,
  final: /^@final$/m,
};

function isNull(part: Part): boolean {
  return part.kind === "alias" && part.shape.kind === "null";
}

/**
 * Prints what belongs to a definition without documentation: a class for each record in it, and
 * its own alias.
 */
export function printDeclaration(
  definition: string,
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
): Python {
  const own = [...parts.values()].filter(({ path }) => path[0] === definition);
  const declared = own
    .filter(({ kind, name }) => kind === "record" || name === definition)
    .map((part) =>
      part.kind === "record"
        ? printClass(part, parts, names, noDocs)
        : printAlias(part, names, { docs: noDocs }),
    );
  return joinPython(declared, "\n\n");
}

/** Prints the documentation of something; undefined for none. */
type Docs = (text: string) => Python | undefined;

const noDocs: Docs = () => undefined;

const DOC = py`"""The types of the protocol: one for each definition, and one for each variant."""`;

function printClass(
  record: RecordPart,
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
  docs: Docs = docstring,
): Python {
  const { name, base, tags, fields, extra } = record;
  const attribute = (property: string): Python => identifier(names.attributeOf(name, property));
  const doc = docs(record.description);
  const members = [
    ...(doc === undefined ? [] : [doc]),
    ...tags.map(({ name: tag, value }) => {
      const text = literal(value);
      return py`${attribute(tag)}: Literal[${text}] = ${text}`;
    }),
    ...fields.map((field) => printField(field, attribute(field.name), names, docs)),
    ...(extra === undefined
      ? []
      : [py`extra: dict[str, ${printSlot(extra, names)}] | None = None`]),
  ];
  const parent = base === undefined ? py`Message` : identifier(names.typeOf(base));
  const body = joinPython(members.length === 0 ? [py`pass`] : spaced(members, doc), "\n");
  // Type checkers narrow a variant by the class of its definition if nothing else can have both.
  const isFinal = base !== undefined && ![...parts.values()].some((one) => isBasedOn(one, name));
  return py`${isFinal ? py`@final\n` : py``}class ${identifier(names.typeOf(name))}(${parent}):
${indent(body)}`;
}

function isBasedOn(part: Part, name: string): boolean {
  return part.kind === "record" && part.base === name;
}

/** Puts an empty line below the docstring of a class. */
function spaced(members: readonly Python[], doc: Python | undefined): readonly Python[] {
  return doc === undefined || members.length === 1 ? members : [py`${doc}\n`, ...members.slice(1)];
}

function printField(field: Field, attribute: Python, names: PythonNames, docs: Docs): Python {
  const declared = printDeclared(attribute, field, names);
  const doc = docs(fieldText(field));
  return doc === undefined ? declared : py`${declared}\n${doc}`;
}

/** Prints an attribute with its type and its default. */
function printDeclared(attribute: Python, field: Field, names: PythonNames): Python {
  const isOpen = isClosed(field.shape, names);
  const slot = printSlot(field, names, { isSent: true });
  const type = field.required ? slot : py`${slot} | Unset`;
  const typed = py`${attribute}: ${isOpen ? py`Open[${type}]` : type}`;
  if (field.required) return typed;
  const line = py`${typed} = ${isOpen ? py`field(default=UNSET)` : py`UNSET`}`;
  if (line.length <= WIDTH - "    ".length) return line;
  return py`${typed} = ${isOpen ? py`field(\n    default=UNSET\n)` : py`(\n    UNSET\n)`}`;
}

function isClosed(shape: Shape, names: PythonNames): boolean {
  return shape.kind === "reference" && names.isClosed(shape.name);
}

interface SlotOptions {
  /** What stands before the names of types. */
  readonly module?: "" | "_t.";
  /** Whether a program gives the value, which must then be one that the schema lists. */
  readonly isSent?: boolean;
}

/** Prints the type of a slot in a part. */
export function printSlot(
  { shape, nullable }: Slot,
  names: PythonNames,
  { module = "", isSent = false }: SlotOptions = {},
): Python {
  const isOpen = !isSent && isClosed(shape, names);
  const type = isOpen
    ? py`${printShape(shape, names, module)} | str`
    : printShape(shape, names, module);
  return nullable && type !== "Any" && type !== "None" ? py`${type} | None` : type;
}

/** Prints the type of a shape in a part, which refers to other parts. */
function printShape(shape: Shape, names: PythonNames, module: "" | "_t." = ""): Python {
  switch (shape.kind) {
    case "null":
      return py`None`;
    case "scalar":
      return shape.constant === undefined
        ? SCALARS[shape.type]
        : py`Literal[${literal(shape.constant)}]`;
    case "enum":
      return shape.type === "string" ? py`str` : py`int`;
    case "reference":
      return qualified(module, names.typeOf(shape.name));
    case "list":
      return py`list[${printSlot(shape.items, names, { module })}]`;
    case "map":
      return py`dict[str, ${printSlot(shape.values, names, { module })}]`;
    case "any":
      return py`Any`;
    case "object":
    case "tagged":
    case "union":
      throw new Error(`a part holds a shape of the kind ${shape.kind}`);
    default:
      return shape satisfies never;
  }
}

function qualified(module: "" | "_t.", name: string): Python {
  return module === "" ? identifier(name) : py`_t.${identifier(name)}`;
}

const SCALARS = {
  string: py`str`,
  integer: py`int`,
  number: py`float`,
  boolean: py`bool`,
} as const;

interface AliasOptions {
  readonly docs?: Docs;
  /** Whether the type is written as a text, which is read once all names are defined. */
  readonly isQuoted?: boolean;
}

function printAlias(
  part: Exclude<Part, RecordPart>,
  names: PythonNames,
  { docs = docstring, isQuoted = false }: AliasOptions = {},
): Python {
  const doc = docs(part.description);
  const name = identifier(names.typeOf(part.name));
  const alias =
    part.kind === "alias" && part.shape.kind === "enum" && names.isClosed(part.name)
      ? printClosed(name, part.shape)
      : printAssignment(name, membersOf(part, names), isQuoted);
  return doc === undefined ? alias : py`${alias}\n${doc}`;
}

/** Returns the alternatives of a part; one for a part that is not a union. */
function membersOf(part: Exclude<Part, RecordPart>, names: PythonNames): readonly Python[] {
  switch (part.kind) {
    case "choice": {
      const others = [part.fallback, part.absent].flatMap((name) => name ?? []);
      const members = [...part.cases.map((one) => one.part), ...others].map((name) =>
        identifier(names.typeOf(name)),
      );
      const isKept = part.isOpen || part.fallback === undefined;
      return [...members, ...(isKept ? [py`Unknown`] : [])];
    }
    case "union":
      return part.alternatives.map((slot) => printSlot(slot, names));
    case "alias": {
      const { shape } = part;
      if (shape.kind !== "enum") return [printShape(shape, names)];
      const values = shape.values.map(({ value }) => literal(value));
      return [...(values.length === 0 ? [] : [printListed(values)]), SCALARS[shape.type]];
    }
    default:
      return part satisfies never;
  }
}

/** The longest line that formatters leave as it is. */
const WIDTH = 88;

/** Prints an alias as formatters do: on one line, or with a member of the union on each. */
function printAssignment(name: Python, members: readonly Python[], isQuoted: boolean): Python {
  const distinct = [...new Set(members)];
  const joined = joinPython(distinct, " | ");
  if (isQuoted) return py`${name}: TypeAlias = ${literal(joined)}`;
  const line = py`${name}: TypeAlias = ${joined}`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  if (joined.length <= WIDTH - "    ".length && !joined.includes("\n"))
    return py`${name}: TypeAlias = (\n${indent(joined)}\n)`;
  const [first, ...rest] = distinct;
  const lines = [first!, ...rest.map((one) => py`| ${one}`)];
  return py`${name}: TypeAlias = (\n${indent(joinPython(lines, "\n"))}\n)`;
}

/** Prints an alias of listed values as formatters do. */
function printClosed(name: Python, { values }: EnumShape): Python {
  const listed = values.map(({ value }) => literal(value));
  const start = py`${name}: TypeAlias = Literal`;
  const joined = joinPython(listed, ", ");
  if (start.length + joined.length + "[]".length <= WIDTH) return py`${start}[${joined}]`;
  if (joined.length <= WIDTH - "    ".length) return py`${start}[\n${indent(joined)}\n]`;
  return py`${start}[\n${indent(
    joinPython(
      listed.map((value) => py`${value},`),
      "\n",
    ),
  )}\n]`;
}

/** Prints a type of listed values, on one line if it has room there. */
function printListed(values: readonly Python[]): Python {
  const line = py`Literal[${joinPython(values, ", ")}]`;
  if (line.length <= WIDTH - "    ".length) return line;
  const lines = values.map((value) => py`${value},`);
  return py`Literal[\n${indent(joinPython(lines, "\n"))}\n]`;
}
