"""The handlers of session updates, which run one after the other in each session."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from typing import Any

_Handler = Callable[[], Awaitable[None] | None]


class _Handling:
    """One update in its handler, or waiting for it."""

    __slots__ = ("end", "is_exempt")

    def __init__(self) -> None:
        self.end: asyncio.Future[None] | None = None
        """Done when the next handler may start, if this one waits for something."""
        self.is_exempt = False
        """Whether nobody waits for the handler, since it waits for a turn itself."""


_current: ContextVar[_Handling | None] = ContextVar("acp_update", default=None)
"""The update in whose handler a task runs, or that has started the task."""


class UpdateHandlers:
    """Ends the handler of an update before the next message of its session is handled.

    The next message is an update, a request, or the response that a caller waits for. A
    handler that prompts, or waits for a turn, holds nothing up: it may wait for the same turn.
    """

    def __init__(self) -> None:
        self._last: dict[str, asyncio.Future[None]] = {}
        """The end of the last handler of each session that waits, or has waited."""

    def watch(self, session_id: str, handler: _Handler) -> _Handler:
        """Returns a handler that takes its turn and can be waited for."""
        return functools.partial(self._run, session_id, handler)

    def exempt(self) -> None:
        """Lets nobody wait for the handler that calls this, if one does."""
        handling = _current.get()
        if handling is not None and not handling.is_exempt:
            handling.is_exempt = True
            self._release(handling)

    @property
    def is_handler(self) -> bool:
        """Whether this runs in the handler of an update."""
        return _current.get() is not None

    async def finished(self, session_id: str) -> None:
        """Waits for the handlers of the updates that have been received for a session."""
        end = self._last_end(session_id)
        if end is not None:
            await asyncio.wait([end])

    def follow(
        self, session_id: str, handler: Callable[[], Awaitable[Any]]
    ) -> Callable[[], Awaitable[Any]]:
        """Returns a handler of a request that starts after the updates before it."""
        end = self._last_end(session_id)
        if end is None:
            return handler

        async def run() -> Any:
            await asyncio.wait([end])
            return await handler()

        return run

    def _run(self, session_id: str, handler: _Handler) -> Awaitable[None] | None:
        """Runs a handler until it waits for something. Returns the rest, if any."""
        handling = _Handling()
        earlier = self._last_end(session_id)
        if earlier is not None:
            self._hold(session_id, handling)
            return self._follow(earlier, session_id, handling, handler)
        token = _current.set(handling)
        try:
            ended = handler()
            if ended is None or not inspect.iscoroutine(ended):
                return ended
            try:
                first = ended.send(None)
            except StopIteration:
                return None
        finally:
            _current.reset(token)
        self._hold(session_id, handling)
        return self._wait(session_id, handling, _Rest(ended, first))

    def _last_end(self, session_id: str) -> asyncio.Future[None] | None:
        """Returns the end of the handler that the next one has to wait for."""
        end = self._last.get(session_id)
        return None if end is None or end.done() else end

    def _hold(self, session_id: str, handling: _Handling) -> None:
        end = asyncio.get_running_loop().create_future()
        self._last[session_id] = handling.end = end
        if handling.is_exempt:
            self._release(handling)

    def _release(self, handling: _Handling) -> None:
        if handling.end is not None and not handling.end.done():
            handling.end.set_result(None)

    async def _follow(
        self,
        earlier: asyncio.Future[None],
        session_id: str,
        handling: _Handling,
        handler: _Handler,
    ) -> None:
        async def run() -> None:
            await asyncio.wait([earlier])
            ended = handler()
            if ended is not None:
                await ended

        await self._wait(session_id, handling, run())

    async def _wait(
        self, session_id: str, handling: _Handling, rest: Awaitable[None]
    ) -> None:
        _current.set(handling)
        try:
            await rest
        finally:
            _current.set(None)
            self._release(handling)
            if self._last.get(session_id) is handling.end:
                del self._last[session_id]


class _Rest:
    """A coroutine that has run until it waits for something."""

    def __init__(self, coroutine: Any, first: Any) -> None:
        self._coroutine = coroutine
        self._first = first

    def __await__(self) -> Generator[Any, Any, None]:
        awaited, coroutine = self._first, self._coroutine
        try:
            while True:
                try:
                    sent = yield awaited
                except GeneratorExit:
                    coroutine.close()
                    raise
                except BaseException as error:  # noqa: BLE001
                    awaited = coroutine.throw(error)
                else:
                    awaited = coroutine.send(sent)
        except StopIteration:
            return
