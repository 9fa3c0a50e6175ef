"""A session as clients use it: prompts, and the updates of their turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ..rpc.errors import AcpError
from ..session.state import SessionState
from ..session.state_v1 import SessionStateV1

if TYPE_CHECKING:
    from .role_connection import RoleConnection

UpdateT = TypeVar("UpdateT")
ResultT = TypeVar("ResultT")
StateT = TypeVar("StateT", bound=SessionState)


class Turn(Generic[UpdateT, ResultT]):
    """The work on one prompt. Iterate it for the updates, or await it for its end.

    The end is the response in version 1, and the update that the session is idle in
    version 2.
    """

    def __init__(
        self,
        connection: RoleConnection,
        session_id: str,
        params: Any,
        ended: Callable[[], None],
    ) -> None:
        self._connection = connection
        self._session_id = session_id
        self._ended = ended
        self._updates: asyncio.Queue[UpdateT | None] = asyncio.Queue()
        self._end: asyncio.Future[ResultT] = asyncio.get_running_loop().create_future()
        connection.listeners.append(self._listen)
        call = connection.peer._call("session/prompt", params, None)
        self._call = asyncio.ensure_future(call)
        self._call.add_done_callback(self._answered)

    def __aiter__(self) -> AsyncIterator[UpdateT]:
        return self._iterate()

    def __await__(self) -> Generator[Any, None, ResultT]:
        return self._wait().__await__()

    async def cancel(self) -> None:
        """Asks the agent to stop. The turn goes on until the agent has stopped."""
        await _cancel(self._connection, self._session_id)

    async def _iterate(self) -> AsyncIterator[UpdateT]:
        while (update := await self._updates.get()) is not None:
            yield update
        # Whoever iterates again ends as well.
        self._updates.put_nowait(None)
        await self._wait()

    async def _wait(self) -> ResultT:
        return await asyncio.shield(self._end)

    def _listen(self, method: str, params: Any, result: Any) -> None:
        if self._end.done():
            return
        if method == "session/update" and params.session_id == self._session_id:
            self._updates.put_nowait(params.update)
            if _is_idle(params.update):
                self._finish(params.update)

    def _answered(self, call: asyncio.Future[Any]) -> None:
        if self._end.done():
            return
        if call.cancelled():
            self._fail(AcpError("the prompt was cancelled", "session/prompt"))
        elif (error := call.exception()) is not None:
            self._fail(error)
        elif self._connection.protocol.version == 1:
            self._finish(call.result())

    def _finish(self, result: Any) -> None:
        self._end.set_result(result)
        self._stop()

    def _fail(self, error: BaseException) -> None:
        self._end.set_exception(error)
        # Whoever iterates sees it; nobody has to.
        self._end.exception()
        self._stop()

    def _stop(self) -> None:
        self._updates.put_nowait(None)
        self._connection.listeners.remove(self._listen)
        self._ended()


class ClientSession(Generic[StateT]):
    """The base class of the generated sessions, as clients use them."""

    def __init__(
        self, connection: RoleConnection, session_id: str, response: Any = None
    ) -> None:
        self._connection = connection
        self._state = connection.sessions.state_of(session_id)
        self.id = session_id
        self.response = response
        """The answer that opened the session; None for one that existed."""

    @property
    def state(self) -> StateT:
        """What the updates of the session have reported so far; it changes in place."""
        return cast(StateT, self._state)

    async def cancel(self) -> None:
        """Asks the agent to stop the work of the session, whoever started it."""
        await _cancel(self._connection, self.id)

    def _prompt(self, content: Sequence[Any], params: Any) -> Turn[Any, Any]:
        state = self._state
        if not isinstance(state, SessionStateV1):
            return Turn(self._connection, self.id, params, _nothing)
        state.add_user_message(content)
        return Turn(self._connection, self.id, params, state.end_turn)


async def _cancel(connection: RoleConnection, session_id: str) -> None:
    # A prompt that was made just before is sent first.
    await asyncio.sleep(0)
    name = "session/cancel"
    schema = connection.protocol.params_schema("agent", "notification", name)
    await connection.peer._notify(name, schema.parse({"sessionId": session_id}))


def _nothing() -> None:
    """Does nothing: the agent reports the ends of turns in version 2."""


def _is_idle(update: Any) -> bool:
    return (
        getattr(update, "session_update", None) == "state_update"
        and getattr(update, "state", None) == "idle"
    )
