"""The attempts to reach a server again."""

from __future__ import annotations

import asyncio
import random

from .http_requests import HttpError

_FIRST_DELAY = 0.1
_LAST_DELAY = 5.0


class Retry:
    """Waits between attempts, each time longer, and for a random part of the time.

    So the clients of a server that was restarted do not come at once.
    """

    def __init__(self, limit: float) -> None:
        """`limit` is the time from the first failure to the last attempt, in seconds."""
        self._limit = limit
        self._delay = _FIRST_DELAY
        self._deadline: float | None = None

    async def wait(self, problem: Exception | None = None) -> bool:
        """Waits for the next attempt; returns whether there is one.

        What the server asks for with the refusal in `problem` is waited at least.
        """
        now = asyncio.get_running_loop().time()
        if self._deadline is None:
            self._deadline = now + self._limit
        asked = problem.retry_after if isinstance(problem, HttpError) else 0.0
        delay = max(asked, self._delay * random.uniform(0.5, 1.0))
        self._delay = min(self._delay * 2, _LAST_DELAY)
        if now + delay > self._deadline:
            return False
        await asyncio.sleep(delay)
        return True

    def succeeded(self) -> None:
        """Called after an attempt that succeeded: the limit counts from the next failure."""
        self._deadline = None

    def progressed(self) -> None:
        """Called when the server has sent something: the next delay is short again."""
        self._delay = _FIRST_DELAY
