"""Reads the first members of lines that are too long to parse."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..json_text import parse_json
from .messages import read_id
from .stream import LongLine

# The key of a member and, if it is a whole scalar, its value.
_MEMBER = re.compile(
    r'\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null)\s*,)?'
)
_OF_CALL = {"method", "params"}
_OF_RESPONSE = {"result", "error"}
_START = re.compile(r"\s*\{")


class LineHead(NamedTuple):
    """The members at the beginning of a message, up to the first non-scalar."""

    has_id: bool
    id: Any
    is_call: bool
    is_response: bool


def read_head(line: LongLine) -> LineHead:
    """Reads the beginning of a message."""
    text = line.head.decode("utf-8", "replace")
    start = _START.match(text)
    place = len(text) if start is None else start.end()
    keys: set[str] = set()
    own_id: Any = None
    has_id = False
    while (member := _MEMBER.match(text, place)) is not None:
        key, value = member.groups()
        keys.add(key)
        if value is None:
            break
        if key == "id":
            has_id, own_id = _parse_id(value)
        place = member.end()
    # Other lines, such as those of a logger, are neither calls nor responses.
    own = keys - {"jsonrpc", "id"}
    is_call = bool(own) and own <= _OF_CALL
    is_response = bool(own) and own <= _OF_RESPONSE
    return LineHead(has_id, own_id, is_call, is_response)


def _parse_id(text: str) -> tuple[bool, Any]:
    try:
        return True, read_id(parse_json(text))
    except ValueError:
        return False, None
