import { buildCheckTable } from "../../model/check-table.js";
import { buildParts } from "../../model/parts/build-parts.js";
import { reachableParts } from "../../model/parts/dependency-order.js";
import type { Part } from "../../model/parts/part.js";
import type { Initialize, InitializeMessage, Protocol } from "../../model/protocol.js";
import { outputPath } from "../../output/file.js";
import { perProfile, type EmitContext, type Emitter, type ProfileFile } from "../emitter.js";
import { languageNames } from "../package-facts.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import { COMMENTS, printDistribution } from "./distribution.js";
import { printDecoders } from "./codec/decoder-module.js";
import { printEncoders } from "./codec/encoder-module.js";
import { checkModule, createNames, LANGUAGE, subpackageName, type PythonNames } from "./names.js";
import { printMethods } from "./methods.js";
import { printMocks } from "./mocks.js";
import { printProxy } from "./proxy.js";
import { printRoles } from "./roles.js";
import { printSessions } from "./sessions/sessions.js";
import { siteCode } from "./site-code.js";
import { printTypes } from "./types.js";

/** A Python package with one subpackage per profile, above a runtime written by hand. */
export const python: Emitter = {
  name: LANGUAGE,
  summary: "the Python package: typed classes, decoders, encoders and validators; on request",
  onRequest: true,
  siteCode,
  renames: (protocol) => createNames(buildParts(protocol), protocol).renamed,
  emit: async (...given) => [
    ...(await perProfile(subpackage)(...given)),
    ...printDistribution(given[0], given[2]),
  ],
};

function subpackage(protocol: Protocol, _: unknown, context: EmitContext): ProfileFile[] {
  checkModule(`the profile name "${protocol.profile}"`, protocol.profile);
  const { module } = languageNames(context, LANGUAGE);
  const parts = buildParts(protocol);
  const names = createNames(parts, protocol);
  const initialize = initializeOf(protocol, parts);
  const file = (name: string, text: Python): ProfileFile => ({
    path: outputPath("python", module, subpackageName(protocol.profile), name),
    text,
    language: COMMENTS,
  });
  const handshake = [...reachableParts(messagesOf(initialize, parts), parts)];
  const others = [...parts.values()].filter((part) => !handshake.includes(part));
  const mocks = initialize && printMocks(protocol, initialize);
  const sessions = initialize && printSessions(protocol, { parts, names });
  return [
    file("__init__.py", printIndex(protocol, initialize && rolesOf(sessions?.classes))),
    file("types.py", printTypes(parts, names)),
    file("schemas.py", printSchemas(protocol, names, handshake.length > 0)),
    ...(handshake.length === 0
      ? []
      : [
          file("_handshake_decoders.py", printDecoders(parts, names, handshake)),
          file("_handshake_encoders.py", printEncoders(parts, names, handshake, "_handshake")),
        ]),
    file("_decoders.py", printDecoders(parts, names, others)),
    file("_encoders.py", printEncoders(parts, names, others)),
    file("_table.py", printTable(protocol)),
    ...(initialize === undefined
      ? []
      : [
          file("_methods.py", printMethods(protocol, names)),
          file("roles.py", printRoles(protocol, initialize, parts, names, sessions)),
          file("proxy.py", printProxy(protocol, initialize, names)),
        ]),
    ...(sessions === undefined ? [] : [file("sessions.py", sessions.module)]),
    ...(mocks === undefined ? [] : [file("mocks.py", mocks)]),
  ];
}

/** Returns the parts that a program needs when it starts: those of the initialize messages. */
function messagesOf(
  initialize: Initialize | undefined,
  parts: ReadonlyMap<string, Part>,
): readonly Part[] {
  if (initialize === undefined) return [];
  return [initialize.client, initialize.agent].map(({ definition }) => parts.get(definition.name)!);
}

/** Returns the initialize messages, if they are objects that a role can be made of. */
function initializeOf(
  { initialize }: Protocol,
  parts: ReadonlyMap<string, Part>,
): Initialize | undefined {
  if (initialize === undefined) return undefined;
  const isRecord = ({ definition }: InitializeMessage): boolean =>
    parts.get(definition.name)?.kind === "record";
  return isRecord(initialize.agent) && isRecord(initialize.client) ? initialize : undefined;
}

/** Public classes by the module that has them. */
type Classes = readonly (readonly [module: string, classes: readonly string[]])[];

function rolesOf(sessions: readonly string[] = []): Classes {
  return [
    ["proxy", ["Proxy", "ProxyContext"]],
    [
      "roles",
      ["Agent", "AgentContext", "Client", "ClientContext", "ConnectedAgent", "ConnectedClient"],
    ],
    ["sessions", sessions],
  ];
}

