"""Texts that describe values in reports."""

from __future__ import annotations

import math
from typing import Any, Final, cast

from ..json_text.canonical import number_text, quoted
from ..json_values import LIST, MISSING, OBJECT


def render(value: Any) -> str:
    """Describes a value for people, without the contents of objects."""
    if value is MISSING:
        return "nothing"
    if isinstance(value, str):
        return quoted(shorten(value))
    if isinstance(value, LIST):
        return f"an array of {len(value)}"
    if isinstance(value, OBJECT):
        return "an object"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (int, float)):
        # A value that is not JSON, such as an object of a class of another profile.
        kind = type(cast("object", value))
        return f"an object of {kind.__module__}.{kind.__qualname__}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value).replace("inf", "Infinity").replace("nan", "NaN")
    return shorten(number_text(value))


_LONGEST: Final = 60
"""The most characters of a peer's text in a report."""


def shorten(text: str) -> str:
    """Limits how much of a peer's text reports contain."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
