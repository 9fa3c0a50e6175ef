"""Paths into messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..json_values import LIST, OBJECT


def read(holder: Any, path: Iterable[str]) -> Any:
    """Returns the value at the end of properties; None where there is none."""
    for name in path:
        holder = holder.get(name) if isinstance(holder, OBJECT) else None
    return holder


def path_text(path: Iterable[str]) -> str:
    """Returns the text of a path: names that are not words are quoted in brackets."""
    return "".join(
        f".{name}" if re.fullmatch(r"[A-Za-z0-9_]+", name) else f'["{name}"]'
        for name in path
    ).removeprefix(".")


def path_names(text: str) -> list[str]:
    """Returns the names of a path; the reverse of `path_text`."""
    found = re.finditer(r'\["([^"]*)"\]|[^.[\]"]+', text)
    return [match[0] if match[1] is None else match[1] for match in found]


def values_at(
    value: Any, path: tuple[Any, ...], pointer: str = ""
) -> list[tuple[Any, str]]:
    """Returns the values that a path leads to, with JSON pointers."""
    for place, step in enumerate(path):
        if type(step) is str:
            if type(value) is not OBJECT or step not in value:
                return []
            value = value[step]
        elif "each" in step:
            start, rest = pointer + _pointer(path[:place]), path[place + 1 :]
            return [
                found
                for name, item in _items(value)
                for found in values_at(item, rest, f"{start}/{name}")
            ]
        elif type(value) is not OBJECT or value.get(step["tag"]) not in step["values"]:
            return []
    return [(value, pointer + _pointer(path))]


def _pointer(path: tuple[Any, ...]) -> str:
    names = [step for step in path if type(step) is str]
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    items: Any = ()
    if isinstance(value, LIST):
        items = enumerate(value)
    elif isinstance(value, OBJECT):
        items = value.items()
    found: Iterable[tuple[Any, Any]] = items
    return found


def option_id(option: Any) -> Any:
    """Returns the id of an option, whose property depends on the version."""
    return read(option, ["configId"]) or read(option, ["id"])
