"""Requests and replies of ASGI."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from ...record import Record

Scope: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

_DENIAL = "websocket.http.response"
"""The extension with which servers refuse a WebSocket with any status, not only 403."""


class Request(Record):
    """A request of HTTP, or for a WebSocket."""

    method: str
    """`GET` for a WebSocket."""
    headers: Mapping[str, str]
    """The values by the names of the headers in lower case."""
    scope: Scope
    """The request as ASGI has it."""


class Reply(Record):
    """The response to a request."""

    status: int
    text: str = ""
    headers: Mapping[str, str] = {}


def read_request(scope: Scope) -> Request:
    """Returns the request of a scope. Values of one name are joined, as in browsers."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Request(scope.get("method", "GET"), headers, scope)


async def send_reply(send: Send, reply: Reply, kind: str = "http") -> None:
    """Sends a response."""
    headers = dict(reply.headers)
    body = reply.text.encode()
    if body:
        headers.setdefault("content-type", "text/plain; charset=utf-8")
    if reply.status != 204:
        headers["content-length"] = str(len(body))
    start = {"status": reply.status, "headers": encode_headers(headers)}
    await send({"type": f"{kind}.response.start", **start})
    await send({"type": f"{kind}.response.body", "body": body})


async def deny_socket(scope: Scope, send: Send, reply: Reply) -> None:
    """Refuses a WebSocket that was not accepted."""
    if _DENIAL in (scope.get("extensions") or {}):
        await send_reply(send, reply, "websocket.http")
    else:
        await send({"type": "websocket.close", "code": 1008})


def encode_headers(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Returns headers as ASGI has them."""
    return [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in headers.items()
    ]


async def wait_for_end(receive: Receive) -> None:
    """Waits until a client has left."""
    # Some servers raise an exception then.
    with contextlib.suppress(Exception):
        while (await receive())["type"] != "http.disconnect":
            pass
