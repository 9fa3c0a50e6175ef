"""The work on one prompt, as clients follow it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Generator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet

from .. import sentences
from ..message import Unknown
from ..rpc.errors import (
    AcpError,
    ConnectionClosedError,
    RequestTimeoutError,
    RpcError,
)
from .entities import MessageState
from .state_v1 import SessionStateV1

if TYPE_CHECKING:
    from ..link import Link
    from .state import SessionState

UpdateT = TypeVar("UpdateT")
ResultT = TypeVar("ResultT")


class TurnEnd(Generic[UpdateT]):
    """The end of a turn in version 2, where a prompt is answered before its work begins."""

    def __init__(self, response: Any, update: UpdateT) -> None:
        self.response = response
        """The response to the prompt; None if the turn was cancelled before it was accepted."""
        self.update = update
        """The update that reported the session as idle."""
        self.stop_reason = stop_reason_of(update)
        """Why the agent stopped; None if it gave no reason."""

    def __repr__(self) -> str:
        return f"TurnEnd(stop_reason={self.stop_reason!r}, update={self.update!r})"


class _Idle(NamedTuple):
    """A state of a session that may end a turn, in version 2."""

    update: Any
    reported: int
    """The number of messages of users that were reported before."""
    others: Sequence[str | None]
    """The messages whose work it ends when that was cancelled, and this turn was not."""
    is_certain: bool
    """Whether work was reported, or the prompt answered, before."""


class Turn(Generic[UpdateT, ResultT]):
    """The work on one prompt. Iterate it for the updates, or await it for its end.

    The end is the response in version 1, and a `TurnEnd` in version 2. A loop gets the
    updates from its beginning on; the turn keeps them for no other. Leaving a loop over
    the updates, or cancelling a task that awaits the turn, asks the agent to stop;
    `asyncio.shield(turn)` only waits. A task group takes `turn.wait()`.
    """

    def __init__(self, connection: Link, session: Any) -> None:
        self._session = session
        self._connection = connection
        self._is_first = connection.protocol.version == 1
        self._loops: WeakSet[asyncio.Queue[UpdateT | None]] = WeakSet()
        self._end: asyncio.Future[ResultT] = asyncio.get_running_loop().create_future()
        self._is_over = False
        """Whether the end was received; the result of the call may follow."""
        # The last updates that were received before the prompt was sent, and before the end.
        self._first_mark = self._last_mark = connection.update_handlers.mark
        self._timers: list[asyncio.TimerHandle] = []
        self._cancelling: asyncio.Future[None] | None = None
        self._state: SessionState | None = None
        """The state of the session at the prompt."""
        self._method = connection.protocol.named("starts-turn")
        """The name of the request that the turn is about."""
        self._message: MessageState | None = None
        """In version 1, the message of the user as this side has added it."""
        self._is_closed = False
        """Whether the session was closed."""
        self.is_cancelled = False
        """Whether this side has sent `session/cancel` since the prompt."""
        self.message_id: str | None = None
        """The id of the message of the user, once it is known (version 2)."""
        self._call: asyncio.Future[Any] | None = None
        self._sent: Any = None
        """The params of the prompt as they were sent."""
        # In version 2: whether the prompt was answered, its response as the call returned
        # it, and the idle state that ends the turn.
        self._is_answered = False
        self._response: Any = None
        self._idle: Any = None
        self._is_running = self._was_running = False
        self._idles: list[_Idle] = []
        self._reported: list[str] = []
        """The messages of users that were reported since the prompt, by their ids."""

    def start(
        self,
        state: SessionState,
        content: Sequence[Any],
        params: Any,
        timeout: float | None,
    ) -> None:
        """Sends the prompt; `session.prompt` does it."""
        self._state = state
        if isinstance(state, SessionStateV1):
            self._message = state.add_user_message(content)
        self._connection.sessions.add(self._session.id, self)
        call = self._connection.peer._call(
            self._method, params, None, on_sent=self._take_sent
        )
        task = self._call = asyncio.ensure_future(call)
        task.add_done_callback(self._returned)
        if timeout is not None:
            text = sentences.not_answered(self._method, f"{timeout:g} s")
            self._limit(timeout, text)

    def __aiter__(self) -> AsyncIterator[UpdateT]:
        updates: asyncio.Queue[UpdateT | None] = asyncio.Queue()
        if self._is_over:
            updates.put_nowait(None)
        else:
            self._loops.add(updates)
        return self._iterate(updates)

    def __await__(self) -> Generator[Any, None, ResultT]:
        return self.wait().__await__()

    def __repr__(self) -> str:
        # `create_task` shows it when it is given a turn.
        state = (
            "ended"
            if self._is_over
            else "running: await it, or pass turn.wait() as a coroutine"
        )
        return f"<Turn of session {self._session.id!r}, {state}>"

    async def wait(self) -> ResultT:
        """Waits for the end of the turn; a coroutine, for `create_task` and task groups.

        It returns or fails after the handlers of the turn's updates have ended, for which it
        waits for `Limits.cancel_grace` at most. In such a handler it does not wait for them.
        """
        handlers = self._connection.update_handlers
        handlers.pass_on()
        is_inside = handlers.is_inside(self._session.id, self._first_mark)
        try:
            await asyncio.wait([self._end])
        finally:
            if not self._end.done():
                self._start_cancelling()
        if not is_inside:
            await handlers.ended(self._session.id, self._first_mark, self._last_mark)
        return self._end.result()

    async def cancel(self) -> None:
        """Asks the agent to stop. The turn goes on until the agent has stopped.

        It then has the stop reason `cancelled`, in version 1 also if the agent answers with an
        error, which is reported. It fails with a RequestTimeoutError when
        the agent does not stop within `Limits.cancel_grace`.
        """
        if not self._is_over:
            await asyncio.shield(self._start_cancelling())

    def receive(self, update: Any, *, is_history: bool) -> None:
        """Takes an update of the session, in the order of the wire.

        `is_history`: whether it may be part of a history; the report of a message that was sent
        before the history began is not.
        """
        if self._loops and not is_history:
            for updates in self._loops:
                updates.put_nowait(update)
        if getattr(update, "session_update", None) == "user_message":
            self._reported.append(update.message_id)

    def change_state(self, update: Any, others: Sequence[str | None]) -> None:
        """Takes the state of the session, in version 2.

        `others`: the messages of turns that were cancelled before the prompt, whose end it may be.
        """
        self._is_running = state_of(update) != "idle"
        self._was_running = self._was_running or self._is_running
        # Agents may answer when the work is done. The end of an earlier turn does not count.
        is_certain = self._is_answered or self._was_running
        if not self._is_running:
            idle = _Idle(update, len(self._reported), others, is_certain)
            self._idles.append(idle)
        self._end_if_idle()

    def answered(self, sent: Any, message_id: str | None) -> None:
        """Takes a result, in the order of the wire, that may be the one of this prompt."""
        if sent is self._sent:
            self._is_answered, self.message_id = True, message_id
            self._end_if_idle()
            if self._is_closed and not self._is_over:
                self.close_session()

    def cancelled(self) -> None:
        """Called when this side has sent `session/cancel`, perhaps before the prompt."""
        self.is_cancelled = self._sent is not None

    @property
    def may_end_without_work(self) -> bool:
        """Whether the agent may report no work: it was cancelled, or perhaps sent before."""
        key = None if self._sent is None else self._sent.get("idempotencyKey")
        return self.is_cancelled or key is not None

    def close_session(self) -> None:
        """Called when the session was closed: the turn ends soon, with what is still sent."""
        self._is_closed = True
        error = AcpError(sentences.closed_in_turn, self._method)
        if self._is_answered:
            self.fail(error)
        else:
            grace = self._connection.role.limits.cancel_grace
            loop = asyncio.get_running_loop()
            self._timers.append(loop.call_later(grace, self.fail, error))

    def lose(self, error: BaseException) -> None:
        """Fails a turn whose end cannot be received any more, though the call has returned."""
        if self._is_answered and not self._is_first:
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Ends the turn with an error."""
        self._stop()
        if not self._end.done():
            self._last_mark = self._connection.update_handlers.mark
            self._end.set_exception(error)
            # Whoever iterates sees it; nobody has to.
            self._end.exception()

    def _end_if_idle(self) -> None:
        """Ends the turn where its end stands on the wire: what follows is not part of it."""
        if self._is_answered and self._idle is None:
            self._idle = self._find_end()
        if self._is_answered and (self._is_first or self._idle is not None):
            self._stop()
            self._finish()

    def _find_end(self) -> Any:
        """Returns the end of the work, which follows the report of the message if there is one."""
        certain = [one for one in self._idles if one.is_certain]
        if self.message_id not in self._reported:
            return certain[-1].update if certain and not self._is_running else None
        reported = self._reported.index(self.message_id)

        def is_end(one: _Idle) -> bool:
            is_own = not one.others or self.message_id in one.others
            return one.reported > reported and is_own

        # The session may have been running when the prompt was sent.
        unclear = () if self._is_running else reversed(self._idles)
        return next((one.update for one in (*certain, *unclear) if is_end(one)), None)

    def _finish(self) -> None:
        """Gives the turn its result, as soon as the call has returned."""
        if self._call is None or not self._call.done() or self._end.done():
            return
        result = self._response
        raised: Any = getattr(self._idle, "error", None)
        reason = getattr(self._idle, "stop_reason", None) or None
        if self.is_cancelled and not self._is_first and reason in (None, "error"):
            # An agent that was asked to stop may give no reason, or call it an error.
            if reason == "error":
                text = sentences.cancelled_work_failed(repr(raised))
                self._connection.report(AcpError(text, self._method), self._method)
            self._idle = self._cancelled_idle()
        self._last_mark = self._connection.update_handlers.mark
        self._end.set_result(
            result if self._is_first else TurnEnd(result, self._idle)  # type: ignore[arg-type]
        )

    def _returned(self, call: asyncio.Future[Any]) -> None:
        if call.cancelled():
            self.fail(AcpError("the prompt was cancelled", self._method))
        elif (error := call.exception()) is None:
            self._take_response(call.result())
        elif self.is_cancelled and _is_remote(error):
            self._connection.report(error, self._method)
            if not self._is_first:
                self._idle = self._cancelled_idle()
                self._take_response(None)
                return
            peer, protocol = self._connection.peer, self._connection.protocol
            result = {"stopReason": "cancelled"}
            method = protocol.having("starts-turn")
            self._take_response(peer._read_result(method, result))
        else:
            self._refuse(error)

    def _cancelled_idle(self) -> Any:
        """Returns the update that ends a cancelled turn, in version 2."""
        method = self._connection.protocol.having("updates-session", "notification")
        assert method is not None
        state = {"state": "idle", "stopReason": "cancelled"}
        update = {"sessionUpdate": "state_update", **state}
        params = {"sessionId": self._session.id, "update": update}
        return self._connection.decode(method, params).update

    def _take_response(self, response: Any) -> None:
        self._response = response
        # `intercept` may have given a result that was not received.
        self._is_answered = True
        self._end_if_idle()
        lost = self._connection.sessions.lost
        if lost is not None:
            self.lose(lost)

    def _take_sent(self, params: Any) -> None:
        self._sent = params

    def _refuse(self, error: BaseException) -> None:
        """Fails the turn of a prompt that failed, and removes its message.

        A connection that ends does not refuse a prompt.
        """
        state, message = self._state, self._message
        if isinstance(state, SessionStateV1) and message is not None:
            is_lost = self._is_over or isinstance(error, ConnectionClosedError)
            if not is_lost and state.remove_user_message(message):
                # Nothing of the turn was reported that could end with it.
                self._state = None
        self.fail(error)

    def _start_cancelling(self) -> asyncio.Future[None]:
        if self._cancelling is None:
            self._cancelling = asyncio.ensure_future(self._send_cancel())
            grace = self._connection.role.limits.cancel_grace
            self._limit(
                grace, f"the turn did not end within {grace} s of its cancellation"
            )
        return self._cancelling

    async def _send_cancel(self) -> None:
        # Another one would cancel the prompts that were sent since.
        if self.is_cancelled:
            return
        with contextlib.suppress(AcpError):
            await self._session.cancel()

    def _limit(self, seconds: float, text: str) -> None:
        """Fails the turn after a time."""

        def expire() -> None:
            self._start_cancelling()
            self.fail(RequestTimeoutError(text, self._method))

        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(seconds, expire))

    async def _iterate(
        self, updates: asyncio.Queue[UpdateT | None]
    ) -> AsyncIterator[UpdateT]:
        self._connection.update_handlers.pass_on()
        try:
            while (update := await updates.get()) is not None:
                yield update
            await self.wait()
        finally:
            if not self._is_over:
                self._start_cancelling()

    def _stop(self) -> None:
        """Ends the loops, and the messages of the turn, which in version 2 the agent does."""
        if self._is_over:
            return
        self._is_over = True
        for updates in self._loops:
            updates.put_nowait(None)
        for timer in self._timers:
            timer.cancel()
        if self._call is not None:
            self._connection.sessions.remove(self._session.id, self)
        if isinstance(self._state, SessionStateV1):
            self._state.end_turn(self._message)


def _is_remote(error: BaseException) -> bool:
    return isinstance(error, RpcError) and error.origin == "remote"


def stop_reason_of(update: Any) -> str | None:
    """Returns the stop reason in a `state_update`, also in one with unknown parts."""
    raw: Any = update.raw.get("stopReason") if isinstance(update, Unknown) else None
    return getattr(update, "stop_reason", raw) or None


def state_of(update: Any) -> str | None:
    """Returns the state in a `state_update`, also in one with unknown parts."""
    if isinstance(update, Unknown):
        raw = update.raw
        return raw.get("state") if raw.get("sessionUpdate") == "state_update" else None
    if getattr(update, "session_update", None) != "state_update":
        return None
    state: str = update.state
    return state
