"""Waits that end after a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")

_GRACE = 1.0
"""How long what was cancelled may take to end, in seconds."""


async def within(limit: float | None, work: Awaitable[T]) -> T:
    """Returns the result of work, for which it waits for a time in seconds; see `Patience`."""
    return await Patience(limit).wait_for(work)


class Patience:
    """A time to wait, which can be paused and begin anew.

    `asyncio.wait_for` loses the cancellation of the task that waits when the work ends at the
    same time, before Python 3.12. This waits for a task of its own, so that none is lost.
    """

    def __init__(self, limit: float | None) -> None:
        """`limit` is in seconds; None for no limit."""
        self.limit = limit
        self._since: float | None = 0.0
        self.renew()

    def pause(self) -> None:
        """Stops the time until it is renewed."""
        self._since = None

    def renew(self) -> None:
        """Begins the time anew."""
        self._since = asyncio.get_running_loop().time()

    async def wait_for(self, work: Awaitable[T]) -> T:
        """Returns the result of work.

        Raises TimeoutError when the time is over, or when something else has cancelled
        the work. CancelledError is only raised when the task that waits is cancelled. In every
        case the work is cancelled then, and may take another second to end.
        """
        task = asyncio.ensure_future(work)
        task.add_done_callback(_retrieve)
        try:
            while not task.done() and ((left := self._left()) is None or left > 0):
                await asyncio.wait((task,), timeout=left)
        finally:
            is_late = not task.done()
            if is_late:
                task.cancel()
                await asyncio.wait((task,), timeout=_GRACE)
        if not task.done() or task.cancelled():
            reason = f"nothing came within {self.limit} s" if is_late else "cancelled"
            raise TimeoutError(reason)
        return task.result()

    def _left(self) -> float | None:
        if self.limit is None or self._since is None:
            return self.limit
        return self._since + self.limit - asyncio.get_running_loop().time()


def _retrieve(task: asyncio.Future[Any]) -> None:
    """Takes an exception for which nobody waits any more."""
    if not task.cancelled():
        task.exception()
