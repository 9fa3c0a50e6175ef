"""What the messages of a connection have shown of its sessions, for the gates of sessions."""

from __future__ import annotations

from typing import Any

from ..json_values import LIST, OBJECT
from ..protocol import Gate, Method, Protocol
from .paths import read, values_at

_MAX_SESSIONS = 1000
_MAX_KEYS = 1000


class _Keys:
    """The keys that open a gate in one session."""

    def __init__(self, keys: list[Any] | None = None) -> None:
        self.open: dict[Any, None] = dict.fromkeys(keys or ())
        self.is_partial = False
        """Whether some were dropped, so that a missing key may be open as well."""


class SessionFacts:
    """The keys of entries and items that open gates, by session.

    A gate of an unknown session, or of a list that was never received, is open. Memory is
    bounded: the last 1,000 sessions, with the last 1,000 keys of each gate. A session is
    forgotten when it is closed, deleted or archived.
    """

    def __init__(self, protocol: Protocol) -> None:
        gates = [one.gate for one in protocol.methods if one.gate.side == "session"]
        self._gates = gates
        self._item_gates = [one for one in gates if one.kind == "capability"]
        self._item_ids = {
            fact.name: fact.item_id
            for method in protocol.methods
            for fact in method.facts
            if fact.item_id
        }
        # By session, then by the place of the gate in the list.
        self._sessions: dict[str, dict[int, _Keys]] = {}

    def is_open(self, gate: Gate, params: Any) -> bool:
        """Returns whether the session of the params allows the call, or may allow it."""
        session_id = read(params, ["sessionId"])
        known = self._sessions.get(session_id) if isinstance(session_id, str) else None
        keys = None if known is None else known.get(id(gate))
        if keys is None or keys.is_partial:
            return True
        if gate.kind == "entry":
            paths = gate.entry.values()
            key = _key_of([read(params, one.split(".")[1:]) for one in paths])
        else:
            key = read(params, [self._item_ids.get(gate.path[0], "")])
        return key in keys.open if isinstance(key, (str, tuple)) else False

    def learn(self, method: Method, params: Any, result: Any = None) -> None:
        """Takes the facts of params, or of a result when there is one."""
        part = "params" if result is None else "result"
        if part == "result" and "ends-session" in method.traits:
            self._sessions.pop(read(params, ["sessionId"]), None)
            return
        for fact in method.facts:
            if fact.part != part:
                continue
            message = params if result is None else result
            for holder, _ in values_at(message, fact.path):
                self._record(fact.name, fact.item_id, part, holder, params, result)

    def _record(
        self, name: str, item_id: str, part: str, holder: Any, params: Any, result: Any
    ) -> None:
        # The id of a new session is in the result.
        session_id = read(result, ["sessionId"]) or read(params, ["sessionId"])
        if not isinstance(holder, OBJECT) or not isinstance(session_id, str):
            return
        session = self._session(session_id)
        for gate in self._gates:
            if gate.path[0] != name:
                continue
            if gate.kind == "entry":
                _learn_list(session, gate, holder, part)
            elif item_id:
                _learn_item(session[id(gate)], gate, holder, item_id)

    def _session(self, session_id: str) -> dict[int, _Keys]:
        found = self._sessions.get(session_id)
        if found is None:
            found = {id(gate): _Keys() for gate in self._item_gates}
            self._sessions[session_id] = found
            if len(self._sessions) > _MAX_SESSIONS:
                del self._sessions[next(iter(self._sessions))]
        return found


def _learn_list(session: dict[int, _Keys], gate: Gate, holder: Any, part: str) -> None:
    """Replaces the keys by those of a list; one that is too long makes them unknown."""
    entries = read(holder, gate.path)
    if isinstance(entries, LIST):
        if len(entries) > _MAX_KEYS:
            session.pop(id(gate), None)
            return
        keys = [_key_of_entry(gate, entry) for entry in entries]
        session[id(gate)] = _Keys([key for key in keys if key is not None])
    elif part == "result" and read(holder, gate.path[:1]) is None:
        # A session that was opened without the list has no entries.
        session.setdefault(id(gate), _Keys())


def _learn_item(keys: _Keys, gate: Gate, holder: Any, item_id: str) -> None:
    """Updates one item: absent keeps it, null removes it, an object adds it."""
    key = holder.get(item_id)
    if not isinstance(key, str) or gate.path[1] not in holder:
        return
    keys.open.pop(key, None)
    if read(holder, gate.path[1:]) is None:
        return
    keys.open[key] = None
    if len(keys.open) > _MAX_KEYS:
        del keys.open[next(iter(keys.open))]
        keys.is_partial = True


def _key_of_entry(gate: Gate, entry: Any) -> tuple[str, ...] | None:
    if not isinstance(entry, OBJECT):
        return None
    if any(entry.get(name) == value for name, value in gate.excluded.items()):
        return None
    return _key_of([entry.get(name) for name in gate.entry])


def _key_of(values: list[Any]) -> tuple[str, ...] | None:
    return tuple(values) if all(isinstance(one, str) for one in values) else None
