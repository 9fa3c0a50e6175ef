"""The work on one prompt, as clients follow it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Generator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..message import Unknown
from ..rpc.errors import AcpError, RequestTimeoutError

if TYPE_CHECKING:
    from ..role.role_connection import RoleConnection

UpdateT = TypeVar("UpdateT")
ResultT = TypeVar("ResultT")


class TurnEnd(Generic[UpdateT]):
    """The end of a turn in version 2, where a prompt is answered before its work begins."""

    def __init__(self, response: Any, update: UpdateT) -> None:
        self.response = response
        """The response to the prompt."""
        self.update = update
        """The update that reported the session as idle."""
        raw: Any = update.raw.get("stopReason") if isinstance(update, Unknown) else None
        self.stop_reason: str | None = getattr(update, "stop_reason", raw) or None
        """Why the agent stopped; None if it gave no reason."""

    def __repr__(self) -> str:
        return f"TurnEnd(stop_reason={self.stop_reason!r}, update={self.update!r})"


class Turn(Generic[UpdateT, ResultT]):
    """The work on one prompt. Iterate it for the updates, or await it for its end.

    The end is the response in version 1, and a `TurnEnd` in version 2. Leaving a loop over
    the updates, or cancelling a task that awaits the turn, asks the agent to stop;
    `asyncio.shield(turn)` only waits.
    """

    def __init__(
        self,
        connection: RoleConnection,
        session: Any,
        params: Any,
        timeout: float | None,
    ) -> None:
        self._session = session
        self._connection = connection
        self._updates: asyncio.Queue[UpdateT | None] = asyncio.Queue()
        self._end: asyncio.Future[ResultT] = asyncio.get_running_loop().create_future()
        self._timers: list[asyncio.TimerHandle] = []
        self._cancelling: asyncio.Future[None] | None = None
        # In version 2: the response, and the idle state that came before it.
        self._response: Any = None
        self._idle: Any = None
        self._was_running = False
        self._connection.listeners.append(self._listen)
        peer = self._connection.peer
        call = peer._call("session/prompt", params, None, awaits_updates=False)
        self._call = asyncio.ensure_future(call)
        self._call.add_done_callback(self._answered)
        if timeout is not None:
            self._limit(timeout, f"session/prompt was not answered within {timeout} s")

    def __aiter__(self) -> AsyncIterator[UpdateT]:
        return self._iterate()

    def __await__(self) -> Generator[Any, None, ResultT]:
        return self._wait().__await__()

    async def cancel(self) -> None:
        """Asks the agent to stop. The turn goes on until the agent has stopped.

        It then has the stop reason `cancelled`. It fails with a RequestTimeoutError when
        the agent does not stop within `Limits.cancel_grace`.
        """
        if not self._end.done():
            await asyncio.shield(self._start_cancelling())

    def _start_cancelling(self) -> asyncio.Future[None]:
        if self._cancelling is None:
            self._cancelling = asyncio.ensure_future(self._send_cancel())
            grace = self._connection.role.limits.cancel_grace
            self._limit(
                grace, f"the turn did not end within {grace} s of its cancellation"
            )
        return self._cancelling

    async def _send_cancel(self) -> None:
        with contextlib.suppress(AcpError):
            await self._session.cancel()

    def _limit(self, seconds: float, text: str) -> None:
        """Fails the turn after a time."""

        def fail() -> None:
            self._start_cancelling()
            self._fail(RequestTimeoutError(text, "session/prompt"))

        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(seconds, fail))

    async def _iterate(self) -> AsyncIterator[UpdateT]:
        try:
            while (update := await self._updates.get()) is not None:
                yield update
            # Whoever iterates again ends as well.
            self._updates.put_nowait(None)
            await self._wait()
        finally:
            if not self._end.done():
                self._start_cancelling()

    async def _wait(self) -> ResultT:
        try:
            result = await asyncio.shield(self._end)
            await self._connection.update_handlers.finished(self._session.id)
            return result
        finally:
            if not self._end.done():
                self._start_cancelling()

    def _listen(self, method: str, params: Any, result: Any) -> None:
        if self._end.done() or method != "session/update":
            return
        if params.session_id != self._session.id:
            return
        update = params.update
        self._updates.put_nowait(update)
        state = _state_of(update) if self._connection.protocol.version > 1 else None
        if state == "idle":
            if self._response is not None:
                self._finish(TurnEnd(self._response, update))
            elif self._was_running:
                # Agents may answer when the work is done. The end of an earlier turn
                # does not count.
                self._idle = update
        elif state is not None:
            self._was_running = True
            self._idle = None

    def _answered(self, call: asyncio.Future[Any]) -> None:
        if self._end.done():
            # The turn has failed meanwhile; nobody waits for the answer.
            if not call.cancelled():
                call.exception()
            return
        if call.cancelled():
            self._fail(AcpError("the prompt was cancelled", "session/prompt"))
        elif (error := call.exception()) is not None:
            self._fail(error)
        elif self._connection.protocol.version == 1:
            self._finish(call.result())
        else:
            self._response = call.result()
            if self._idle is not None:
                self._finish(TurnEnd(self._response, self._idle))
            else:
                self._connection.on_close.append(self._fail)

    def _finish(self, result: Any) -> None:
        self._end.set_result(result)
        self._stop()

    def _fail(self, error: BaseException) -> None:
        if self._end.done():
            return
        self._end.set_exception(error)
        # Whoever iterates sees it; nobody has to.
        self._end.exception()
        self._stop()

    def _stop(self) -> None:
        self._updates.put_nowait(None)
        self._connection.listeners.remove(self._listen)
        if self._fail in self._connection.on_close:
            self._connection.on_close.remove(self._fail)
        for timer in self._timers:
            timer.cancel()
        self._session._end_turn()


def _state_of(update: Any) -> str | None:
    """Returns the state in a `state_update`, also in one with unknown parts."""
    if isinstance(update, Unknown):
        raw = update.raw
        return raw.get("state") if raw.get("sessionUpdate") == "state_update" else None
    if getattr(update, "session_update", None) != "state_update":
        return None
    state: str = update.state
    return state
