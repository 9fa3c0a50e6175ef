"""The gates of a connection: what both sides advertised, and what that allows."""

from __future__ import annotations

from typing import Any

from ..json_values import LIST, OBJECT
from ..role.protocol import Gate, Place, Protocol, Side
from .paths import read, values_at
from .session_facts import SessionFacts


class Gates:
    """Knows the initialize messages of both sides, as JSON."""

    def __init__(self, protocol: Protocol) -> None:
        self.advertised: dict[Side, dict[str, Any]] = {}
        self.sessions = SessionFacts(protocol)

    def missing(self, gate: Gate, params: Any = None) -> str | None:
        """Returns the path of the capability that a gate lacks; None when it is open.

        Without params, a gate with keys or entries is open when there is any.
        """
        if gate.kind == "always" or gate.side == "":
            return None
        if gate.side == "session":
            is_open = params is None or self.sessions.is_open(gate, params)
            return None if is_open else ".".join(gate.path)
        value = read(self.advertised.get(gate.side), gate.path)
        path = ".".join(gate.path)
        if gate.kind == "capability":
            return None if _is_open(gate.test, value) else path
        if gate.kind == "key":
            key = read(params, gate.key.split(".")[1:])
            names: dict[str, Any] = value if isinstance(value, OBJECT) else {}
            if isinstance(key, str):
                return None if names.get(key) is not None else f"{path}.{key}"
            return None if any(name != "_meta" for name in names) else path
        if params is None:
            return None
        return None if _has_entry(gate, value, params) else path

    def unavailable(
        self, places: tuple[Place, ...], message: Any
    ) -> tuple[Place, str] | None:
        """Returns the first value in a message that needs what was not advertised."""
        for place in places:
            if self.missing(place.gate) is None:
                continue
            for value, pointer in values_at(message, place.path):
                if place.tag:
                    tag = value.get(place.tag) if isinstance(value, OBJECT) else None
                    if tag in place.values:
                        return place, f"{pointer}/{place.tag}"
                elif value not in (None, []) and value in (place.values or [value]):
                    return place, pointer
        return None


def _is_open(test: str, value: Any) -> bool:
    if test == "true":
        return value is True
    if test == "filled":
        return isinstance(value, LIST) and value != []
    return value is not None


def _has_entry(gate: Gate, entries: Any, params: Any) -> bool:
    wanted = {
        name: read(params, path.split(".")[1:]) for name, path in gate.entry.items()
    }
    return isinstance(entries, LIST) and any(
        isinstance(entry, OBJECT)
        and all(entry.get(name) == value for name, value in wanted.items())
        and not any(entry.get(name) == value for name, value in gate.excluded.items())
        for entry in entries
    )
