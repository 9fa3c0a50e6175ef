"""What a received JSON value is: a request, a notification, a response, or neither."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from .. import sentences
from ..json_text import print_json
from ..json_values import OBJECT
from ..record import Record

MessageId: TypeAlias = str | int | None

_SAFE = 2**53 - 1


class Incoming(Record):
    """A classified message."""

    kind: Literal["request", "notification", "response", "broken", "invalid"]
    """`broken` is a response that cannot be used, `invalid` has an id to answer with. A
    broken one that is a call as well answers no call."""
    id: MessageId = None
    problem: str = ""
    """What is wrong with a response."""


_NOTIFICATION = Incoming("notification")
_INVALID = Incoming("invalid")


def message_line(message: dict[str, Any]) -> bytes:
    """Returns the line of a message to send, without its end.

    Raises InvalidValueError for a message that JSON cannot hold.
    """
    try:
        return print_json({"jsonrpc": "2.0", **message}).encode()
    except (TypeError, ValueError, RecursionError):
        from ..diagnosis.unsendable import unsendable_message

        raise unsendable_message(message) from None


def classify(value: Any, null_ids: bool) -> Incoming:
    """Classifies a received value (JSON-RPC 2.0, sections 4 and 5).

    A request has an id and a method, a notification a method, and a response an id
    and at most one of result and error: without both, its result is null. With
    `null_ids`, a request may have the id null.
    """
    if not isinstance(value, OBJECT):
        return _INVALID
    is_version_2 = value.get("jsonrpc") == "2.0"
    has_id = "id" in value
    is_response = "result" in value or "error" in value
    if is_version_2 and not has_id and not is_response:
        # Most messages are notifications.
        return _NOTIFICATION if isinstance(value.get("method"), str) else _INVALID
    own_id = read_id(value.get("id"))
    is_id = has_id and (own_id is not None or value["id"] is None)
    if "method" in value:
        if is_response:
            return Incoming("broken", own_id)
        if not is_version_2 or not is_id or (own_id is None and not null_ids):
            return _INVALID
        is_named = isinstance(value["method"], str)
        return Incoming("request" if is_named else "invalid", own_id)
    if not is_response and not (has_id and is_version_2):
        return Incoming("invalid", own_id)
    if not is_version_2:
        problem = sentences.wrong_version
    elif not is_id:
        problem = sentences.wrong_id
    else:
        problem = _problem_of(value)
    return Incoming("broken" if problem else "response", own_id, problem)


def _problem_of(value: dict[str, Any]) -> str:
    if "error" not in value:
        return ""
    if "result" in value:
        return sentences.both_outcomes
    error = value["error"]
    is_error = (
        isinstance(error, OBJECT)
        and _is_integer(error.get("code"))
        and isinstance(error.get("message"), str)
    )
    return "" if is_error else sentences.wrong_error


def _is_integer(value: Any) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def read_id(value: Any) -> MessageId:
    """Returns an id; None for null and for values that are no ids."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return read_id(int(value))
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if abs(value) <= _SAFE else None
