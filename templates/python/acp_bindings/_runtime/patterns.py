"""ECMAScript patterns, which mean something else in Python here and there."""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from typing import Final


def matches(pattern: str, value: str) -> bool:
    """Returns whether an ECMAScript pattern with the flag `u` matches a string."""
    return _compiled(pattern).search(value) is not None


@functools.lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_translated(pattern)))


_TOKENS: Final = re.compile(
    r"""
    \\u\{(?P<long>[0-9a-fA-F]+)\}
    | \\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})
    | \\u(?P<code>[0-9a-fA-F]{4})
    | \\c(?P<control>[a-zA-Z])
    | \\(?P<property>[pP])\{(?P<category>\w+)\}
    | \\(?P<escaped>.)
    | (?P<group>\(\?<[^=!>][^>]*>)
    | (?P<other>.)
    """,
    re.DOTALL | re.VERBOSE,
)

_SETS: Final = {
    "d": "0-9",
    "D": r"\x00-/:-\U0010ffff",
    "w": "0-9A-Z_a-z",
    "W": r"\x00-/:-@\[-\^`{-\U0010ffff",
    "s": r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    "S": r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027"
    r"\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff",
}
"""The characters that the escapes of sets stand for."""

_WORD: Final = "[0-9A-Z_a-z]"

_OUTSIDE: Final = {
    ".": r"[^\n\r\u2028\u2029]",
    "$": r"\Z",
    r"\b": f"(?:(?<!{_WORD})(?={_WORD})|(?<={_WORD})(?!{_WORD}))",
    r"\B": f"(?:(?<!{_WORD})(?!{_WORD})|(?<={_WORD})(?={_WORD}))",
}
"""What means something else in Python outside of brackets."""


def _translated(pattern: str) -> list[str]:
    parts: list[str] = []
    is_inside = False
    for token in _TOKENS.finditer(pattern):
        text, name = token[0], token["escaped"]
        if name in _SETS:
            parts.append(_SETS[name] if is_inside else f"[{_SETS[name]}]")
        elif name == "b" and is_inside:
            parts.append(r"\x08")
        elif not is_inside and text in _OUTSIDE:
            parts.append(_OUTSIDE[text])
        elif name is not None:
            # Other escapes of letters and digits are those of Python.
            parts.append(text if name.isalnum() else re.escape(name))
        elif token["category"] is not None:
            found = _category(token["category"], token["property"] == "P")
            parts.append(found if is_inside else f"[{found}]")
        elif token["group"] is not None:
            parts.append("(")
        elif text == "[" and not is_inside:
            is_inside = True
            parts.append(text)
        elif text == "]" and is_inside:
            is_inside = False
            parts.append(_closed(parts))
        elif len(text) > 1:
            parts.append(re.escape(_character(token)))
        elif is_inside and text not in "-^":
            parts.append(re.escape(text))
        else:
            parts.append(text)
    return parts


@functools.cache
def _category(name: str, is_negated: bool) -> str:
    """Returns the characters of a Unicode general category as ranges."""
    ranges: list[str] = []
    start = -1
    for code in range(sys.maxunicode + 2):
        fits = code <= sys.maxunicode and is_negated != (
            unicodedata.category(chr(code)).startswith(name)
        )
        if fits and start < 0:
            start = code
        elif not fits and start >= 0:
            ranges.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = -1
    return "".join(ranges)


def _closed(parts: list[str]) -> str:
    """Returns the end of a bracket; Python has no empty one."""
    if parts[-1] == "[":
        parts[-1] = ""
        return "(?!)"
    if parts[-1] == "^" and parts[-2] == "[":
        parts[-2:] = ["", ""]
        return r"[\x00-\U0010ffff]"
    return "]"


def _character(token: re.Match[str]) -> str:
    if token["control"] is not None:
        return chr(ord(token["control"]) % 32)
    if token["high"] is not None:
        high, low = int(token["high"], 16), int(token["low"], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
    return chr(int(token["long"] or token["code"], 16))
