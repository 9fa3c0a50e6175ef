"""Paths into messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..json_values import LIST, OBJECT


def read(holder: Any, path: Iterable[str]) -> Any:
    """Returns the value at the end of properties; None where there is none."""
    for name in path:
        holder = holder.get(name) if isinstance(holder, OBJECT) else None
    return holder


def values_at(
    value: Any, path: tuple[Any, ...], pointer: str
) -> Iterator[tuple[Any, str]]:
    """Finds the values that a path leads to, with JSON pointers."""
    if not path:
        yield value, pointer
        return
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        if isinstance(value, OBJECT) and step in value:
            name = step.replace("~", "~0").replace("/", "~1")
            yield from values_at(value[step], rest, f"{pointer}/{name}")
    elif "each" in step:
        items: Any = ()
        if isinstance(value, LIST):
            items = enumerate(value)
        elif isinstance(value, OBJECT):
            items = value.items()
        for name, item in items:
            yield from values_at(item, rest, f"{pointer}/{name}")
    elif isinstance(value, OBJECT) and value.get(step["tag"]) in step["values"]:
        yield from values_at(value, rest, pointer)
