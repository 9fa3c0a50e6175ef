"""Reads a file descriptor in a thread."""

from __future__ import annotations

import asyncio
import os
import select
import threading
from collections.abc import Callable

_CHUNK = 64 * 1024
_AHEAD = 16
"""How many chunks are read before they are asked for."""


class InputReader:
    """Reads a file descriptor, which it closes at the end, in a thread of its own.

    `ended` is called when the end has been read, which may be before `read` returns it.
    """

    def __init__(self, source: int, ended: Callable[[], None] = lambda: None) -> None:
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._ended = ended
        self._room = threading.Semaphore(_AHEAD)
        self._is_closed = False
        self.received = 0
        """The number of chunks so far."""
        threading.Thread(target=self._run, args=(source,), daemon=True).start()

    @property
    def is_waiting(self) -> bool:
        """Whether something was read that nobody has asked for."""
        return not self._chunks.empty()

    async def read(self) -> bytes:
        """Waits for bytes; none at the end."""
        chunk = await self._chunks.get()
        if chunk:
            self._room.release()
        else:
            # Whoever reads again finds the end again.
            self._chunks.put_nowait(chunk)
        return chunk

    def end(self) -> None:
        """Lets `read` return the end after what was read already."""
        self._is_closed = True
        self._room.release()
        self._chunks.put_nowait(b"")

    def discard(self) -> None:
        """Lets `read` return the end at once."""
        while not self._chunks.empty():
            self._chunks.get_nowait()
        self.end()

    def _run(self, source: int) -> None:
        chunk = b"-"
        while chunk and not self._is_closed:
            chunk = _read_some(source)
            self._room.acquire()
            try:
                self._loop.call_soon_threadsafe(self._put, chunk)
            except RuntimeError:
                # The loop has ended.
                break
        os.close(source)

    def _put(self, chunk: bytes) -> None:
        self.received += 1
        self._chunks.put_nowait(chunk)
        if not chunk:
            self._ended()


def _read_some(source: int) -> bytes:
    """Waits for bytes; none at the end, and when the input cannot be read any more."""
    while True:
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            # Another program that shares the pipe made it non-blocking.
            select.select([source], [], [])
        except OSError:
            return b""
