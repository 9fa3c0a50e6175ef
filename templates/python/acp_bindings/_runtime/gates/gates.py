"""The gates of a connection: what both sides advertised, and what that allows."""

from __future__ import annotations

import re
from typing import Any

from .. import sentences
from ..diagnosis.did_you_mean import nearest
from ..json_values import LIST, OBJECT
from ..protocol import Gate, Place, Protocol, Side
from .closed_places import ClosedPlaces
from .paths import path_text, read
from .session_facts import SessionFacts


class Gates:
    """Knows the initialize messages of both sides, as JSON."""

    def __init__(self, protocol: Protocol) -> None:
        self._advertised: dict[Side, dict[str, Any]] = {}
        self._closed: dict[int, ClosedPlaces] = {}
        """The places whose gates are closed, by the identity of all places of a message."""
        self._capabilities = {
            (gate.side, _as_in_python(path_text(gate.path))): gate
            for gate in protocol.find_initialize().capabilities
        }
        self.sessions = SessionFacts(protocol)

    @property
    def advertised(self) -> dict[Side, dict[str, Any]]:
        """The initialize messages."""
        return self._advertised

    @advertised.setter
    def advertised(self, messages: dict[Side, dict[str, Any]]) -> None:
        self._advertised = messages
        self._closed.clear()

    def missing(self, gate: Gate, params: Any = None) -> str | None:
        """Returns the path of the capability that a gate lacks; None when it is open.

        Without params, a gate with keys or entries is open when there is any.
        """
        if gate.kind == "always" or gate.side == "":
            return None
        if gate.side == "session":
            is_open = params is None or self.sessions.is_open(gate, params)
            return None if is_open else path_text(gate.path)
        value = read(self._advertised.get(gate.side), gate.path)
        path = path_text(gate.path)
        if gate.kind == "capability":
            return None if _is_open(gate.test, value) else path
        if gate.kind == "key":
            key = read(params, gate.key.split(".")[1:])
            names: dict[str, Any] = value if isinstance(value, OBJECT) else {}
            if isinstance(key, str):
                return (
                    None if names.get(key) is not None else path_text([*gate.path, key])
                )
            others = (names[one] for one in names if one != "_meta")
            return None if any(one is not None for one in others) else path
        if params is None:
            return None
        return None if _has_entry(gate, value, params) else path

    def supports(self, side: Side, names: list[str]) -> bool:
        """Returns whether a side advertised a capability, whose names may be as in Python.

        That of a vendor, below `_meta`, may have any value besides null and false. Raises
        ValueError for what the side cannot advertise.
        """
        text = path_text(names)
        gate = self._capabilities.get((side, _as_in_python(text)))
        if gate is not None:
            return self.missing(gate) is None
        if "_meta" in names:
            value = read(self._advertised.get(side), names)
            return value is not None and value is not False
        known = [
            path_text(gate.path)
            for own, gate in self._capabilities.items()
            if own[0] == side
        ]
        meant = next((one for one in known if one.endswith(f".{text}")), None)
        meant = meant or nearest(text, known)
        hint = "" if meant is None else sentences.did_you_mean(meant)
        raise ValueError(sentences.unknown_capability(text, side, hint))

    def is_excluded(self, gate: Gate, params: Any) -> bool:
        """Returns whether the entry that the params name is one that does not open the gate."""
        if not gate.excluded or gate.side == "session" or gate.side == "":
            return False
        entries: Any = read(self._advertised.get(gate.side), gate.path)
        return isinstance(entries, LIST) and any(
            _is_entry(gate, entry, params) for entry in entries
        )

    def unavailable(
        self, places: tuple[Place, ...], message: Any
    ) -> tuple[Place, str] | None:
        """Returns the first value in a message that must not be sent without a capability.

        What only should not be sent, or what is only implied, is not looked for.
        """
        closed = self._closed.get(id(places))
        if closed is None:
            closed = self._closed[id(places)] = ClosedPlaces(places, self.missing)
        return closed.find(message) if closed.is_any else None


def _as_in_python(path: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", path).lower()


def _is_open(test: str, value: Any) -> bool:
    if test == "true":
        return value is True
    if test == "filled":
        return isinstance(value, LIST) and value != []
    return value is not None


def _has_entry(gate: Gate, entries: Any, params: Any) -> bool:
    return isinstance(entries, LIST) and any(
        _is_entry(gate, entry, params)
        and not any(entry.get(name) == value for name, value in gate.excluded.items())
        for entry in entries
    )


def _is_entry(gate: Gate, entry: Any, params: Any) -> bool:
    """Returns whether an entry is the one that the params name."""
    return isinstance(entry, OBJECT) and all(
        entry.get(name) == read(params, path.split(".")[1:])
        for name, path in gate.entry.items()
    )
