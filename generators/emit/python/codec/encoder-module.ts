import type { Part, RecordPart } from "../../../model/parts/part.js";
import { identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { encoderName, isInline, printEncoder, printTable, tableName } from "./encoders.js";

/** Prints the module with the fast path for sent values: encoders as straight-line code. */
export function printEncoders(parts: ReadonlyMap<string, Part>, names: PythonNames): Python {
  const context = { parts, names };
  const all = [...parts.values()];
  const records = all.filter((part): part is RecordPart => part.kind === "record");
  const encoders = records.map((record) => printEncoder(record, context));
  const classes = records.map(
    ({ name }) => py`t.${identifier(names.typeOf(name))}: ${encoderName(name, context)},`,
  );
  const tables = all.filter((part) => !isInline(part, context));
  const checked = tables
    .filter(({ path }) => path.length === 1)
    .map((part) => py`${literal(part.name)}: ${tableName(part, context)},`);
  return py`"""The fast path: encoders of all types, without explanations."""

# fmt: off
from __future__ import annotations

from typing import Any

from .._runtime.decoding import Slow, matches
from .._runtime.encoding import Encoder, Encoders, tagged
from .._runtime.json_values import LIST, NUMBERS, OBJECT
from .._runtime.message import UNSET
from . import _decoders as d
from . import types as t

__all__ = ("CHECKED", "LIST", "NUMBERS", "OBJECT", "UNSET", "E", "Slow", "d", "matches", "tagged")


${joinPython(encoders, "\n\n\n")}


E = Encoders({
${indent(joinPython(classes, "\n"))}
})
${joinPython(
  tables.map((part) => printTable(part, context)),
  "\n",
)}

CHECKED: dict[str, dict[type, Encoder]] = {
${indent(joinPython(checked, "\n"))}
}
`;
}
