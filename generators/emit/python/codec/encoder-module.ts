import type { Part, RecordPart } from "../../../model/parts/part.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { printTable } from "./encoder-tables.js";
import { encoderName, isInline, printEncoder, tableName, type EncoderContext } from "./encoders.js";

/** Prints the module with the fast path for sent values: encoders as straight-line code. */
export function printEncoders(parts: ReadonlyMap<string, Part>, names: PythonNames): Python {
  const context: EncoderContext = { parts, names, innerFunctions: new Map() };
  const all = [...parts.values()];
  const records = all.filter((part): part is RecordPart => part.kind === "record");
  const encoders = records.map((record) => printEncoder(record, context));
  const classes = records.map(
    ({ name }) => py`t.${identifier(names.typeOf(name))}: ${encoderName(name, context)},`,
  );
  const tabled = all.filter((part) => !isInline(part, context));
  const tables = tabled.map((part) => printTable(part, context));
  const checked = all
    .filter(({ path }) => path.length === 1)
    .flatMap((part) => {
      const target = targetOf(part, context);
      return isInline(target, context)
        ? []
        : [py`${literal(part.name)}: ${tableName(target, context)},`];
    });
  return py`"""The fast path: encoders of all types, without explanations."""

# fmt: off
from __future__ import annotations

from typing import Any

from .._runtime.decoding import Slow
from .._runtime.encoding import Encoder, Encoders, apart, either, tagged, untagged
from .._runtime.json_values import LIST, NUMBERS, OBJECT
from .._runtime.message import UNSET
from .._runtime.patterns import matches
from . import _decoders as d
from . import types as t

__all__ = ("CHECKED", "LIST", "NUMBERS", "OBJECT", "UNSET", "E", "Slow", "apart", "d", "either", "matches", "tagged", "untagged")


${joinPython([...printPlain(context), ...encoders], "\n\n\n")}


E = Encoders({
${indent(joinPython(classes, "\n"))}
})
${joinPython(tables, "\n")}

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
