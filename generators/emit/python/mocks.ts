import type { Initialize, InitializeMessage, Protocol } from "../../model/protocol.js";
import { createSamples, type Samples } from "../../model/sample/sample.js";
import { updateUnion } from "../../model/update-union.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "./code.js";

/** Prints the module of mocks; undefined for a protocol without sample values. */
export function printMocks(protocol: Protocol, initialize: Initialize): Python | undefined {
  const samples = createSamples(protocol);
  try {
    return printModule(protocol, initialize, samples);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function printModule(protocol: Protocol, initialize: Initialize, samples: Samples): Python {
  const results = protocol.methods.flatMap(({ name, result }) =>
    result === undefined || name === "initialize"
      ? []
      : [py`    ${literal(name)}: ${literal(samples.typical(result))},\n`],
  );
  const union = updateUnion(protocol);
  const variants = union === undefined ? [] : [...samples.variants(union.definition.name).values()];
  const updates = variants.map((update) => py`    ${literal(update)},\n`);
  return py`"""Mocks for tests: an agent and a client that answer with samples."""

# fmt: off
from collections.abc import Mapping
from typing import Any, ClassVar

from .._runtime.role.mocks import Call, Mock
from .roles import Agent, Client

__all__ = ["Call", "MockAgent", "MockClient"]

_RESULTS: dict[str, Any] = {
${joinPython(results, "")}}

_UPDATES: list[dict[str, Any]] = [
${joinPython(updates, "")}]


${printMock("Agent", initialize.agent, samples)}


${printMock("Client", initialize.client, samples)}
`;
}

function printMock(
  role: "Agent" | "Client",
  { definition, options }: InitializeMessage,
  samples: Samples,
): Python {
  const prompts =
    role === "Agent"
      ? " A prompt makes it send one update of every kind that the client supports."
      : "";
  const text = `Answers every request with a sample, and remembers what it receives.${prompts}`;
  const typical = membersOf(samples.typical(definition.name));
  const full = membersOf(samples.full(definition.name));
  const pick = (wanted: boolean): Json =>
    Object.fromEntries(
      options.flatMap(({ name, field }) => {
        const value = (wanted ? typical.get(field.name) : undefined) ?? full.get(field.name);
        return (name === "info") === wanted && value !== undefined && value !== null
          ? [[field.name, value]]
          : [];
      }),
    );
  return py`class ${identifier(`Mock${role}`)}(Mock, ${identifier(role)}):
${indent(py`${docstring(text)!}

SAMPLES = _RESULTS
UPDATES = _UPDATES
INFO: ClassVar[Mapping[str, Any]] = ${literal(pick(true))}
EVERYTHING: ClassVar[Mapping[str, Any]] = ${literal(pick(false))}`)}`;
}

/** The own members of a JSON object, whatever their names. */
function membersOf(value: Json): ReadonlyMap<string, Json> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}
