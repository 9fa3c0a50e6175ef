import { gateText } from "../../model/gates/gate-text.js";
import type { Part } from "../../model/parts/part.js";
import type { Initialize, Method, Protocol } from "../../model/protocol.js";
import type { MethodSide } from "../../schema/source/sources.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import type { PythonNames } from "./names.js";
import type { PrintedSessions } from "./sessions/sessions.js";
import { printSlot } from "./types.js";

/** A role and the side of its peer. */
interface Role {
  readonly name: "Agent" | "Client";
  readonly side: "agent" | "client";
  readonly peer: "ConnectedClient" | "ConnectedAgent";
  readonly context: "AgentContext" | "ClientContext";
  readonly session: "AgentSession" | "Session";
}

const ROLES: readonly Role[] = [
  {
    name: "Agent",
    side: "agent",
    peer: "ConnectedClient",
    context: "AgentContext",
    session: "AgentSession",
  },
  {
    name: "Client",
    side: "client",
    peer: "ConnectedAgent",
    context: "ClientContext",
    session: "Session",
  },
];

/** Prints the module of roles: base classes for handlers, and the other sides as they are called. */
export function printRoles(
  protocol: Protocol,
  initialize: Initialize,
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
  sessions: PrintedSessions | undefined,
): Python {
  const handled = (side: MethodSide): readonly Method[] =>
    protocol.methods.filter((method) => method.side === side && method.name !== "initialize");
  const peers = ROLES.map(({ side }) => {
    const opening = side === "agent" ? sessions?.opening : sessions && [AGENT_SESSION];
    return printPeer(side, handled(side), opening ?? [], initialize, names);
  });
  const contexts = ROLES.map((role) => printContext(role, sessions !== undefined));
  const roles = ROLES.map((role) => printRole(role, handled(role.side), initialize, parts, names));
  const field = (side: "agent" | "client", wanted: string): Python =>
    literal(initialize[side].options.find(({ name }) => name === wanted)?.field.name ?? "");
  const both = (wanted: string): Python =>
    py`{"agent": ${field("agent", wanted)}, "client": ${field("client", wanted)}}`;
  const used = sessions?.classes.filter((name) =>
    ["AgentSession", "Session", "SessionState"].includes(name),
  );
  const imported = used
    ? py`\nfrom .sessions import ${joinPython(used.map(identifier), ", ")}`
    : py``;
  const opening = sessions?.opening.join("") ?? "";
  const opens = opening.includes("Sequence[");
  const continues = opening.includes("continued(");
  const lists = opening.includes("sessions_of(");
  return py`"""The roles of the protocol: subclass \`Agent\` or \`Client\`, and connect it."""

# fmt: off
from __future__ import annotations
${lists ? py`\nfrom collections.abc import AsyncIterator, Awaitable, Sequence` : opens ? py`\nfrom collections.abc import Sequence` : py``}
${sessions ? py`from functools import cached_property\n` : py``}from typing import TYPE_CHECKING, Any

from .._runtime.message import UNSET, Unset
from .._runtime.protocol import Protocol
from .._runtime.role.peer import Peer
from .._runtime.role.role import Context, Role
from .._runtime.rpc.receiver import Limits
${continues ? py`from .._runtime.session.continue_session import ContinuedSession, History, continued\n` : py``}${lists ? py`from .._runtime.session.session_pages import sessions_of\n` : py``}from . import schemas
from . import types as _t
from ._methods import METHODS${imported}

if TYPE_CHECKING:
    from .._runtime.link import Link

PROTOCOL = Protocol(
    version=${literal(protocol.versionNumber)},
    methods=METHODS,
    schema_of=lambda name: getattr(schemas, name),
    info=${both("info")},
    capabilities=${both("capabilities")},
    null_ids=${literal(protocol.versionNumber === 1)},${sessions ? py`\n    state=SessionState,` : py``}
)


${joinPython([...peers, ...contexts, ...roles], "\n\n\n")}
`;
}

/** The method of the connected client that makes a session. */
const AGENT_SESSION = py`def session(self, session_id: str) -> AgentSession:
    """Returns a session, for its updates."""
    return AgentSession(self._connection, session_id)`;

/** Prints what the handlers of a role know besides their params. */
function printContext({ context, peer, session, side }: Role, hasSessions: boolean): Python {
  const doc = docstring(
    `What a handler of ${side === "agent" ? "an agent" : "a client"} knows besides its params.`,
  )!;
  const own =
    side === "agent"
      ? py`AgentSession(self._connection, self.session_id, getattr(self._params, "prompt", None), self.request_id)`
      : py`Session(self._connection, self.session_id, is_opened=False)`;
  const members = hasSessions
    ? [
        py`@cached_property
def session(self) -> ${identifier(session)}:
    """The session that the params name."""
    return ${own}`,
      ]
    : [];
  return py`class ${identifier(context)}(Context[${identifier(peer)}]):
${indent(joinPython([doc, ...members], "\n\n"))}`;
}

