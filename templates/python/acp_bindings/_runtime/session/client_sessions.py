"""The sessions that a client has opened on one connection."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from ..gates.paths import read
from ..json_values import OBJECT
from ..results import Failure
from ..rpc.errors import AcpError
from .state import SessionState
from .state_v1 import SessionStateV1
from .state_v2 import SessionStateV2

if TYPE_CHECKING:
    from ..role.role_connection import RoleConnection
    from .client_turn import Turn

T = TypeVar("T")
MAX_EARLY = 100
"""How many sessions get a state before the answer with their id has come."""

_OPENING = {
    "session/load": "load_session",
    "session/resume": "resume_session",
}
"""The methods that open a session that exists, and the calls of the peer."""

_ENDING = ("session/close", "session/delete")


class Entry:
    """The state and the running turns of a session, which all its handles share."""

    def __init__(self, state: SessionState, before: Entry | None = None) -> None:
        """`before`: the entry that this one replaces, whose turns go on."""
        self.state = state
        self.turns: list[Turn[Any, Any]] = [] if before is None else before.turns
        self.is_closed = False


class ClientSessions:
    """Applies the updates of a connection to its sessions, and ends their turns."""

    def __init__(self, connection: RoleConnection) -> None:
        self._protocol = connection.protocol
        self._entries: dict[str, Entry] = {}
        self._early: dict[str, Entry] = {}
        self._opening = 0
        self.lost: BaseException | None = None
        """The error of turns that the end of the connection has left without an end."""
        connection.listeners.append(self._listen)
        connection.on_close.append(self._closed)

    def of(self, session_id: str) -> Entry:
        """Returns the entry of a session, which begins now if it is new."""
        entry = self._entries.get(session_id)
        if entry is None:
            entry = self._early.pop(session_id, None) or self._create()
            self._entries[session_id] = entry
        return entry

    def find(self, session_id: str) -> Entry:
        """Returns the entry of a session; an empty one for a session that is not known."""
        known = self._entries.get(session_id) or self._early.get(session_id)
        return known or self._create()

    def current(self, session_id: str, last: Entry) -> Entry:
        """Returns the entry of a session as of now, the last known one if it is not open."""
        return self._entries.get(session_id, last)

    def use(self, session_id: str, last: Entry) -> Entry:
        """Returns the entry for work in a session. Raises AcpError when it was closed."""
        entry = self._entries.get(session_id)
        if entry is None:
            if last.is_closed:
                raise AcpError(self._closed_text(session_id))
            entry = self._entries[session_id] = last
        return entry

    async def open(self, call: Awaitable[T]) -> T:
        """Waits for the answer that has the id of a new session; updates may come before it."""
        self._opening += 1
        try:
            return await call
        finally:
            self._opening -= 1
            if self._opening == 0:
                self._early.clear()

    async def reopen(self, session_id: str, call: Awaitable[T], replays: bool) -> T:
        """Waits for the answer to `session/load` or `session/resume`.

        A replay begins with an empty state. When the call fails, the state is as before.
        """
        before = self._entries.get(session_id)
        if replays or before is None:
            self._entries[session_id] = self._create(before)
        try:
            return await call
        except BaseException:
            self._entries.pop(session_id, None)
            if before is not None:
                self._entries[session_id] = before
            raise

    def _create(self, before: Entry | None = None) -> Entry:
        if self._protocol.state is not None:
            return Entry(self._protocol.state(), before)
        is_first = self._protocol.version == 1
        return Entry(SessionStateV1() if is_first else SessionStateV2(), before)

    def _closed_text(self, session_id: str) -> str:
        calls = [
            call
            for method, call in _OPENING.items()
            if self._protocol.find("agent", "request", method) is not None
        ]
        again = f": open it again with {' or '.join(calls)}" if calls else ""
        return f"the session {session_id} was closed{again}"

    def _closed(self, error: BaseException) -> None:
        self.lost = error
        for entry in self._entries.values():
            for turn in tuple(entry.turns):
                turn.lose(error)

    def _listen(self, method: str, params: Any, result: Any) -> None:
        if method == "session/update":
            self._update(params.session_id, params.update)
            return
        answer: Any = result if isinstance(result, OBJECT) else {}
        if method in ("session/new", "session/fork"):
            session_id = answer.get("sessionId")
            if isinstance(session_id, str) and self._opening > 0:
                self._begin(self.of(session_id).state, method, answer)
            return
        session_id = read(params, ["sessionId"])
        entry = self._entries.get(session_id) if isinstance(session_id, str) else None
        if entry is not None:
            self._answered(method, params, answer, entry)

    def _update(self, session_id: str, update: Any) -> None:
        entry = self._entries.get(session_id)
        if entry is None and self._opening > 0:
            entry = self._early_entry(session_id)
        if entry is not None:
            entry.state.apply(update)
            for turn in tuple(entry.turns):
                turn.receive(update)

    def _answered(self, method: str, params: Any, answer: Any, entry: Entry) -> None:
        """Takes the result of a call in a session, in the order of the wire."""
        if method == "session/prompt":
            for turn in tuple(entry.turns):
                turn.answered(params)
        elif method in _ENDING:
            self._close(params["sessionId"], entry)
        elif method in _OPENING:
            self._begin(entry.state, method, answer)
        elif method == "session/set_mode":
            self._set_mode(entry.state, params.get("modeId"))
        elif method == "session/set_config_option":
            self._set_options(entry.state, answer.get("configOptions"))

    def _close(self, session_id: str, entry: Entry) -> None:
        entry.is_closed = True
        del self._entries[session_id]
        text = f"the session {session_id} was closed before the turn ended"
        for turn in tuple(entry.turns):
            turn.lose(AcpError(text, "session/prompt"))

    def _begin(self, state: SessionState, method: str, answer: Any) -> None:
        """Starts a state with what the answer that opened a session says of it."""
        found = self._protocol.find("agent", "request", method)
        modes = answer.get("modes")
        if found is not None and modes and isinstance(state, SessionStateV1):
            decoded = self._protocol.schema_of(found.result).decode(answer)
            if not isinstance(decoded, Failure):
                listed: Any = getattr(decoded.value, "modes", None)
                state.available_modes = getattr(listed, "available_modes", [])
            self._set_mode(state, read(modes, ["currentModeId"]))
        self._set_options(state, answer.get("configOptions"))
        commands = answer.get("availableCommands")
        self._apply(state, "available_commands_update", "availableCommands", commands)

    def _set_mode(self, state: SessionState, mode_id: Any) -> None:
        self._apply(state, "current_mode_update", "currentModeId", mode_id)

    def _set_options(self, state: SessionState, options: Any) -> None:
        self._apply(state, "config_option_update", "configOptions", options)

    def _apply(self, state: SessionState, tag: str, name: str, value: Any) -> None:
        """Applies what an answer says as the update that would say the same."""
        if value is None:
            return
        schema = self._protocol.params_schema(
            "client", "notification", "session/update"
        )
        update = {"sessionUpdate": tag, name: value}
        decoded = schema.decode({"sessionId": "", "update": update})
        if not isinstance(decoded, Failure):
            state.apply(decoded.value.update)

    def _early_entry(self, session_id: str) -> Entry | None:
        if session_id not in self._early and len(self._early) < MAX_EARLY:
            self._early[session_id] = self._create()
        return self._early.get(session_id)
