"""Why JSON cannot hold a value, found after its encoder has failed."""

from __future__ import annotations

import math
from typing import Any, Final

from ..json_values import CONTAINERS, OBJECT
from ..results import InvalidValueError, Issue
from .rendering import render, shorten

_LEAVE: Final = object()
_HOLDERS: Any = (*CONTAINERS, tuple)


def unsendable_message(message: dict[str, Any]) -> InvalidValueError:
    """Returns the error for a message that JSON cannot hold."""
    part = next(name for name in ("params", "result", "error") if name in message)
    method = message.get("method")
    of = "" if method is None else f" of {method}"
    return unsendable(f"{part}{of}", message[part])


def unsendable(definition: str, value: Any, *others: type) -> InvalidValueError:
    """Returns the error for a value that JSON cannot hold, or that is too deep."""
    issue = find_unsendable(value, *others)
    if issue is None:
        issue = Issue("", "depth", "fewer levels", render(value))
    return InvalidValueError(definition, (issue,))


def find_unsendable(value: Any, *others: type) -> Issue | None:
    """Returns the first value inside another that JSON cannot hold, and where it is.

    `others`: the classes of values that are accepted, except inside themselves.
    """
    around, known = set[int](), set[int]()
    # A stack instead of recursion, since values may be nested to any depth.
    rest: list[tuple[Any, Any]] = [(value, None)]
    while rest:
        part, at = rest.pop()
        if at is _LEAVE:
            around.remove(id(part))
            continue
        expected = None if isinstance(part, others) else _expected(part)
        if id(part) in around:
            expected = "a value without circular references"
        if expected is not None:
            return Issue(_pointer(at), "json", expected, render(part))
        if isinstance(part, _HOLDERS) and id(part) not in known:
            around.add(id(part))
            known.add(id(part))
            rest.append((part, _LEAVE))
            items: Any = part.items() if isinstance(part, OBJECT) else enumerate(part)
            rest += reversed([(one, (at, key)) for key, one in items])
    return None


def _expected(value: Any) -> str | None:
    """Returns what JSON would hold in place of a value, whose parts are not looked at."""
    if isinstance(value, float):
        return None if math.isfinite(value) else "a finite number"
    if isinstance(value, OBJECT):
        texts = all(isinstance(name, (str, int)) or name is None for name in value)
        return None if texts else "names that are strings"
    if isinstance(value, int):
        try:
            str(value)
        except ValueError:
            return "a number with fewer digits"
    is_json = value is None or isinstance(value, (str, int, list, tuple))
    return None if is_json else "a JSON value"


def _pointer(at: Any) -> str:
    tokens: list[str] = []
    while at is not None:
        at, key = at
        token = shorten(str(key)).replace("~", "~0").replace("/", "~1")
        tokens.append(f"/{token}")
    return "".join(reversed(tokens))
