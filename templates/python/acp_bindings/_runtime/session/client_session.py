"""A session as clients use it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .client_turn import Turn
from .state import SessionState
from .state_v1 import SessionStateV1

if TYPE_CHECKING:
    from ..role.role_connection import RoleConnection

StateT = TypeVar("StateT", bound=SessionState)


class ClientSession(Generic[StateT]):
    """The base class of the generated `Session`."""

    def __init__(
        self,
        connection: RoleConnection,
        session_id: str,
        response: Any = None,
        *,
        is_opened: bool = True,
    ) -> None:
        self._connection = connection
        sessions = connection.sessions
        get = sessions.state_of if is_opened else sessions.find
        self._state = get(session_id)
        self.id = session_id
        self.response = response
        """The answer that opened the session; None for one that existed."""

    @property
    def state(self) -> StateT:
        """What the agent has reported of the session so far; it changes in place."""
        return cast(StateT, self._state)

    async def cancel(self) -> None:
        """Asks the agent to stop the work of the session, whoever started it."""
        # A prompt that was made just before is sent first.
        await asyncio.sleep(0)
        await self._notify("session/cancel", {"sessionId": self.id})

    def _prompt(
        self, content: Sequence[Any], params: Any, timeout: float | None
    ) -> Turn[Any, Any]:
        if isinstance(self._state, SessionStateV1):
            self._state.add_user_message(content)
        return Turn(self._connection, self, params, timeout)

    def _end_turn(self) -> None:
        """Ends the messages of a turn, which the agent itself does in version 2."""
        if isinstance(self._state, SessionStateV1):
            self._state.end_turn()

    async def _set_config_option(
        self, config_id: str, value: str | bool, timeout: float | None
    ) -> Any:
        params = {"sessionId": self.id, "configId": config_id, "value": value}
        if isinstance(value, bool):
            params["type"] = "boolean"
        elif self._connection.protocol.version > 1:
            params["type"] = "id"
        return await self._call("session/set_config_option", params, timeout)

    def _call(self, name: str, params: Any, timeout: float | None) -> Awaitable[Any]:
        call: Awaitable[Any] = self._connection.peer._call(name, params, timeout)
        return call

    def _notify(self, name: str, params: Any) -> Awaitable[None]:
        call: Awaitable[None] = self._connection.peer._notify(name, params)
        return call
