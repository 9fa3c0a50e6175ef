"""Writes to a file descriptor in a thread."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import select
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from .turns import Turns

_PIECE = 64 * 1024
"""The size of one write, in bytes: as much as a pipe holds."""
_LIMIT = 64 * 1024
"""Senders wait while more bytes than this are unwritten."""
_STALL = 2.0
"""The end does not wait longer than this for a peer that reads nothing, in seconds."""
_POLL = 0.005


class OutputWriter:
    """Writes to a file descriptor, which it closes at the end, in a thread of its own.

    Neither the event loop nor the threads of the program have to do anything for it, so that
    bytes are written while they are busy. `broken` is called when nobody reads them any more.
    What is queued when the interpreter exits is still written.
    """

    def __init__(self, sink: int, broken: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._turns = Turns()
        self._broken = broken
        self._queue: SimpleQueue[bytes] = SimpleQueue()
        self._queued = self._written = 0
        """The bytes that were queued and written so far."""
        self._is_broken = self._is_closed = self._is_stalled = False
        self._waiting: asyncio.Future[None] | None = None
        self._never_waits = False
        """Whether senders need not wait, because one of both sides has ended."""
        _unfinished.add(self)
        threading.Thread(target=self._run, args=(sink,), daemon=True).start()

    def write(self, data: bytes) -> None:
        """Queues bytes."""
        if not self._is_broken and not self._is_closed:
            self._queued += len(data)
            self._queue.put(data)

    async def drain(self) -> None:
        """Waits while too many bytes are queued, and gives the loop a turn now and then."""
        if self._turns.are_due():
            await self._turns.give()
        # What others queue in the meantime does not count: who waits long must not wait for ever.
        end = self._queued - _LIMIT
        while (written := self._written) < end and not self._never_waits:
            await self._advances(written, None)

    def release_senders(self) -> None:
        """Lets no sender wait any more."""
        self._never_waits = True
        self._wake()

    @property
    def unsent(self) -> int:
        """The bytes that are queued and not written."""
        return self._queued - self._written

    async def close(self) -> None:
        """Waits until everything is written or the peer reads nothing, and ends the thread.

        When it is cancelled, the rest is written before the interpreter exits.
        """
        self.release_senders()
        try:
            while self._is_behind and not self._is_stalled:
                self._is_stalled = not await self._advances(self._written, _STALL)
        finally:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(b"")

    def finish(self) -> None:
        """Waits for the thread, which the exit of the interpreter does not wait for."""
        written, end = self._written, time.monotonic() + _STALL
        while self._is_behind and not self._is_stalled:
            time.sleep(_POLL)
            if self._written > written:
                written, end = self._written, time.monotonic() + _STALL
            self._is_stalled = time.monotonic() > end

    @property
    def _is_behind(self) -> bool:
        return self._written < self._queued and not self._is_broken

    async def _advances(self, written: int, timeout: float | None) -> bool:
        """Returns whether more than this is written within a time."""
        if self._waiting is None:
            self._waiting = self._loop.create_future()
        # The thread looks at `_waiting` after it has written, so one of both sees the other.
        if self._written == written:
            await asyncio.wait([self._waiting], timeout=timeout)
        return self._written > written

    def _run(self, sink: int) -> None:
        while data := self._take():
            for start in range(0, len(data), _PIECE):
                piece = data[start : start + _PIECE]
                try:
                    _write_all(sink, piece)
                except OSError:
                    self._is_broken = True
                    break
                self._written += len(piece)
                if self._waiting is not None:
                    self._call(self._wake)
            if self._is_broken:
                self._written = self._queued
                self._call(self._wake)
                self._call(self._broken)
                break
        os.close(sink)
        _unfinished.discard(self)

    def _take(self) -> bytes:
        """Waits for bytes; none at the end."""
        data = [self._queue.get()]
        while data[-1] and not self._queue.empty():
            data.append(self._queue.get())
        if len(data) > 1 and not data[-1]:
            # The end comes after the rest.
            self._queue.put(b"")
        return b"".join(data)

    def _call(self, function: Callable[[], None]) -> None:
        # The loop may have ended.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function)

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)


_unfinished: set[OutputWriter] = set()


@atexit.register
def _finish_all() -> None:
    for writer in list(_unfinished):
        writer.finish()


def _write_all(sink: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(sink, view) :]
        except BlockingIOError:
            # Another program that shares the pipe made it non-blocking.
            select.select([], [sink], [])
