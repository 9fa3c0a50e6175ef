"""Functions that diagnose strings, numbers and other values without parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ..decoding import ReceivedText
from ..patterns import matches
from .diagnosis import Diagnose, Diagnosis
from .rendering import render

MAX_SAFE: Final = 2**53 - 1


def within(
    diagnosis: Diagnosis,
    value: Any,
    size: float,
    least: float | None,
    most: float | None,
    what: str,
) -> None:
    """Rejects a size outside the limits, by the rule `minimum`, `maxLength` and so on."""
    if least is not None and size < least:
        diagnosis.reject(f"min{what}", f"min{what} {least}", value)
    if most is not None and size > most:
        diagnosis.reject(f"max{what}", f"max{what} {most}", value)


def _any(_diagnosis: Diagnosis, _value: Any) -> None:
    """Accepts any value."""


def _null(diagnosis: Diagnosis, value: Any) -> None:
    if value is not None:
        diagnosis.reject("type", "null", value)


def _never(diagnosis: Diagnosis, value: Any) -> None:
    diagnosis.reject("propertyNames", "no such property", value)


def _make_boolean(values: Sequence[bool] = (True, False)) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if not isinstance(value, bool):
            diagnosis.reject("type", "boolean", value)
        elif value not in values:
            diagnosis.reject("enum", "true" if values[0] else "false", value)

    return diagnose


def _make_string(least: int | None, most: int | None, pattern: str | None) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if not isinstance(value, str):
            diagnosis.reject("type", "string", value)
            return
        within(diagnosis, value, len(value), least, most, "Length")
        if pattern is not None and not matches(pattern, value):
            diagnosis.reject("pattern", f"pattern {pattern}", value)

    return diagnose


def _beyond(
    diagnosis: Diagnosis, value: float, above: float | None, below: float | None
) -> None:
    """Rejects a number that is not between two others."""
    if above is not None and value <= above:
        diagnosis.reject("exclusiveMinimum", f"more than {above}", value)
    if below is not None and value >= below:
        diagnosis.reject("exclusiveMaximum", f"less than {below}", value)


def _make_number(
    least: float | None,
    most: float | None,
    above: float | None = None,
    below: float | None = None,
) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if _is_finite(value):
            within(diagnosis, value, value, least, most, "imum")
            _beyond(diagnosis, value, above, below)
        else:
            diagnosis.reject("type", "number", value)

    return diagnose


def _make_integer(
    least: int | None,
    most: int | None,
    above: float | None = None,
    below: float | None = None,
) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if not _is_integer(value):
            diagnosis.reject("type", "integer", value)
            return
        if not -MAX_SAFE <= value <= MAX_SAFE:
            reason = "the integer is not exact in every language"
            diagnosis.note("unsafe-integer", reason)
        within(diagnosis, value, value, least, most, "imum")
        _beyond(diagnosis, value, above, below)

    return diagnose


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _is_integer(value: Any) -> bool:
    return _is_finite(value) and (isinstance(value, int) or value.is_integer())


def _make_enum(kind: str, values: list[Any], is_open: bool) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        is_typed = isinstance(value, str) if kind == "string" else _is_integer(value)
        if not is_typed:
            diagnosis.reject("type", kind, value)
            return
        if value in values or (is_open and kind == "string" and value.startswith("_")):
            return
        is_refused = diagnosis.mode != "keep"
        if is_open:
            is_refused = diagnosis.mode == "send" and kind == "string"
        if diagnosis.mode == "send" and isinstance(value, ReceivedText):
            is_refused = False
        if is_refused:
            expected = ", ".join(str(one) for one in values)
            others = ', or a name that begins with "_"' if is_open else ""
            diagnosis.reject("enum", f"one of {expected}{others}", value)
        else:
            diagnosis.note("unknown", f"{render(value)} is not known")

    return diagnose


SCALARS: Final[dict[str, Callable[..., Diagnose]]] = {
    "any": lambda: _any,
    "null": lambda: _null,
    "never": lambda: _never,
    "boolean": _make_boolean,
    "string": _make_string,
    "number": _make_number,
    "integer": _make_integer,
    "enum": _make_enum,
}
