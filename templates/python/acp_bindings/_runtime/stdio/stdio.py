"""Standard input and output of this process."""

from __future__ import annotations

import asyncio
import os
import select
import threading
from concurrent.futures import CancelledError

from ..rpc.stream import ByteStream

_CHUNK = 64 * 1024
_QUEUED = 16


class _Stdio:
    """Standard input, read by a thread, and standard output."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue(_QUEUED)
        # Programs that this one starts must not read its messages.
        self._input = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # What the program prints must not come between the messages.
        self._output = os.dup(1)
        os.dup2(2, 1)
        self._queued = bytearray()
        # The number of bytes that were queued and are not any more.
        self._taken = 0
        self._is_broken = False
        self._writing: asyncio.Future[None] | None = None
        threading.Thread(target=self._read_input, daemon=True).start()

    def _read_input(self) -> None:
        chunk = b"-"
        while chunk:
            chunk = _read_some(self._input)
            put = self._chunks.put(chunk)
            try:
                asyncio.run_coroutine_threadsafe(put, self._loop).result()
            except (RuntimeError, CancelledError):
                # The loop has ended, or ends while the chunk waits.
                put.close()
                return

    async def read(self) -> bytes:
        return await self._chunks.get()

    def write(self, data: bytes) -> None:
        if self._is_broken:
            return
        self._queued += data
        if self._writing is None:
            self._start_writing()

    def _start_writing(self) -> None:
        data, self._queued = bytes(self._queued), bytearray()
        self._taken += len(data)
        writing = self._loop.run_in_executor(None, _write_all, self._output, data)
        self._writing = writing
        writing.add_done_callback(self._written)

    def _written(self, done: asyncio.Future[None]) -> None:
        self._writing = None
        if not done.cancelled() and done.exception() is not None:
            self._end_input()
        elif self._queued:
            self._start_writing()

    def _end_input(self) -> None:
        """Ends the connection, because nobody reads the output any more."""
        self._queued.clear()
        self._is_broken = True
        while not self._chunks.empty():
            self._chunks.get_nowait()
        self._chunks.put_nowait(b"")

    async def drain(self) -> None:
        # What others queue in the meantime does not count: who waits long must not wait for ever.
        end = self._taken + len(self._queued)
        while self._writing is not None and end - self._taken > _CHUNK:
            await asyncio.wait([self._writing])

    async def close(self) -> None:
        while self._writing is not None:
            await asyncio.wait([self._writing])
            await asyncio.sleep(0)


# A pipe is non-blocking when another program that shares it, such as one that has started this
# one, made it so.


def _read_some(source: int) -> bytes:
    """Waits for bytes; none at the end, and when the input cannot be read any more."""
    while True:
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            select.select([source], [], [])
        except OSError:
            return b""


def _write_all(output: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(output, view) :]
        except BlockingIOError:
            select.select([], [output], [])


def stdio() -> ByteStream:
    """Returns standard input and output as the stream of a connection.

    From then on, `print` writes to standard error, and standard input is empty.
    """
    return _Stdio()
