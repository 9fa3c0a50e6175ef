"""MCP servers as MCP clients start or call them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from . import sentences
from .rpc.errors import RpcError


class McpCommand(NamedTuple):
    """An MCP server that is started as a process."""

    command: str
    args: list[str]
    env: dict[str, str]
    """Variables that are added to an environment; the process needs others as well, such as
    `PATH`."""


class McpAddress(NamedTuple):
    """An MCP server with an address."""

    type: Literal["http", "sse"]
    url: str
    headers: dict[str, str]


def mcp_launch(server: Any) -> McpCommand | McpAddress:
    """Returns an MCP server, as a client passes it, as MCP clients start or call it.

    Lists of names and values become dicts, in which the last value of a name counts. Raises
    the RpcError "invalid params" (-32602), which a handler may leave to the client, for a
    transport that neither version of the protocol has.
    """
    kind: Any = getattr(server, "type", "stdio")
    if kind == "stdio" and hasattr(server, "command"):
        return McpCommand(
            server.command, list(server.args or ()), _to_dict(server.env or ())
        )
    if kind in ("http", "sse"):
        return McpAddress(kind, server.url, _to_dict(server.headers or ()))
    text = sentences.no_mcp_transport
    kind = getattr(server, "tag", kind)
    raise RpcError.invalid_params(text, {"type": str(kind)[:100]})


def _to_dict(entries: Any) -> dict[str, str]:
    return {entry.name: entry.value for entry in entries}
