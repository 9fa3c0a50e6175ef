"""The gates of a connection: what both sides advertised, and what that allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .protocol import Gate, Method, Place, Side


class Gates:
    """Knows the initialize messages of both sides, as JSON."""

    def __init__(self) -> None:
        self.advertised: dict[Side, dict[str, Any]] = {}

    def missing(self, gate: Gate, params: Any = None) -> str | None:
        """Returns the path of the capability that a gate lacks; None when it is open.

        Without params, a gate with keys or entries is open when there is any.
        """
        if gate.kind == "always" or gate.side in ("session", ""):
            return None
        value = _read(self.advertised.get(gate.side), gate.path)
        path = ".".join(gate.path)
        if gate.kind == "capability":
            return None if _is_open(gate.test, value) else path
        if gate.kind == "key":
            key = _read(params, gate.key.split(".")[1:])
            names = value if isinstance(value, dict) else {}
            if isinstance(key, str):
                return None if names.get(key) is not None else f"{path}.{key}"
            return None if any(name != "_meta" for name in names) else path
        if params is None:
            return None
        return None if _has_entry(gate, value, params) else path

    def unavailable(self, method: Method, params: Any) -> tuple[Place, str] | None:
        """Returns the first value in params that needs what was not advertised."""
        for place in method.places:
            if self.missing(place.gate) is None:
                continue
            for value, pointer in _values(params, place.path, ""):
                if place.tag:
                    if isinstance(value, dict) and value.get(place.tag) in place.values:
                        return place, f"{pointer}/{place.tag}"
                elif value is not None and value != []:
                    if not place.values or value in place.values:
                        return place, pointer
        return None


def _read(holder: Any, path: Any) -> Any:
    for name in path:
        holder = holder.get(name) if isinstance(holder, dict) else None
    return holder


def _is_open(test: str, value: Any) -> bool:
    if test == "true":
        return value is True
    if test == "filled":
        return isinstance(value, list) and value != []
    return value is not None


def _has_entry(gate: Gate, entries: Any, params: Any) -> bool:
    wanted = {
        name: _read(params, path.split(".")[1:]) for name, path in gate.entry.items()
    }
    return isinstance(entries, list) and any(
        isinstance(entry, dict)
        and all(entry.get(name) == value for name, value in wanted.items())
        and not any(entry.get(name) == value for name, value in gate.excluded.items())
        for entry in entries
    )


def _values(
    value: Any, path: tuple[Any, ...], pointer: str
) -> Iterator[tuple[Any, str]]:
    """Finds the values that a path leads to, with JSON pointers."""
    if not path:
        yield value, pointer
        return
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        if isinstance(value, dict) and step in value:
            name = step.replace("~", "~0").replace("/", "~1")
            yield from _values(value[step], rest, f"{pointer}/{name}")
    elif "each" in step:
        items: Any = ()
        if isinstance(value, list):
            items = enumerate(value)
        elif isinstance(value, dict):
            items = value.items()
        for name, item in items:
            yield from _values(item, rest, f"{pointer}/{name}")
    elif isinstance(value, dict) and value.get(step["tag"]) in step["values"]:
        yield from _values(value, rest, pointer)
