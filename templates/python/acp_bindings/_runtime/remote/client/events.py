"""Server-sent events."""

from __future__ import annotations

from typing import NamedTuple

from ...rpc.errors import AcpError


class Event(NamedTuple):
    """One event of a stream."""

    data: bytes
    id: str | None


class EventSplitter:
    """Splits bytes into events. Comments and unknown fields are left out."""

    def __init__(self, limit: int) -> None:
        """`limit` is the longest event, in bytes."""
        self._limit = limit
        self._begun: list[bytes] = []
        """The beginning of a line whose end has not arrived."""
        self._data: list[bytes] = []
        self._id: str | None = None
        self._size = 0
        """The bytes of the event so far, without the line that has begun."""
        self._begun_size = 0
        self._is_after_cr = False

    def feed(self, chunk: bytes) -> list[Event]:
        """Returns the events that a chunk completes.

        Raises AcpError for an event that is too long.
        """
        events: list[Event] = []
        # A line ends with CR, LF or both.
        if self._is_after_cr:
            chunk = chunk.removeprefix(b"\n")
        self._is_after_cr = chunk.endswith(b"\r")
        chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._begun.append(chunk)
        self._begun_size += len(chunk)
        if b"\n" in chunk:
            *lines, rest = b"".join(self._begun).split(b"\n")
            self._begun = [rest]
            self._begun_size = len(rest)
            for line in lines:
                self._add(line, events)
        if self._size + self._begun_size > self._limit:
            raise AcpError("an event of the server is too long")
        return events

    def _add(self, line: bytes, events: list[Event]) -> None:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
            self._size += len(line)
        elif field == b"id":
            self._id = value.decode("ascii", "ignore")
        elif not line:
            if self._data:
                events.append(Event(b"\n".join(self._data), self._id))
            self._data = []
            self._id = None
            self._size = 0
