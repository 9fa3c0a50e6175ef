"""A session as clients use it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .. import sentences
from ..diagnosis.rendering import render
from ..gates.paths import option_id
from ..results import InvalidValueError, Issue
from ..rpc.errors import AcpError
from .client_turn import Turn
from .state import SessionState

if TYPE_CHECKING:
    from ..link import Link

StateT = TypeVar("StateT", bound=SessionState)


class ClientSession(Generic[StateT]):
    """The base class of the generated `Session`.

    After the session was closed or deleted, prompts and calls that need an open session
    are refused. When it is opened again, this object stands for the opened session.
    """

    def __init__(
        self,
        connection: Link,
        session_id: str,
        response: Any = None,
        *,
        is_opened: bool = True,
    ) -> None:
        """`is_opened`: whether the session is known; otherwise it begins when it is used."""
        self._connection = connection
        self._last: SessionState | None = None
        self.id = session_id
        self.response = response
        """The answer that opened the session; None for one that existed."""
        if is_opened:
            self._last = connection.sessions.of(session_id)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id!r}>"

    @property
    def path(self) -> list[str]:
        """The place of the session.

        It has the ids from the session that was opened to this one, which may be a subagent
        of a subagent. The states of subagents begin when they are announced.
        """
        return self._connection.tree.path(self.id, is_closing=True)[::-1]

    @property
    def state(self) -> StateT:
        """What the agent has reported of the session so far; it changes in place.

        A session that is loaded again has a new state; that of a closed one is the last.
        """
        sessions = self._connection.sessions
        self._last = sessions.find(self.id) or self._last or sessions.of(self.id)
        return cast(StateT, self._last)

    async def cancel(self) -> None:
        """Asks the agent to stop the work of the session, whoever started it."""
        # A prompt that was made just before is sent first.
        await asyncio.sleep(0)
        if self._is_open:
            name = self._connection.protocol.named("cancels-turn", "notification")
            await self._notify(name, {"sessionId": self.id})

    def forget(self) -> None:
        """Lets go of the session on this side, as if it was closed, but without a message.

        Its state is no longer kept. It is for agents that cannot close sessions, and for
        sessions that go on without this client.
        """
        self._connection.sessions.forget(self.id)

    @property
    def _is_open(self) -> bool:
        return self.state is self._connection.sessions.find(self.id)

    def _prompt(
        self, content: Sequence[Any], params: Any, timeout: float | None
    ) -> Turn[Any, Any]:
        turn: Turn[Any, Any] = Turn(self._connection, self)
        sessions = self._connection.sessions
        try:
            if sessions.lost is not None:
                raise sessions.lost
            state = self.state
            prompt = self._connection.protocol.named("starts-turn")
            sessions.check_open(self.id, prompt)
        except AcpError as error:
            turn.fail(error)
        else:
            turn.start(state, content, params, timeout)
        return turn

    async def set_option(
        self, category: str, value: str | bool, *, timeout: float | None = None
    ) -> None:
        """Sets the option of a category, such as `model`, whatever id the agent has given it.

        Raises InvalidValueError unless the session has reported one such option, with this
        value.
        """
        if not isinstance(cast(object, category), str):
            text = f"category of set_option needs a string, not {render(category)}"
            raise TypeError(f'{text}: session.set_option("model", "large")')
        method = self._connection.protocol.having("sets-config-option")
        options: Any = self._connection.sessions.options_of(self.id) or ()
        ids = [option_id(one) for one in options if one.get("category") == category]
        if method is None or len(ids) != 1:
            expected = sentences.one_of_category(render(category))
            issue = Issue("/configId", "offered", expected, str(len(ids)))
            definition = "" if method is None else method.params
            raise InvalidValueError(definition, (issue,))
        await self._set_config_option(ids[0], value, timeout)

    async def _set_config_option(
        self, config_id: str, value: str | bool, timeout: float | None
    ) -> Any:
        params = {"sessionId": self.id, "configId": config_id, "value": value}
        if isinstance(value, bool):
            params["type"] = "boolean"
        elif self._connection.protocol.version > 1:
            params["type"] = "id"
        name = self._connection.protocol.named("sets-config-option")
        return await self._call(name, params, timeout)

    async def _call(self, name: str, params: Any, timeout: float | None) -> Any:
        sessions = self._connection.sessions
        if not self._is_open:
            sessions.check_open(self.id, name)
        call = self._connection.peer._call(name, params, timeout)
        forks = name == self._connection.protocol.named("forks-session")
        return await (sessions.open(call) if forks else call)

    def _notify(self, name: str, params: Any) -> Awaitable[None]:
        call: Awaitable[None] = self._connection.peer._notify(name, params)
        return call
