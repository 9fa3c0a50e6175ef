"""The turns of an agent's sessions in version 2, where a prompt is answered at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..rpc.errors import AcpError, RpcError, only_rpc_error

if TYPE_CHECKING:
    from ..link import Link
    from .agent_session import BaseAgentSession

Work = Callable[[Any], Awaitable["str | None"]]

_CANCELLED = {"stopReason": "cancelled"}


class _Turn:
    """The work on one prompt."""

    def __init__(self, session: Any, work: Work) -> None:
        self.session = session
        self.work = work
        self.cancelled = asyncio.Event()
        self.task: asyncio.Future[str | None] | None = None

    def cancel(self) -> None:
        self.cancelled.set()
        if self.task is not None:
            self.task.cancel()

    def end(self) -> None:
        """Lets the session refuse what the work sends too late."""
        self.session._has_ended = True


class SessionTurns:
    """Runs the turns of each session one after the other, and reports its state."""

    def __init__(self, connection: Link) -> None:
        self._connection = connection
        self._update_method = connection.protocol.named(
            "updates-session", "notification"
        )
        self._turns: dict[str, deque[_Turn]] = {}
        """The turns that run or wait, by session; the first one runs."""
        self._workers: dict[str, asyncio.Task[None]] = {}

    async def start(self, session: BaseAgentSession, work: Work, message: Any) -> str:
        """Sends the message of the user, and starts a turn. Returns the message's id."""
        message_id = f"msg_{os.urandom(16).hex()}"
        turn = _Turn(type(session)(self._connection, session.id), work)
        # It is known before anything is awaited, so that no cancellation is missed.
        turns = self._turns.setdefault(session.id, deque())
        turns.append(turn)
        try:
            if message is not None:
                update = {"sessionUpdate": "user_message", "messageId": message_id}
                await session.send({**update, "content": message})
        except BaseException:
            turns.remove(turn)
            if not turns and session.id not in self._workers:
                del self._turns[session.id]
            raise
        if session.id not in self._workers:
            # It runs after the handler has returned, and the prompt was answered.
            worker = asyncio.ensure_future(self._work(session.id, turns))
            self._workers[session.id] = worker
        return message_id

    def has(self, session_id: str) -> bool:
        """Returns whether a turn of a session runs or waits."""
        return session_id in self._turns

    async def report_state(self, session_id: str) -> None:
        """Reports whether a session is running, which it is while turns run or wait."""
        state = "running" if session_id in self._turns else "idle"
        try:
            await self._report(session_id, {"state": state})
        except Exception as error:  # noqa: BLE001
            self._connection.report(error, self._update_method)

    def cancel(self, is_reached: Callable[[str], bool]) -> list[asyncio.Task[None]]:
        """Cancels the turns of some sessions. Returns the tasks that end when these are idle."""
        for session_id, turns in self._turns.items():
            if is_reached(session_id):
                for turn in turns:
                    turn.cancel()
        return [task for key, task in self._workers.items() if is_reached(key)]

    async def _work(self, session_id: str, turns: deque[_Turn]) -> None:
        if self._connection.resumptions is not None:
            self._connection.resumptions.leave()
        await self._report(session_id, {"state": "running"})
        idle = _CANCELLED
        while turns:
            idle = await self._run(turns[0])
            turns.popleft()
            if idle is _CANCELLED and turns and not turns[0].cancelled.is_set():
                # The end of cancelled work precedes new work.
                await self._report(session_id, {"state": "idle", **idle})
                await self._report(session_id, {"state": "running"})
        del self._turns[session_id], self._workers[session_id]
        try:
            await self._report(session_id, {"state": "idle", **idle})
        except Exception as error:  # noqa: BLE001
            # What the work has returned or raised cannot be sent; the turn ends all the same.
            await self._report(session_id, {"state": "idle", **self._failure(error)})

    async def _report(self, session_id: str, state: dict[str, Any]) -> None:
        background = self._connection.tree.background(session_id)
        listed = {"background": background} if background else {}
        update = {"sessionUpdate": "state_update", **listed, **state}
        params = {"sessionId": session_id, "update": update}
        with contextlib.suppress(AcpError):
            await self._connection.peer._notify(self._update_method, params)

    async def _run(self, turn: _Turn) -> dict[str, Any]:
        """Runs a turn, and returns the properties of the idle state that ends it."""
        if turn.cancelled.is_set():
            return _CANCELLED
        task = turn.task = asyncio.ensure_future(_called(turn))
        stopped = asyncio.ensure_future(turn.cancelled.wait())
        await asyncio.wait((task, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not task.done():
            grace = self._connection.role.limits.cancel_grace
            await asyncio.wait((task,), timeout=grace)
        turn.end()
        if turn.cancelled.is_set() or task.cancelled():
            task.add_done_callback(_ignore)
            return _CANCELLED
        error = task.exception()
        if error is None:
            return {"stopReason": task.result() or "end_turn"}
        return self._failure(error)

    def _failure(self, error: BaseException) -> dict[str, Any]:
        shown = only_rpc_error(error)
        if shown is None:
            # The text of another error may contain data that the client must not see.
            self._connection.report(
                error, self._connection.protocol.named("starts-turn")
            )
            shown = RpcError.internal("Internal error")
        return {"stopReason": "error", "error": shown.to_object()}


async def _called(turn: _Turn) -> str | None:
    return await turn.work(turn.session)


def _ignore(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()
