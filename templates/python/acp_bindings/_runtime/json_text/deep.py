"""A parser for what the one of the standard library refuses: deep texts and long integers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from ..json_values import LIST, OBJECT

_scan_string: Callable[[str, int], tuple[str, int]] = vars(json.decoder)["scanstring"]

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NAMES = {"true": True, "false": False, "null": None}
_LONGEST_INTEGER = 400


def parse_deep(text: str) -> Any:
    """Parses a JSON text without recursion. Raises ValueError for any other text."""
    result: list[Any] = []
    # The open lists and objects, each with the name of the member that follows.
    holders: list[tuple[Any, str]] = []
    at = 0
    while True:
        at = _skip(text, at)
        value, at, is_open = _start(text, at)
        if is_open:
            close = "]" if isinstance(value, LIST) else "}"
            at = _skip(text, at)
            if text[at : at + 1] == close:
                at += 1
            else:
                name, at = _member(text, at) if close == "}" else ("", at)
                holders.append((value, name))
                continue
        while holders:
            holder, name = holders.pop()
            if isinstance(holder, LIST):
                holder.append(value)
            else:
                holder[name] = value
            at = _skip(text, at)
            mark = text[at : at + 1]
            at += 1
            if mark == ",":
                at = _skip(text, at)
                name, at = _member(text, at) if isinstance(holder, OBJECT) else ("", at)
                holders.append((holder, name))
                break
            if mark != ("]" if isinstance(holder, LIST) else "}"):
                raise json.JSONDecodeError("Expected a comma or an end", text, at - 1)
            value = holder
        else:
            result.append(value)
            break
    if _skip(text, at) != len(text):
        raise json.JSONDecodeError("Extra data", text, at)
    return result[0]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _start(text: str, at: int) -> tuple[Any, int, bool]:
    """Reads a scalar, or the beginning of a list or an object."""
    mark = text[at : at + 1]
    if mark == "[":
        return [], at + 1, True
    if mark == "{":
        return {}, at + 1, True
    if mark == '"':
        value, end = _scan_string(text, at + 1)
        return value, end, False
    for name, constant in _NAMES.items():
        if text.startswith(name, at):
            return constant, at + len(name), False
    match = _NUMBER.match(text, at)
    if match is None:
        raise json.JSONDecodeError("Expected a value", text, at)
    digits = match[0]
    is_integer = (
        match[1] is None and match[2] is None and len(digits) < _LONGEST_INTEGER
    )
    return int(digits) if is_integer else float(digits), match.end(), False


def _member(text: str, at: int) -> tuple[str, int]:
    """Reads the name of a member and the colon."""
    if text[at : at + 1] != '"':
        raise json.JSONDecodeError("Expected a name", text, at)
    name, at = _scan_string(text, at + 1)
    at = _skip(text, at)
    if text[at : at + 1] != ":":
        raise json.JSONDecodeError("Expected a colon", text, at)
    return name, at + 1
