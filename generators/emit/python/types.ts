import { describeConstraints } from "../../model/constraint-text.js";
import { gateText } from "../../model/gates/gate-text.js";
import type { Part, RecordPart } from "../../model/parts/part.js";
import type { Field, Shape, Slot } from "../../model/shape.js";
import { plainText } from "../../model/text-part.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import { inDependencyOrder } from "./dependency-order.js";
import type { PythonNames } from "./names.js";

/** Prints the module of types: a class for each record, an alias for everything else. */
export function printTypes(parts: ReadonlyMap<string, Part>, names: PythonNames): Python {
  const all = [...parts.values()];
  const records = all.filter((part) => part.kind === "record");
  const classes = [
    ...records.filter(({ base }) => base === undefined),
    ...records.filter(({ base }) => base !== undefined),
  ].map((record) => printClass(record, names));
  const unions = inDependencyOrder(all.filter((part) => part.kind !== "record"));
  const aliases = unions.map((part, index) => {
    const later = new Set(unions.slice(index).map(({ name }) => names.typeOf(name)));
    return printAlias(part, { ...names, later });
  });
  const body = joinPython([...classes, joinPython(aliases, "\n\n")], "\n\n\n");
  const used = ["Any", "Literal", "TypeAlias", "Union"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  );
  const typing =
    used.length === 0 ? [] : [py`from typing import ${joinPython(used.map(identifier), ", ")}`];
  const runtime = ["UNSET", "Message", "Unknown", "Unset"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  );
  return py`${DOC}

from __future__ import annotations

${joinPython(typing, "\n")}

from .._runtime.message import ${joinPython(runtime.map(identifier), ", ")}

${records.length > 0 ? py`\n` : py``}${body}
`;
}

const DOC = py`"""The types of the protocol: one for each definition, and one for each variant."""`;

function printClass(record: RecordPart, names: PythonNames): Python {
  const { name, base, tags, fields } = record;
  const attribute = (property: string): Python => identifier(names.attributeOf(name, property));
  const doc = docstring(record.description);
  const members = [
    ...(doc === undefined ? [] : [doc]),
    ...tags.map(({ name: tag, value }) => {
      const text = literal(value);
      return py`${attribute(tag)}: Literal[${text}] = ${text}`;
    }),
    ...fields.map((field) => printField(field, attribute(field.name), names)),
  ];
  const parent = base === undefined ? py`Message` : identifier(names.typeOf(base));
  const body = joinPython(members.length === 0 ? [py`pass`] : spaced(members, doc), "\n");
  return py`class ${identifier(names.typeOf(name))}(${parent}):
${indent(body)}`;
}

/** Puts an empty line below the docstring of a class. */
function spaced(members: readonly Python[], doc: Python | undefined): readonly Python[] {
  return doc === undefined || members.length === 1 ? members : [py`${doc}\n`, ...members.slice(1)];
}

function printField(field: Field, attribute: Python, names: PythonNames): Python {
  const type = printSlot(field, names);
  const declared = field.required
    ? py`${attribute}: ${type}`
    : py`${attribute}: ${type} | Unset = UNSET`;
  const variants = Object.entries(field.variantGates).map(
    ([tag, gate]) => `\`${tag}\`: ${gateText(gate)}`,
  );
  const doc = docstring(
    [
      field.description,
      describeConstraints(field.shape).map(plainText).join(" "),
      gateText(field.gate),
      ...variants,
    ]
      .filter((text) => text !== "")
      .join("\n\n"),
  );
  return doc === undefined ? declared : py`${declared}\n${doc}`;
}

/** The names of types, and those that are not defined before the end of the current statement. */
interface Context extends PythonNames {
  readonly later?: ReadonlySet<string>;
}

function printSlot({ shape, nullable }: Slot, names: Context): Python {
  const type = printShape(shape, names);
  return nullable && type !== "Any" && type !== "None" ? py`${type} | None` : type;
}

/** Prints the type of a shape in a part, which refers to other parts. */
function printShape(shape: Shape, names: Context): Python {
  switch (shape.kind) {
    case "null":
      return py`None`;
    case "scalar":
      return SCALARS[shape.type];
    case "enum":
      return shape.type === "string" ? py`str` : py`int`;
    case "reference":
      return printName(shape.name, names);
    case "list":
      return py`list[${printSlot(shape.items, names)}]`;
    case "map":
      return py`dict[str, ${printSlot(shape.values, names)}]`;
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

function printName(part: string, names: Context): Python {
  const name = identifier(names.typeOf(part));
  return names.later?.has(name) ? literal(name) : name;
}

const SCALARS = {
  string: py`str`,
  integer: py`int`,
  number: py`float`,
  boolean: py`bool`,
} as const;

function printAlias(part: Exclude<Part, RecordPart>, names: Context): Python {
  const doc = docstring(part.description);
  const alias = py`${identifier(names.typeOf(part.name))}: TypeAlias = ${aliased(part, names)}`;
  return doc === undefined ? alias : py`${alias}\n${doc}`;
}

function aliased(part: Exclude<Part, RecordPart>, names: Context): Python {
  switch (part.kind) {
    case "choice": {
      const others = [part.fallback, part.absent].flatMap((name) => name ?? []);
      const members = [...part.cases.map((one) => one.part), ...others].map((name) =>
        printName(name, names),
      );
      const isKept = part.isOpen || part.fallback === undefined;
      return printUnion([...members, ...(isKept ? [py`Unknown`] : [])]);
    }
    case "union":
      return printUnion(part.alternatives.map((slot) => printSlot(slot, names)));
    case "alias": {
      const { shape } = part;
      if (shape.kind !== "enum") return printShape(shape, names);
      const values = shape.values.map(({ value }) => py`    ${literal(value)},\n`);
      const base = SCALARS[shape.type];
      if (values.length === 0) return base;
      const listed = py`Literal[\n${joinPython(values, "")}]`;
      return printUnion([listed, base]);
    }
    default:
      return part satisfies never;
  }
}

/** Prints a union with a member on each line, which formatters leave as it is. */
function printUnion(members: readonly Python[]): Python {
  const distinct = [...new Set(members)];
  if (distinct.length === 1) return distinct[0]!;
  return py`Union[\n${indent(
    joinPython(
      distinct.map((one) => py`${one},`),
      "\n",
    ),
  )}\n]`;
}
