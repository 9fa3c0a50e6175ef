"""What the other side has not taken yet."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from .. import sentences
from .errors import AcpError
from .stream import ByteStream

_STALL_BYTES = 1024 * 1024
"""The amount of unsent data above which the other side has to read."""
_MOST_ANSWER_BYTES = 64 * 1024 * 1024
"""The amount of answers above which further requests are refused if none of it is read."""
_MOST_BYTES = 256 * 1024 * 1024
"""The amount of unsent data that ends the connection."""


class Backlog:
    """Watches what a stream has not sent.

    Nobody stops reading because of its own output: two sides that both did would wait for each
    other for ever. Instead, senders wait, a side that reads none of its answers gets no more
    of them, and the connection to one that reads nothing ends.
    """

    def __init__(
        self, stream: ByteStream, stall: float, end: Callable[[AcpError], None]
    ) -> None:
        """`stall`: the seconds in which the other side may take nothing.

        `end` is called once it has taken nothing for that time, or too much is unsent.
        """
        self._stream = stream
        self._stall = stall
        self._end = end
        self._added = 0
        self._taken = 0
        """The bytes that had been taken when the last message was added."""
        self._answers = 0
        """The bytes of answers that were added since the other side has taken something."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_full(self) -> bool:
        """Whether the other side reads so little of its answers that its requests are refused."""
        is_much = self._answers > _MOST_ANSWER_BYTES
        return is_much and self._added - self._unsent() == self._taken

    def add(self, size: int, is_answer: bool) -> None:
        """Adds the size of a message that was written to the stream."""
        self._added += size
        unsent = self._unsent()
        taken = self._added - unsent
        if taken != self._taken:
            self._taken = taken
            self._answers = 0
        if is_answer:
            self._answers += size
        if unsent > _STALL_BYTES and self._stall != math.inf:
            if unsent > _MOST_BYTES:
                self._end(AcpError(sentences.not_read(_shown(unsent))))
            elif self._timer is None:
                self._watch(taken)

    def close(self) -> None:
        """Stops watching."""
        if self._timer is not None:
            self._timer.cancel()

    def _unsent(self) -> int:
        unsent: int = getattr(self._stream, "unsent", 0)
        return unsent

    def _watch(self, taken: int) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._stall, self._look, taken)

    def _look(self, taken: int) -> None:
        self._timer = None
        unsent = self._unsent()
        if unsent <= _STALL_BYTES:
            return
        if self._added - unsent != taken:
            self._watch(self._added - unsent)
            return
        self._end(AcpError(sentences.stalled(f"{self._stall:g} s", _shown(unsent))))


def _shown(size: int) -> str:
    return f"{round(size / 1e6)} MB"
