"""The handlers of session updates that are waiting for something."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from typing import Any

_Handler = Callable[[], Awaitable[None] | None]


class _Handling:
    """One update in its handler."""

    __slots__ = ("end", "is_exempt")

    def __init__(self) -> None:
        self.end: asyncio.Future[None] | None = None
        """Done at the end of a handler that waits."""
        self.is_exempt = False
        """Whether nobody waits for the handler, since it waits for a turn itself."""


_current: ContextVar[_Handling | None] = ContextVar("acp_update", default=None)
"""The update in whose handler a task runs, or that has started the task."""


class UpdateHandlers:
    """Lets a call wait for the handlers of the updates that came before its response.

    Handlers start in the order of the wire. One that prompts, or waits for a turn, is not
    waited for: it may wait for the same call.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, dict[_Handling, None]] = {}

    def watch(self, session_id: str, handler: _Handler) -> _Handler:
        """Returns a handler that can be waited for."""
        return functools.partial(self._run, session_id, handler)

    def exempt(self) -> None:
        """Lets nobody wait for the handler that calls this, if one does."""
        handling = _current.get()
        if handling is not None and not handling.is_exempt:
            handling.is_exempt = True
            if handling.end is not None:
                handling.end.set_result(None)

    async def finished(self, session_id: str) -> None:
        """Waits for the handlers of a session that run now."""
        self.exempt()
        ends = [one.end for one in self._waiting.get(session_id, ()) if one.end]
        waiting = [end for end in ends if not end.done()]
        if waiting:
            await asyncio.wait(waiting)

    def _run(self, session_id: str, handler: _Handler) -> Awaitable[None] | None:
        """Runs a handler until it waits for something. Returns the rest, if any."""
        handling = _Handling()
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
        return self._wait(session_id, handling, _Rest(ended, first))

    async def _wait(self, session_id: str, handling: _Handling, rest: _Rest) -> None:
        handling.end = asyncio.get_running_loop().create_future()
        if handling.is_exempt:
            handling.end.set_result(None)
        running = self._waiting.setdefault(session_id, {})
        running[handling] = None
        _current.set(handling)
        try:
            await rest
        finally:
            _current.set(None)
            del running[handling]
            if not running and self._waiting.get(session_id) is running:
                del self._waiting[session_id]
            if not handling.end.done():
                handling.end.set_result(None)


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
