"""Who may call a server."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from itertools import chain
from typing import Any, Literal, TypeAlias

from ... import sentences
from ...diagnosis.rendering import render
from ...record import Record
from ..wire import (
    CONNECTION_ID,
    EVENT_ORDER,
    LAST_EVENT_ID,
    MESSAGE_NUMBER,
    SESSION_ID,
)
from .asgi import Reply, Request

Authenticate: TypeAlias = Callable[[Request], str | None | Awaitable[str | None]]
"""Returns the name of a caller; None refuses the request."""

Allowed: TypeAlias = Collection[str] | Literal["*"]

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

_MAX_HEADERS = 32 * 1024
"""The most characters of all headers: those of the first request are kept."""

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([^\s/?#@]+)", re.IGNORECASE)
_PORT = re.compile(r":\d*\Z", re.ASCII)

_EXPOSED = f"{CONNECTION_ID}, {EVENT_ORDER}, www-authenticate, retry-after"

_ACCEPTED = ("content-type", "authorization", CONNECTION_ID, SESSION_ID)
_ADDED = (MESSAGE_NUMBER, LAST_EVENT_ID)

_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": ", ".join((*_ACCEPTED, *_ADDED)),
    "access-control-max-age": "600",
}


class Admitted(Record):
    """A request that may be handled."""

    principal: str | None
    headers: Mapping[str, str]
    """Those of its response."""


class Admission:
    """Checks who sends a request, before anything of it is read."""

    def __init__(
        self,
        authenticate: Authenticate | None,
        challenge: str,
        hosts: Allowed,
        origins: Allowed,
    ) -> None:
        self._authenticate = authenticate
        self._challenge = challenge
        self._hosts = _read_allowed("allowed_hosts", hosts, str.lower)
        self._origins = _read_allowed("allowed_origins", origins)

    async def admit(self, request: Request) -> Admitted | Reply:
        """Returns a reply that refuses a request, or answers a preflight request."""
        if sum(map(len, chain(*request.headers.items()))) > _MAX_HEADERS:
            return Reply(431, "The headers are too long")
        if not self._is_host_allowed(request):
            return Reply(403, "Host not allowed")
        headers = self._headers_for(request)
        if headers is None:
            return Reply(403, "Origin not allowed")
        if request.method == "OPTIONS" and "origin" in request.headers:
            return Reply(204, headers={**headers, **_PREFLIGHT})
        if self._authenticate is None:
            return Admitted(None, headers)
        # A program without types may return anything.
        principal: Any = self._authenticate(request)
        if inspect.isawaitable(principal):
            principal = await principal
        if principal is None or principal == "":
            challenge = {"www-authenticate": self._challenge}
            return Reply(401, "Unauthorized", {**headers, **challenge})
        if not isinstance(principal, str):
            raise TypeError("authenticate must return the name of the caller, or None")
        return Admitted(principal, headers)

    def _is_host_allowed(self, request: Request) -> bool:
        if self._hosts is None:
            return True
        host = request.headers.get("host", "").lower()
        return host in self._hosts or _PORT.sub("", host) in self._hosts

    def _headers_for(self, request: Request) -> Mapping[str, str] | None:
        """Returns the headers for the page that sends a request, or None to refuse it."""
        origin = request.headers.get("origin")
        if origin is None:
            return {"vary": "Origin"}
        parts = _ORIGIN.fullmatch(origin)
        # Pages in sandboxes have the origin `null`, and those of files have no host.
        if parts is None:
            return None
        is_own = parts[1].lower() == request.headers.get("host", "").lower()
        is_listed = is_own or (self._origins is not None and origin in self._origins)
        if not is_listed and self._origins is not None:
            return None
        headers = {
            "vary": "Origin",
            "access-control-allow-origin": origin,
            "access-control-expose-headers": _EXPOSED,
        }
        if is_listed:
            # Under "*", any page could call in the name of its visitor.
            headers["access-control-allow-credentials"] = "true"
        return headers


def _read_allowed(
    name: str, allowed: Allowed, normalize: Callable[[str], str] = str
) -> frozenset[str] | None:
    """Returns what is allowed; None for everything."""
    if isinstance(allowed, str):
        if allowed == "*":
            return None
        raise TypeError(sentences.wrong_allowed(name, render(allowed)))
    if "*" in allowed:
        raise ValueError(sentences.listed_any(name))
    return frozenset(map(normalize, allowed))
