"""Streams of bytes, and the lines in them."""

from __future__ import annotations

import asyncio
from typing import Protocol

LINE_LIMIT = 32 * 1024 * 1024
"""The longest line by default, in bytes."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ByteStream(Protocol):
    """Both directions of a connection."""

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


class LineSplitter:
    """Splits bytes into lines. Lines that are too long are skipped."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[bytes | None]:
        """Returns the lines that a chunk completes; None for one that was skipped."""
        *ended, rest = chunk.split(b"\n")
        lines = [self._end(part) for part in ended]
        self._add(rest)
        return [line for line in lines if line != b""]

    def finish(self) -> list[bytes | None]:
        """Returns the last line, if it has no end of its own."""
        line = self._end(b"")
        return [] if line == b"" else [line]

    def _add(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > self._limit:
            self._parts.clear()
        else:
            self._parts.append(part)

    def _end(self, part: bytes) -> bytes | None:
        self._add(part)
        is_long = self._length > self._limit
        line = b"".join(self._parts)
        self._parts.clear()
        self._length = 0
        return None if is_long else line.removeprefix(_BYTE_ORDER_MARK).strip(b" \t\r")


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