function printIndex(
  { profile, title, versionNumber, features }: Protocol,
  classes: Classes = [],
): Python {
  const names = features.map(({ name }) => py`    ${literal(name)},\n`);
  const listed = names.length === 0 ? py`()` : py`(\n${joinPython(names, "")})`;
  const used = classes.filter(([, own]) => own.length > 0);
  const imports = used.map(([module, own]) => {
    const lines = own.map((name) => py`${identifier(name)},`);
    return py`from .${identifier(module)} import (\n${indent(joinPython(lines, "\n"))}\n)`;
  });
  const all = ["FEATURES", "PROFILE", "PROTOCOL_VERSION", "schemas", "types"];
  const lazy = used.flatMap(([module, own]) => own.map((name) => [name, module] as const));
  const exported = [...all, ...lazy.map(([name]) => name)].sort(byCase);
  const lines = (texts: readonly Python[]): Python => indent(joinPython(texts, "\n"));
  return py`${docstring(`${title}: its roles and types, and one schema for each definition.`)!}

${used.length === 0 ? py`` : py`from importlib import import_module\nfrom typing import TYPE_CHECKING, Any\n\n`}from . import schemas, types
${used.length === 0 ? py`` : py`\nif TYPE_CHECKING:\n${lines(imports)}\n`}
PROFILE = ${literal(profile)}
PROTOCOL_VERSION = ${literal(versionNumber)}
FEATURES: tuple[str, ...] = ${listed}

__all__ = [
${lines(exported.map((name) => py`${literal(name)},`))}
]
${used.length === 0 ? py`` : printLazy(lines(lazy.map(([name, module]) => py`${literal(name)}: ${literal(module)},`)))}`;
}

/** Sorts as linters want it: constants first, then classes, then others. */
function byCase(a: string, b: string): number {
  const rank = (name: string): number =>
    name === name.toUpperCase() ? 0 : /^[A-Z]/.test(name) ? 1 : 2;
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

/** Connections need asyncio, which programs that only decode do not have to load. */
function printLazy(entries: Python): Python {
  return py`
_MODULES = {
${entries}
}


# Type checkers know every name, and report the others.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Imports a class when it is first used."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f".{_MODULES[name]}", __name__)
        globals()[name] = value = getattr(module, name)
        return value

    def __dir__() -> list[str]:
        """Lists the names that are not imported yet as well, for shells and editors."""
        return sorted({*globals(), *_MODULES})
`;
}

/** @param isSplit whether the codecs of the handshake are in modules of their own */
function printSchemas({ definitions }: Protocol, names: PythonNames, isSplit: boolean): Python {
  const schemas = definitions.map(({ name }) => {
    const type = identifier(names.typeOf(name));
    const others = names.isClosed(name) ? py` | str` : py``;
    return py`${type}: Final[Schema[_t.${type}${others}]] = Schema(${literal(name)}, _CODEC)`;
  });
  const decoders = isSplit
    ? py`from ._handshake_decoders import DECODERS

if definition not in DECODERS:
    from ._decoders import DECODERS
return DECODERS[definition]`
    : py`from ._decoders import DECODERS

return DECODERS[definition]`;
  const encoders = isSplit
    ? py`from ._handshake_encoders import CHECKED, E

if definition not in CHECKED:
    from ._encoders import CHECKED
return E, CHECKED.get(definition, {})`
    : py`from ._encoders import CHECKED, E

return E, CHECKED.get(definition, {})`;
  return py`"""One object for each definition, which decodes, encodes and validates its values."""

# fmt: off
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._runtime.schema import Codec, Schema

if TYPE_CHECKING:
    from .._runtime.decoding import Decoder
    from .._runtime.encoding import Encoder, Encoders
    from . import types as _t


def _load_decoder(definition: str) -> Decoder:
${indent(decoders)}


def _load_encoders(definition: str) -> tuple[Encoders, dict[type, Encoder]]:
${indent(encoders)}


def _load_table() -> dict[str, Any]:
    from ._table import TABLE

    return TABLE


_CODEC = Codec(_load_decoder, _load_encoders, _load_table)

${joinPython(schemas, "\n")}
`;
}

function printTable(protocol: Protocol): Python {
  const rows = Object.entries(buildCheckTable(protocol)).map(
    ([name, node]) => py`${literal(name)}: ${literal(node)},`,
  );
  return py`"""The checks of all definitions as data, for the slow path."""

# fmt: off
from typing import Any

TABLE: dict[str, Any] = {
${indent(joinPython(rows, "\n"))}
}
`;
}
