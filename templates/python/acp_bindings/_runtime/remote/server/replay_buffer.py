"""The last messages that were sent, for clients that lose a stream."""

from __future__ import annotations

from collections import deque
from typing import Generic, NamedTuple, TypeVar

StreamT = TypeVar("StreamT")

_OVERHEAD = 128
"""The memory that a kept message takes besides its text, in bytes."""


class NumberedMessage(NamedTuple):
    """A message with its number on the connection."""

    number: int
    text: bytes


class ReplayBuffer(Generic[StreamT]):
    """Keeps the last messages of a connection that were sent, up to a size in bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: deque[tuple[StreamT, NumberedMessage]] = deque()
        self._dropped: dict[StreamT, int] = {}
        """The last message of each stream that is kept no longer."""
        self._size = 0

    def add(self, stream: StreamT, message: NumberedMessage) -> None:
        """Keeps a message, and drops the oldest ones above the limit."""
        self._kept.append((stream, message))
        self._size += len(message.text) + _OVERHEAD
        while self._size > self._limit:
            oldest_stream, oldest = self._kept.popleft()
            self._size -= len(oldest.text) + _OVERHEAD
            self._dropped[oldest_stream] = oldest.number

    def take_after(self, stream: StreamT, last: int) -> list[NumberedMessage] | None:
        """Removes the messages that a stream has sent after the one with a number.

        `last` need not be its greatest number; 0 is for all. Returns None when some of them
        are kept no longer.
        """
        own = [message for of, message in self._kept if of is stream]
        self._kept = deque(item for item in self._kept if item[0] is not stream)
        numbers = [message.number for message in own]
        if last in numbers:
            again = own[numbers.index(last) + 1 :]
        elif last == self._dropped.get(stream, 0):
            again = own
        else:
            again = None
        # What the client has received is needed no longer.
        self._size -= sum(len(message.text) + _OVERHEAD for message in own)
        if own or last > 0:
            self._dropped[stream] = last
        return again
