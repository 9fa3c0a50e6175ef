import { createCompletes } from "../../../model/parts/completes.js";
import type { Part } from "../../../model/parts/part.js";
import { joinPython, indent, literal, py, type Python } from "../code.js";
import type { PythonNames } from "../names.js";
import { decoderName, printInner, tableOf, type CodecContext } from "./checks.js";
import { importFrom, usedOf } from "./imported-names.js";
import { printDecoder } from "./decoders.js";

/**
 * Prints a module with the fast path for received values: decoders as straight-line code.
 *
 * @param shown the parts whose decoders it has; those of others are in the module of the handshake
 */
export function printDecoders(
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
  shown: readonly Part[],
): Python {
  const context: CodecContext = {
    parts,
    names,
    completes: createCompletes(parts),
    innerFunctions: new Map(),
    tables: [],
  };
  const decoders = shown.map((part) => printDecoder(part, context));
  const named = shown.filter(({ path }) => path.length === 1);
  const definitions = named.map(({ name }) => py`${literal(name)}: ${decoderName(name, context)},`);
  const functions = joinPython([...printInner(context), ...decoders], "\n\n\n");
  const tables = joinPython(context.tables, "\n");
  const others = [...parts.values()].filter((part) => !shown.includes(part));
  const imported = usedOf(
    others.flatMap((part) => [
      decoderName(part.name, context),
      ...(part.kind === "choice" ? [tableOf(part, context)] : []),
    ]),
    `${functions}\n${tables}`,
  );
  return py`"""The fast path: decoders of types, without explanations."""

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
${importFrom("_handshake_decoders", imported)}
__all__ = ("DECODERS", "LIST", "NUMBERS", "UNSET", "completed", "first", "fresh", "integer", "kept", "known", "matches", "only", "text", "unlisted")


${functions}


${tables}

DECODERS: dict[str, Decoder] = {
${indent(joinPython(definitions, "\n"))}
}
`;
}
