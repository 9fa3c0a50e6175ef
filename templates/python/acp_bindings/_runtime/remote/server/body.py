"""Reads the message in the body of a request."""

from __future__ import annotations

import contextlib
from typing import Any

from ... import sentences
from ...json_text import parse_json
from ...json_values import OBJECT
from ...record import Record
from ...rpc.patience import within
from ..wire import JSON_TYPE
from .asgi import Receive, Reply, Request

_TIME = 60.0
"""How long a body may take, in seconds."""

_OWN_BYTES = 64 * 1024
"""What each body may hold besides the limit of all, so that short messages always come."""

_TOO_LONG = Reply(413, sentences.message_too_long)

_TOO_MANY = Reply(503, sentences.too_many_messages, {"retry-after": "1"})


class BodyBudget:
    """What bodies that have not ended may still hold together."""

    def __init__(self, limit: int) -> None:
        """`limit` is the length of the longest message, in bytes."""
        self.left = 4 * limit


class Body(Record):
    """A message, as text and as value."""

    text: bytes
    message: dict[str, Any]


async def read_body(
    request: Request,
    receive: Receive,
    limit: int,
    budget: BodyBudget,
    timeout: float = _TIME,
) -> Body | Reply:
    """Returns the message in a body, or a reply that refuses it."""
    content_type = request.headers.get("content-type", "").split(";")[0]
    # A page can send other types without asking first.
    if content_type.strip().lower() != JSON_TYPE:
        return Reply(415, f"Send {JSON_TYPE}")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 15 or int(length) > limit):
        return _TOO_LONG
    text: bytes | Reply = Reply(408, sentences.message_too_slow)
    with contextlib.suppress(TimeoutError):
        text = await within(timeout, _read_all(receive, limit, budget))
    if isinstance(text, Reply):
        return text
    try:
        message = parse_json(text)
    except ValueError:
        return Reply(400, sentences.not_json)
    if not isinstance(message, OBJECT):
        return Reply(400, "One message per request")
    return Body(text, message)


async def _read_all(receive: Receive, limit: int, budget: BodyBudget) -> bytes | Reply:
    """Returns a body, unless it is too long, or all that have not ended are."""
    pieces: list[bytes] = []
    size = 0
    held = 0
    is_last = False
    try:
        while not is_last:
            event = await receive()
            # Of a client that has left, nothing is a message.
            if event["type"] == "http.disconnect":
                return b""
            pieces.append(event.get("body", b""))
            is_last = not event.get("more_body", False)
            size += len(pieces[-1])
            if size > limit:
                return _TOO_LONG
            more = max(0, size - _OWN_BYTES) - held
            held += more
            budget.left -= more
            if budget.left < 0:
                return _TOO_MANY
        return b"".join(pieces)
    finally:
        budget.left += held
