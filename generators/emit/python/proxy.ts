import type { Initialize, Method, Protocol } from "../../model/protocol.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "./code.js";
import type { PythonNames } from "./names.js";

/** Prints the module of the proxy: a base class with a handler for each method of both sides. */
export function printProxy(
  { methods }: Protocol,
  initialize: Initialize,
  names: PythonNames,
): Python {
  const handled = methods.filter(
    ({ side, name }) => (side === "agent" || side === "client") && name !== initialize.method.name,
  );
  const taken = new Set<string>();
  const named = handled.map((method): readonly [Python, Method] => {
    const name = names.handlerOf(method);
    const own = taken.has(name) ? `${name}_to_${method.side}` : name;
    taken.add(own);
    return [identifier(own), method];
  });
  const rows = named.map(([name, { side, kind, name: wire }]) => {
    const key = joinPython([side, kind, wire].map(literal), ", ");
    return py`(${key}): ${literal(name)},`;
  });
  const type = (name: string): Python => py`_t.${identifier(names.typeOf(name))}`;
  const handlers = named.map(([name, { params, result, summary }]) => {
    const returned = result === undefined ? py`None` : type(result);
    const doc = docstring(summary);
    const body = [...(doc === undefined ? [] : [doc]), py`return await context.forward(params)`];
    return py`async def ${name}(self, params: ${type(params)}, context: ProxyContext[${type(params)}, ${returned}]) -> ${returned}:
${indent(joinPython(body, "\n"))}`;
  });
  const request = type(initialize.client.definition.name);
  const response = type(initialize.agent.definition.name);
  const members = [
    docstring(
      "A proxy between a client and an agent. Override a method to see or change its messages; all others pass unchanged.",
    )!,
    py`PROTOCOL = PROTOCOL
HANDLERS: ClassVar[dict[tuple[str, str, str], str]] = {
${indent(joinPython(rows, "\n"))}
}
PEERS = (ConnectedClient, ConnectedAgent)`,
    py`def change_initialize(self, response: ${response}, request: ${request}) -> ${response}:
    """Changes the agent's response to \`initialize\`; the version stays the same."""
    return response`,
    ...handlers,
  ];
  return py`"""The proxy of the protocol: subclass \`Proxy\`, and run it with \`serve_proxy\`."""

# fmt: off
from __future__ import annotations

from typing import ClassVar, TypeAlias, TypeVar

from .._runtime.role.proxy.base import BaseProxy, BaseProxyContext
from . import types as _t
from .roles import PROTOCOL, ConnectedAgent, ConnectedClient

ParamsT = TypeVar("ParamsT")
ResultT = TypeVar("ResultT")
ProxyContext: TypeAlias = BaseProxyContext[ConnectedClient, ConnectedAgent, ParamsT, ResultT]
"""The context of a handler call: both sides, and how to pass the message on."""


class Proxy(BaseProxy):
${indent(joinPython(members, "\n\n"))}
`;
}
