"""The handlers of session updates, which run one after the other in each session."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any

_Handler = Callable[[], Awaitable[None] | None]


class _Handling:
    """One update in its handler, or waiting for it."""

    __slots__ = ("end", "has_ended", "is_passed", "next", "number", "session_id")

    def __init__(self, session_id: str, number: int) -> None:
        self.session_id = session_id
        self.number = number
        """Its place in the order in which the updates of a connection were received."""
        self.next: asyncio.Future[None] | None = None
        """Done when the next handler may start, if this one waits for something."""
        self.end: asyncio.Future[None] | None = None
        """Done when the handler has ended, if it waits for something."""
        self.is_passed = False
        """Whether the next handler does not wait for this one, which waits for a turn itself."""
        self.has_ended = False


_current: ContextVar[_Handling | None] = ContextVar("acp_update", default=None)
"""The update in whose handler a task runs, or that has started the task."""


class UpdateHandlers:
    """Ends the handler of an update before the next message of its session is handled.

    The next message is an update or a request. A handler that prompts, or waits for a turn,
    holds none of them up: the turn may depend on them.
    """

    def __init__(self, grace: float) -> None:
        """`grace`: the longest time for which a call waits for handlers, in seconds."""
        self._grace = grace
        self._received = 0
        self._last: dict[str, asyncio.Future[None]] = {}
        """What the next handler of each session waits for."""
        self._running: dict[_Handling, None] = {}
        """The updates whose handlers wait for something."""

    @property
    def mark(self) -> int:
        """The number of the last update that was received."""
        return self._received

    def watch(self, session_id: str, handler: _Handler) -> _Handler:
        """Returns a handler that takes its turn and can be waited for."""
        self._received += 1
        handling = _Handling(session_id, self._received)
        return functools.partial(self._run, handling, handler)

    def pass_on(self) -> None:
        """Lets the next handlers start before the one that calls this ends, if one does."""
        handling = _current.get()
        if handling is not None and not handling.is_passed:
            handling.is_passed = True
            _release(handling.next)

    def is_inside(self, session_id: str, since: int) -> bool:
        """Returns whether the handler of an update of a session after a mark calls this."""
        handling = _current.get()
        return (
            handling is not None
            and not handling.has_ended
            and handling.session_id == session_id
            and handling.number > since
        )

    async def ended(self, session_id: str, since: int, until: int) -> None:
        """Waits for the handlers of a session's updates between two marks."""
        ends = [
            one.end
            for one in self._running
            if one.session_id == session_id and since < one.number <= until and one.end
        ]
        if ends:
            await asyncio.wait(ends, timeout=self._grace)

    def follow(
        self, session_id: str, handler: Callable[[], Awaitable[Any]]
    ) -> Callable[[], Awaitable[Any]]:
        """Returns a handler of a request that starts after the updates before it."""
        earlier = self._earlier(session_id)
        if earlier is None:
            return handler

        async def run() -> Any:
            await asyncio.wait([earlier])
            return await handler()

        return run

    def _run(self, handling: _Handling, handler: _Handler) -> Awaitable[None] | None:
        """Runs a handler until it waits for something. Returns the rest, if any."""
        earlier = self._earlier(handling.session_id)
        if earlier is not None:
            self._hold(handling)
            return self._wait(handling, _follow(earlier, handler))
        token = _current.set(handling)
        rest: Awaitable[None] | None = None
        try:
            begun = handler()
            rest = _started(begun) if inspect.iscoroutine(begun) else begun
        finally:
            _current.reset(token)
            handling.has_ended = rest is None
        if rest is None:
            return None
        self._hold(handling)
        return self._wait(handling, rest)

    def _earlier(self, session_id: str) -> asyncio.Future[None] | None:
        """Returns what the next handler has to wait for."""
        earlier = self._last.get(session_id)
        return None if earlier is None or earlier.done() else earlier

    def _hold(self, handling: _Handling) -> None:
        loop = asyncio.get_running_loop()
        self._running[handling] = None
        handling.end = loop.create_future()
        self._last[handling.session_id] = handling.next = loop.create_future()
        if handling.is_passed:
            _release(handling.next)

    async def _wait(self, handling: _Handling, rest: Awaitable[None]) -> None:
        _current.set(handling)
        try:
            await rest
        finally:
            _current.set(None)
            handling.has_ended = True
            del self._running[handling]
            _release(handling.next)
            _release(handling.end)
            if self._last.get(handling.session_id) is handling.next:
                del self._last[handling.session_id]


async def _follow(earlier: asyncio.Future[None], handler: _Handler) -> None:
    await asyncio.wait([earlier])
    ended = handler()
    if ended is not None:
        await ended


def _started(coroutine: Coroutine[Any, Any, None]) -> Awaitable[None] | None:
    """Runs a coroutine until it waits for something. Returns the rest, if any."""
    try:
        return _Rest(coroutine, coroutine.send(None))
    except StopIteration:
        return None


def _release(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)


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
