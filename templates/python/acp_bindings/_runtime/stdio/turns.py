"""Turns of the event loop for programs that send without ever waiting."""

from __future__ import annotations

import asyncio

_INTERVAL = 0.001
"""How often a sender gives the loop a turn, in seconds. One for every message costs too much."""
_LONG = 0.01
"""After such a time, a message of the peer may wait, which takes several turns."""
_TURNS = 4


class Turns:
    """Gives the loop turns, so that messages are sent and read while a handler never waits."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._last = 0.0

    def are_due(self) -> bool:
        """Returns whether the loop had no turn within the last millisecond."""
        return self._loop.time() - self._last >= _INTERVAL

    async def give(self) -> None:
        """Gives the loop turns."""
        is_long = self._loop.time() - self._last >= _LONG
        for _ in range(_TURNS if is_long else 1):
            await asyncio.sleep(0)
        self._last = self._loop.time()