function printPeer(
  side: "agent" | "client",
  methods: readonly Method[],
  more: readonly Python[],
  initialize: Initialize,
  names: PythonNames,
): Python {
  const calls = methods.map((method) => {
    const { params, result, name } = method;
    const call = identifier(names.handlerOf(method));
    const type = py`_t.${identifier(names.typeOf(params))}`;
    const doc = docOf(method);
    if (result === undefined)
      return py`async def ${call}(self, params: ${type}) -> None:
${indent(joinPython([...doc, py`await self._notify(${literal(name)}, params)`], "\n"))}`;
    const returned = py`_t.${identifier(names.typeOf(result))}`;
    const body = [
      ...doc,
      py`result: ${returned} = await self._call(${literal(name)}, params, timeout)`,
      py`return result`,
    ];
    return py`async def ${call}(self, params: ${type}, *, timeout: float | None = None) -> ${returned}:
${indent(joinPython(body, "\n"))}`;
  });
  const name = identifier(side === "agent" ? "ConnectedAgent" : "ConnectedClient");
  const doc = docstring(`The ${side}, as the other side calls it. Time-outs are in seconds.`)!;
  const said = py`_t.${identifier(names.typeOf(initialize[side].definition.name))}`;
  const about = docstring(
    `What the ${side} has said of itself: its name, and what it advertises.`,
  )!;
  const handshake = py`@property
def handshake(self) -> ${said}:
${indent(joinPython([about, py`message: ${said} = self._handshake()`, py`return message`], "\n"))}`;
  return py`class ${name}(Peer):
${indent(joinPython([doc, handshake, ...more, ...calls], "\n\n"))}`;
}

function printRole(
  { name, side, peer, context }: Role,
  methods: readonly Method[],
  initialize: Initialize,
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
): Python {
  const handlers = methods.map((method) => {
    const { params, result } = method;
    const returned = result === undefined ? py`None` : py`_t.${identifier(names.typeOf(result))}`;
    const type = py`_t.${identifier(names.typeOf(params))}`;
    const body = joinPython([...docOf(method), py`raise NotImplementedError`], "\n");
    return py`async def ${identifier(names.handlerOf(method))}(self, params: ${type}, context: ${identifier(context)}) -> ${returned}:
${indent(body)}`;
  });
  const other = side === "agent" ? "client" : "agent";
  const doc = docstring(
    `The base class of ${side === "agent" ? "agents" : "clients"}. Override the methods to handle; others are refused.`,
  )!;
  const connect = py`def peer_of(self, connection: Link) -> ${identifier(peer)}:
    return ${identifier(peer)}(connection, ${literal(other)})`;
  const facts = py`PROTOCOL = PROTOCOL
SIDE = ${literal(side)}
CONTEXT = ${identifier(context)}`;
  const members = [doc, facts, printConstructor(side, initialize, parts, names), connect];
  return py`class ${identifier(name)}(Role[${identifier(peer)}]):
${indent(joinPython([...members, ...handlers], "\n\n"))}`;
}

/** Prints the constructor, which takes what the initialize message of the side says. */
function printConstructor(
  side: "agent" | "client",
  initialize: Initialize,
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
): Python {
  const { definition, options } = initialize[side];
  const part = parts.get(definition.name);
  if (part?.kind !== "record")
    throw new Error(`${definition.name} is not an object with properties`);
  const attribute = (property: string): Python =>
    identifier(names.attributeOf(definition.name, property));
  const own = options.map(({ name, field, required }) => ({
    argument: identifier(
      name === "info" || name === "capabilities" ? name : `${attribute(field.name)}`,
    ),
    attribute: attribute(field.name),
    type: printSlot(
      // Whoever makes a role gives what is required, even where a message may have null.
      { ...field, nullable: field.nullable && !required },
      names,
      { module: "_t.", isSent: true },
    ),
    required,
  }));
  const sorted = [...own.filter(({ required }) => required), ...own.filter((one) => !one.required)];
  const args = sorted.map(({ argument, type, required }) =>
    required ? py`${argument}: ${type}` : py`${argument}: ${type} | Unset = UNSET`,
  );
  const given = own.map((one) => py`${one.attribute}=${one.argument}`);
  const hasVersion = part.fields.some(({ name }) => name === "protocolVersion");
  const version = hasVersion
    ? py`${attribute("protocolVersion")}=PROTOCOL.version`
    : py`extra={"protocolVersion": PROTOCOL.version}`;
  const type = identifier(names.typeOf(definition.name));
  return py`def __init__(self, *, ${joinPython([...args, py`limits: Limits | None = None`], ", ")}) -> None:
    message = _t.${type}(${joinPython([version, ...given], ", ")})
    super().__init__(schemas.${type}.encode(message), limits)`;
}

function docOf({ summary, description, gate }: Method): readonly Python[] {
  const texts = [summary, description, gateText(gate)].filter((text) => text !== "");
  const doc = docstring(texts.join("\n\n"));
  return doc === undefined ? [] : [doc];
}
