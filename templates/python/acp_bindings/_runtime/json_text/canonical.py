"""The canonical form of JSON texts, and numbers as ECMAScript prints them."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from ..json_values import LIST, OBJECT


def canonical_json(value: Any) -> str:
    """Returns the canonical text of a JSON value (RFC 8785).

    Numbers are those of ECMAScript: integers beyond its precision are rounded.
    """
    parts: list[str] = []
    # A stack instead of recursion, since values may be nested to any depth.
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if type(item) is _Text:
            parts.append(item.text)
        elif isinstance(item, OBJECT):
            parts.append("{")
            stack.append(_Text("}"))
            names: list[str] = sorted(item, key=_utf16)
            for index in range(len(names) - 1, -1, -1):
                stack.append(item[names[index]])
                comma = "," if index > 0 else ""
                stack.append(_Text(f"{comma}{quoted(names[index])}:"))
        elif isinstance(item, LIST):
            parts.append("[")
            stack.append(_Text("]"))
            for index in range(len(item) - 1, -1, -1):
                stack.append(item[index])
                if index > 0:
                    stack.append(_Text(","))
        else:
            parts.append(_scalar(item))
    return "".join(parts)


class _Text:
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return number_text(value)


_SURROGATE = re.compile("[\ud800-\udfff]")


def quoted(text: str) -> str:
    """Returns the JSON text of a string, with escapes where JSON or UTF-8 needs them."""
    written = json.encoder.encode_basestring(text)
    if written.isascii():
        return written
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def number_text(value: float) -> str:
    """Returns a number as ECMAScript prints it; `null` for one that JSON does not have."""
    if isinstance(value, int):
        if -(2**53) < value < 2**53:
            return str(value)
        try:
            value = float(value)
        except OverflowError:
            return "null"
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{value!r}e0".partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent.partition("e")[0])
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    return sign + _positioned(digits, point)


def _positioned(digits: str, point: int) -> str:
    """Returns digits with the decimal point behind so many of them (ECMA-262, 6.1.6.1.20)."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    exponent = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
