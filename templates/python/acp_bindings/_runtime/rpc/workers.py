"""Tasks that receive lines and run their handlers, in the order of the wire."""

from __future__ import annotations

import asyncio
import sys
import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable
from contextvars import Context, copy_context
from typing import Any, TypeAlias
from weakref import WeakSet

from .stream import LongLine

Line: TypeAlias = bytes | LongLine

Handling: TypeAlias = Coroutine[Any, Any, bool]
"""Runs a handler. Returns whether the task must not run another one."""

TURNS = 10
"""How many turns of the loop a caller may take to continue after its call has been settled.

The call itself takes one, each task around it (`gather`, `wait_for`, a task group) two, and the
turn of a session three.
"""


@types.coroutine
def let_continue() -> Generator[None, None, None]:
    """Lets the callers of calls that have been settled continue."""
    for _ in range(TURNS):
        # A turn of the loop, as `asyncio.sleep(0)` takes it.
        yield


class Workers:
    """Runs one handler after the other in a task, since most of them never wait.

    A task whose handler waits stays with this handler, and a new one receives the lines
    that follow. A task also ends where the next handler would notice the last one: after a
    request, which may be cancelled, after a change of the context, and when the task was
    stored, since it may be cancelled later; and where the lines that follow are held.
    """

    def __init__(self, receive: Callable[[Line], Handling | None]) -> None:
        self._receive = receive
        self._lines: deque[Line] = deque()
        self._started = 0
        self._is_held = False
        self._running: set[asyncio.Task[None]] = set()
        self._released: WeakSet[asyncio.Task[None]] = WeakSet()

    async def receive(self, lines: Iterable[Line]) -> None:
        """Receives lines. Returns when the handlers of all of them have started."""
        self._lines.extend(lines)
        while self._lines or self._is_held:
            if self._is_held:
                self._is_held = False
                await let_continue()
                continue
            self._started += 1
            task = _start_task(self._work(self._started))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            await asyncio.sleep(0)
            if task.done() and not task.cancelled():
                task.result()

    def hold(self) -> None:
        """Holds the lines that follow until what has just been settled was continued."""
        self._is_held = True

    def release(self, task: asyncio.Task[None]) -> None:
        """Lets a task go, unless something that can still continue it keeps it."""
        self._running.discard(task)
        self._released.add(task)
        # Nobody can do anything about a handler that waits forever.
        task._log_destroy_pending = False  # type: ignore[attr-defined]

    async def settle(
        self, timeout: float, work: Iterable[asyncio.Task[None]] = ()
    ) -> None:
        """Waits for the handlers that run, and for further tasks, for a time in seconds."""
        tasks = {*self._running, *work}
        if tasks:
            await asyncio.wait(tasks, timeout=timeout)

    def cancel(self) -> None:
        """Cancels all handlers."""
        self._lines.clear()
        for task in (*self._running, *self._released):
            task.cancel()

    async def _work(self, number: int) -> None:
        lines = self._lines
        task = asyncio.current_task()
        context = copy_context()
        while lines and not self._is_held:
            handling = self._receive(lines.popleft())
            if handling is None:
                continue
            references = _count_references(task)
            if (
                await handling
                or number != self._started
                or _is_cancelled(task)
                or _count_references(task) > references
                or _differs(copy_context(), context)
            ):
                return


def _differs(one: Context, other: Context) -> bool:
    try:
        return one != other
    except Exception:  # noqa: BLE001
        # Of values that cannot be compared.
        return True


_is_cancelled: Callable[[Any], object] = getattr(
    asyncio.Task, "cancelling", lambda task: task._must_cancel
)
"""Returns whether a task was cancelled by its own handler, as Python 3.10 knows it."""


_count_references: Callable[[object], int] = getattr(sys, "getrefcount", lambda _: 0)
"""Returns how often an object is stored, where Python counts it."""


def _start_task(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        # Starts at once.
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return loop.create_task(coroutine)
