"""The states of the sessions that a client has opened on one connection."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from ..gates.paths import read
from ..json_values import OBJECT
from ..results import Failure
from .state import SessionState
from .state_v1 import SessionStateV1
from .state_v2 import SessionStateV2

if TYPE_CHECKING:
    from ..role.role_connection import RoleConnection

T = TypeVar("T")
MAX_EARLY = 100
"""How many sessions get a state before the answer with their id has come."""


class ClientSessions:
    """Applies the updates of a connection to the states of its sessions."""

    def __init__(self, connection: RoleConnection) -> None:
        self._protocol = connection.protocol
        self._states: dict[str, SessionState] = {}
        self._early: dict[str, SessionState] = {}
        self._opening = 0
        connection.listeners.append(self._listen)

    def state_of(self, session_id: str) -> SessionState:
        """Returns the state of a session, which begins now if it is new."""
        state = self._states.get(session_id)
        if state is None:
            state = self._early.pop(session_id, None) or self._create()
            self._states[session_id] = state
        return state

    def find(self, session_id: str) -> SessionState:
        """Returns the state of a session; an empty one for a session that is not known."""
        known = self._states.get(session_id) or self._early.get(session_id)
        return known or self._create()

    async def open(self, call: Awaitable[T]) -> T:
        """Waits for the answer to `session/new`; updates may come before it."""
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
        before = self._states.get(session_id)
        if replays or before is None:
            self._states[session_id] = self._create()
        try:
            return await call
        except BaseException:
            self._states.pop(session_id, None)
            if before is not None:
                self._states[session_id] = before
            raise

    def _create(self) -> SessionState:
        if self._protocol.state is not None:
            return self._protocol.state()
        return SessionStateV1() if self._protocol.version == 1 else SessionStateV2()

    def _listen(self, method: str, params: Any, result: Any) -> None:
        if method == "session/update":
            state = self._states.get(params.session_id)
            if state is None and self._opening > 0:
                state = self._early_state(params.session_id)
            if state is not None:
                state.apply(params.update)
            return
        answer: Any = result if isinstance(result, OBJECT) else {}
        session_id = read(params, ["sessionId"])
        if method == "session/new":
            session_id = answer.get("sessionId")
            if isinstance(session_id, str) and self._opening > 0:
                self._begin(self.state_of(session_id), method, answer)
        elif not isinstance(session_id, str) or session_id not in self._states:
            return
        elif method in ("session/close", "session/delete"):
            del self._states[session_id]
        elif method in ("session/load", "session/resume"):
            self._begin(self._states[session_id], method, answer)
        elif method == "session/set_mode":
            self._set_mode(self._states[session_id], params.get("modeId"))
        elif method == "session/set_config_option":
            self._set_options(self._states[session_id], answer.get("configOptions"))

    def _begin(self, state: SessionState, method: str, answer: Any) -> None:
        """Starts a state with the modes and options in the answer that opened a session."""
        found = self._protocol.find("agent", "request", method)
        modes = answer.get("modes")
        if found is not None and modes and isinstance(state, SessionStateV1):
            decoded = self._protocol.schema_of(found.result).decode(answer)
            if not isinstance(decoded, Failure):
                listed: Any = getattr(decoded.value, "modes", None)
                state.available_modes = getattr(listed, "available_modes", [])
            self._set_mode(state, read(modes, ["currentModeId"]))
        self._set_options(state, answer.get("configOptions"))

    def _set_mode(self, state: SessionState, mode_id: Any) -> None:
        self._apply(state, "current_mode_update", "currentModeId", mode_id)

    def _set_options(self, state: SessionState, options: Any) -> None:
        self._apply(state, "config_option_update", "configOptions", options)

    def _apply(self, state: SessionState, tag: str, name: str, value: Any) -> None:
        """Applies what an answer says as the update that would say the same."""
        schema = self._protocol.params_schema(
            "client", "notification", "session/update"
        )
        update = {"sessionUpdate": tag, name: value}
        decoded = schema.decode({"sessionId": "", "update": update})
        if value is not None and not isinstance(decoded, Failure):
            state.apply(decoded.value.update)

    def _early_state(self, session_id: str) -> SessionState | None:
        if session_id not in self._early and len(self._early) < MAX_EARLY:
            self._early[session_id] = self._create()
        return self._early.get(session_id)
