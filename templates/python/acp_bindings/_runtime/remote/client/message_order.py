"""The order of the messages of several streams."""

from __future__ import annotations

from ... import sentences
from ...rpc.errors import AcpError
from ..wire import MAX_MESSAGE_BYTES

_OVERHEAD = 128
"""The memory that a message takes besides its text, in bytes."""


class MessageOrder:
    """Brings messages into the order of their numbers: each once, after those before it."""

    def __init__(self) -> None:
        self._next = 1
        self._held: dict[int, bytes] = {}
        self._size = 0

    def take(self, number: int, message: bytes) -> list[bytes]:
        """Takes a message, and returns those that are due.

        Raises AcpError when so much waits for an earlier message that there cannot be one.
        """
        # It was sent again.
        if number < self._next or number in self._held:
            return []
        self._held[number] = message
        self._size += len(message) + _OVERHEAD
        due: list[bytes] = []
        while self._next in self._held:
            due.append(self._held.pop(self._next))
            self._size -= len(due[-1]) + _OVERHEAD
            self._next += 1
        if self._size > MAX_MESSAGE_BYTES:
            raise AcpError(sentences.messages_missing)
        return due
