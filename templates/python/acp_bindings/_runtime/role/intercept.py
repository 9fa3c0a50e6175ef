"""Calls on their way, for functions that observe or change them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol, TypeAlias

from ..json_values import OBJECT
from ..record import Record
from ..rpc.messages import MessageId

Kind: TypeAlias = Literal["request", "notification"]


class Call(Record):
    """A request or a notification, of the other side or of this side."""

    direction: Literal["incoming", "outgoing"]
    kind: Kind
    method: str
    params: Any
    """Decoded params of an incoming call; params as they were given of an outgoing one."""
    request_id: MessageId = None
    """The id of an incoming request."""

    @property
    def session_id(self) -> str | None:
        """The session that the params name, if any."""
        params = self.params
        if isinstance(params, OBJECT):
            found = params.get("sessionId")
        else:
            found = getattr(params, "session_id", None)
        return found if isinstance(found, str) else None


class Proceed(Protocol):
    """Continues a call, with its own params or with others."""

    def __call__(self, params: Any = ..., /) -> Awaitable[Any]:
        """Returns the result; None for a notification."""
        ...


def proceeding(call: Call, run: Callable[[Any], Awaitable[Any]]) -> Proceed:
    """Returns the function that continues a call."""
    own = call.params

    def proceed(params: Any = own, /) -> Awaitable[Any]:
        return run(params)

    return proceed
