"""Streams of bytes, and the lines in them."""

from __future__ import annotations

import asyncio
from typing import Protocol

from ..json_text import parse_json

LINE_LIMIT = 32 * 1024 * 1024
"""The longest line by default, in bytes."""

HEAD = 512
"""How many bytes of a line that is too long are kept."""

_SPACES = b" \t\r"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_json(line: bytes) -> bool:
    """Returns whether a line is JSON."""
    try:
        parse_json(line)
    except (ValueError, RecursionError):
        return False
    return True


class ByteStream(Protocol):
    """Both directions of a connection.

    A stream may have a property `unsent`, the number of bytes that are queued: a connection
    whose peer takes none of them ends.
    """

    async def read(self) -> bytes:
        """Waits for bytes; none at the end."""
        ...

    def write(self, data: bytes) -> None:
        """Queues bytes."""
        ...

    async def drain(self) -> None:
        """Waits while too many bytes are queued."""
        ...

    async def close(self) -> None:
        """Ends both directions, after everything that was queued."""
        ...


class LongLine:
    """A line that was skipped because of its length."""

    def __init__(self, head: bytes) -> None:
        self.head = head[:HEAD]


class LineSplitter:
    """Splits bytes into lines. Of lines that are too long only the beginning is kept."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0
        self._skipped: LongLine | None = None

    def feed(self, chunk: bytes) -> list[bytes | LongLine]:
        """Returns the lines that a chunk completes."""
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes | LongLine] = []
        if ended and self._length > 0:
            lines.append(self._end(ended.pop(0)))
        if len(chunk) > self._limit or _BYTE_ORDER_MARK in chunk:
            lines.extend(map(self._whole, ended))
        else:
            lines += [part.strip(_SPACES) for part in ended]
        self._add(rest)
        return list(filter(None, lines))

    def finish(self) -> list[bytes | LongLine]:
        """Returns the last line, if it is a whole message that lacks only its line end."""
        line = self._end(b"")
        return [line] if isinstance(line, bytes) and is_json(line) else []

    def _add(self, part: bytes) -> None:
        self._length += len(part)
        if self._length <= self._limit:
            self._parts.append(part)
        elif self._skipped is None:
            missing = HEAD - sum(map(len, self._parts))
            head = b"".join([*self._parts, part[: max(missing, 0)]])
            self._skipped = LongLine(head)
            self._parts.clear()

    def _end(self, part: bytes) -> bytes | LongLine:
        self._add(part)
        skipped, self._skipped = self._skipped, None
        line = b"".join(self._parts)
        self._parts.clear()
        self._length = 0
        return self._whole(line) if skipped is None else skipped

    def _whole(self, line: bytes) -> bytes | LongLine:
        if len(line) > self._limit:
            return LongLine(line)
        return line.removeprefix(_BYTE_ORDER_MARK).strip(_SPACES)


class MemoryStream:
    """One end of a connection within a process; made by `memory_streams`."""

    def __init__(
        self,
        incoming: asyncio.Queue[bytes],
        outgoing: asyncio.Queue[bytes],
    ) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._is_ended = False

    async def read(self) -> bytes:
        if self._is_ended:
            return b""
        data = await self._incoming.get()
        self._is_ended = data == b""
        return data

    def write(self, data: bytes) -> None:
        self._outgoing.put_nowait(data)

    async def drain(self) -> None:
        await asyncio.sleep(0)

    async def close(self) -> None:
        self._outgoing.put_nowait(b"")
        self._incoming.put_nowait(b"")


def memory_streams() -> tuple[MemoryStream, MemoryStream]:
    """Returns the two ends of a connection within a process."""
    here: asyncio.Queue[bytes] = asyncio.Queue()
    there: asyncio.Queue[bytes] = asyncio.Queue()
    return MemoryStream(here, there), MemoryStream(there, here)
