"""The states of the sessions that a client has opened on one connection."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from ..json_values import OBJECT
from ..session.state import SessionState
from ..session.state_v1 import SessionStateV1
from ..session.state_v2 import SessionStateV2

if TYPE_CHECKING:
    from .role_connection import RoleConnection

T = TypeVar("T")
MAX_EARLY = 100
"""How many sessions get a state before the answer with their id has come."""


class ClientSessions:
    """Applies the updates of a connection to the states of its sessions."""

    def __init__(self, connection: RoleConnection) -> None:
        self._version = connection.protocol.version
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
        return SessionStateV1() if self._version == 1 else SessionStateV2()

    def _listen(self, method: str, params: Any, result: Any) -> None:
        if method == "session/update":
            state = self._states.get(params.session_id)
            if state is None and self._opening > 0:
                state = self._early_state(params.session_id)
            if state is not None:
                state.apply(params.update)
        elif method == "session/new" and isinstance(result, OBJECT):
            session_id = result.get("sessionId")
            if isinstance(session_id, str) and self._opening > 0:
                self.state_of(session_id)
        elif method in ("session/close", "session/delete"):
            self._states.pop(params.get("sessionId"), None)

    def _early_state(self, session_id: str) -> SessionState | None:
        if session_id not in self._early and len(self._early) < MAX_EARLY:
            self._early[session_id] = self._create()
        return self._early.get(session_id)
