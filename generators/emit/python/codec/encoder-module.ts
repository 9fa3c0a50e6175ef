import type { Part, RecordPart } from "../../../model/parts/part.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { importFrom, usedOf } from "./imported-names.js";
import { printEncoderTable } from "./encoder-tables.js";
import { encoderName, isInline, printEncoder, tableName, type EncoderContext } from "./encoders.js";

/**
 * Prints a module with the fast path for sent values: encoders as straight-line code.
 *
 * @param shown the parts whose encoders it has; those of others are in the module of the handshake
 * @param prefix begins the names of the module's files
 */
export function printEncoders(
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
  shown: readonly Part[],
  prefix = "",
): Python {
  const context: EncoderContext = { parts, names, innerFunctions: new Map() };
  const records = shown.filter((part): part is RecordPart => part.kind === "record");
  const encoders = records.map((record) => printEncoder(record, context));
  const classes = records.map(
    ({ name }) => py`t.${identifier(names.typeOf(name))}: ${encoderName(name, context)},`,
  );
  const tabled = shown.filter((part) => !isInline(part, context));
  const tables = tabled.map((part) => printEncoderTable(part, context));
  const checked = shown
    .filter(({ path }) => path.length === 1)
    .flatMap((part) => {
      const target = targetOf(part, context);
      return isInline(target, context)
        ? []
        : [py`${literal(part.name)}: ${tableName(target, context)},`];
    });
  const functions = joinPython([...printPlain(context), ...encoders], "\n\n\n");
  const dispatched = joinPython(tables, "\n");
  const others = [...parts.values()].filter((part) => !shown.includes(part));
  const imported = usedOf(
    others.flatMap((part) => [
      ...(part.kind === "record" ? [encoderName(part.name, context)] : []),
      ...(isInline(part, context) ? [] : [tableName(part, context)]),
    ]),
    `${functions}\n${dispatched}\n${checked.join("\n")}`,
  );
  const isFirst = prefix !== "" || others.length === 0;
  const loads =
    prefix === ""
      ? py``
      : py`def _load_others() -> None:
    from . import _encoders  # noqa: F401


`;
  const table = py`{
${indent(joinPython(classes, "\n"))}
}`;
  return py`"""The fast path: encoders of types, without explanations."""

# fmt: off
from __future__ import annotations

from typing import Any

from .._runtime.decoding import Others, Slow
${
  isFirst
    ? py`from .._runtime.encoding import (
    Encoder,
    Encoders,
    apart,
    either,
    extend,
    freely,
    tagged,
    untagged,
)`
    : py`from .._runtime.encoding import Encoder, apart, either, extend, freely, tagged, untagged`
}
from .._runtime.json_values import LIST, NUMBERS, OBJECT
from .._runtime.message import UNSET
from .._runtime.patterns import matches
from . import ${identifier(`${prefix}_decoders`)} as d
from . import types as t
${isFirst ? py`` : importFrom("_handshake_encoders", [py`E`, ...imported])}
__all__ = ("CHECKED", "LIST", "NUMBERS", "OBJECT", "UNSET", "E", "Others", "Slow", "apart", "d", "either", "extend", "freely", "matches", "tagged", "untagged")


${functions}


${isFirst ? py`${loads}E = Encoders(${table}${loads === "" ? py`` : py`, _load_others`})` : py`E.update(${table})`}
${dispatched}

CHECKED: dict[str, dict[type, Encoder]] = {
${indent(joinPython(checked, "\n"))}
}
`;
}

/** Prints the functions that tables name for values without a class of their own. */
function printPlain({ innerFunctions }: EncoderContext): Python[] {
  return [...innerFunctions].map(
    ([body, name]) => py`def ${name}(o: Any, c: bool) -> Any:\n${indent(body)}`,
  );
}

/** Returns the part that a part is only another name of, or the part itself. */
function targetOf(part: Part, context: EncoderContext): Part {
  if (!isInline(part, context) || part.shape.kind !== "reference") return part;
  return targetOf(context.parts.get(part.shape.name)!, context);
}
