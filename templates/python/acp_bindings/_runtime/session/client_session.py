"""A session as clients use it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ..rpc.errors import AcpError
from .client_turn import Turn
from .state import SessionState

if TYPE_CHECKING:
    from ..role.role_connection import RoleConnection

StateT = TypeVar("StateT", bound=SessionState)


class ClientSession(Generic[StateT]):
    """The base class of the generated `Session`.

    It stays the session of its id: after `session/close` it cannot be prompted until the
    session is opened again, whose state it then has.
    """

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
        self._last = (sessions.of if is_opened else sessions.find)(session_id)
        self.id = session_id
        self.response = response
        """The answer that opened the session; None for one that existed."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id!r}>"

    @property
    def state(self) -> StateT:
        """What the agent has reported of the session so far; it changes in place."""
        self._last = self._connection.sessions.current(self.id, self._last)
        return cast(StateT, self._last.state)

    async def cancel(self) -> None:
        """Asks the agent to stop the work of the session, whoever started it."""
        # A prompt that was made just before is sent first.
        await asyncio.sleep(0)
        await self._notify("session/cancel", {"sessionId": self.id})

    def _prompt(
        self, content: Sequence[Any], params: Any, timeout: float | None
    ) -> Turn[Any, Any]:
        turn: Turn[Any, Any] = Turn(self._connection, self)
        try:
            self._last = self._connection.sessions.use(self.id, self._last)
        except AcpError as error:
            turn.fail(error)
        else:
            turn.start(self._last, content, params, timeout)
        return turn

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
        if name == "session/fork":
            return self._connection.sessions.open(call)
        return call

    def _notify(self, name: str, params: Any) -> Awaitable[None]:
        call: Awaitable[None] = self._connection.peer._notify(name, params)
        return call
