import { createCompletes } from "../../../model/parts/completes.js";
import type { Part } from "../../../model/parts/part.js";
import { joinPython, indent, literal, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { decoderName, printInner, type CodecContext } from "./checks.js";
import { printDecoder } from "./decoders.js";

/** Prints the module with the fast path for received values: decoders as straight-line code. */
export function printDecoders(parts: ReadonlyMap<string, Part>, names: PythonNames): Python {
  const context: CodecContext = {
    parts,
    names,
    completes: createCompletes(parts),
    innerFunctions: new Map(),
    tables: [],
  };
  const all = [...parts.values()];
  const decoders = all.map((part) => printDecoder(part, context));
  const named = all.filter(({ path }) => path.length === 1);
  const definitions = named.map(({ name }) => py`${literal(name)}: ${decoderName(name, context)},`);
  return py`"""The fast path: decoders of all types, without explanations."""

# fmt: off
from __future__ import annotations

from typing import Any

from .._runtime.decoding import (
    Decoder,
    Slow,
    completed,
    first,
    fresh,
    integer,
    kept,
    known,
    new,
    only,
    others,
    text,
    unlisted,
)
from .._runtime.json_values import LIST, NUMBERS, OBJECT
from .._runtime.message import UNSET
from .._runtime.patterns import matches
from . import types as t

__all__ = ("DECODERS", "LIST", "NUMBERS", "UNSET", "completed", "first", "fresh", "integer", "kept", "known", "matches", "only", "text", "unlisted")


${joinPython([...printInner(context), ...decoders], "\n\n\n")}


${joinPython(context.tables, "\n")}

DECODERS: dict[str, Decoder] = {
${indent(joinPython(definitions, "\n"))}
}
`;
}
