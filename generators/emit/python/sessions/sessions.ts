import type { Protocol } from "../../../model/protocol.js";
import { identifier, joinPython, literal, py, type Python } from "../code.js";
import { printAgentSession } from "./agent-session.js";
import { printClientSession, printOpening, printState } from "./client-session.js";
import { sessionClasses } from "./classes.js";
import type { Types } from "./keywords.js";

/** The sessions of a profile, and what its roles need of them. */
export interface PrintedSessions {
  /** The text of the module. */
  readonly module: Python;
  /** The public classes in it. */
  readonly classes: readonly string[];
  /** The methods of the connected agent that open sessions. */
  readonly opening: readonly Python[];
}

/** Prints sessions for a protocol that has prompts and updates; undefined for others. */
export function printSessions(protocol: Protocol, types: Types): PrintedSessions | undefined {
  const classes = sessionClasses(protocol, types);
  if (classes === undefined) return undefined;
  const printed = [...printAgentSession(classes), printState(classes), printClientSession(classes)];
  const body = joinPython(printed, "\n\n\n");
  const version = literal(classes.version);
  const imports = (module: Python, names: readonly string[]): Python => {
    const isUsed = (name: string): boolean =>
      name === "TYPE_CHECKING" || new RegExp(`\\b${name}\\b`).test(body);
    const used = names.filter(isUsed).map(identifier);
    return used.length === 0 ? py`` : py`from ${module} import ${joinPython(used, ", ")}\n`;
  };
  const module = py`"""Sessions, as the handlers of an agent and the programs of a client use them."""

# fmt: off
from __future__ import annotations

import contextlib
${imports(py`collections.abc`, ["AsyncGenerator", "Awaitable", "Callable", "Sequence"])}${imports(py`typing`, ["TYPE_CHECKING", "Any", "ClassVar"])}
${imports(py`.._runtime.message`, ["UNSET", "Unset"])}from .._runtime.session.agent_session import BaseAgentSession, BaseToolCall, running
from .._runtime.session.client_session import ClientSession
${imports(py`.._runtime.session.client_turn`, ["Turn", "TurnEnd"])}from .._runtime.session.state_v${version} import SessionStateV${version}
from . import types as _t

if TYPE_CHECKING:
    from .._runtime.session.state_table import StateTable


${body}
`;
  const names = ["AgentSession", "Session", "SessionState", "Terminal", "ToolCall"];
  return {
    module,
    classes: names.filter(
      (name) => body.includes(`class ${name}(`) || body.includes(`class ${name}:`),
    ),
    opening: printOpening(classes),
  };
}
