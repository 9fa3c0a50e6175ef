"""Lines that were skipped because of their length: what their beginnings say."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..json_text import parse_json
from .stream import LongLine

# The key of a member and, if it is a whole scalar, its value.
_MEMBER = re.compile(
    r'\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null)\s*,)?'
)
_START = re.compile(r"\s*\{")


class LineHead(NamedTuple):
    """The members at the beginning of a message, up to the first that is no scalar."""

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
    while (member := _MEMBER.match(text, place)) is not None:
        key, value = member.groups()
        keys.add(key)
        if value is None:
            break
        if key == "id":
            own_id = _read_scalar(value)
        place = member.end()
    is_call = bool(keys & {"method", "params"})
    is_response = not is_call and bool(keys & {"result", "error"})
    return LineHead("id" in keys and own_id is not None, own_id, is_call, is_response)


def _read_scalar(text: str) -> Any:
    """Parses a value; None for one that is not JSON, since the line may be malformed."""
    try:
        return parse_json(text)
    except ValueError:
        return None
