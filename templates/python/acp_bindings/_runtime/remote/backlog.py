"""What waits to be sent, and what waits to be read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from ..stdio.turns import Turns


class Outbox:
    """Messages that wait to be sent, one after the other."""

    def __init__(
        self,
        limit: int,
        send: Callable[[bytes], Awaitable[None]],
        failed: Callable[[Exception], object],
    ) -> None:
        """`limit` is in bytes; `failed` is called when `send` raises an exception."""
        self._limit = limit
        self._send = send
        self._failed = failed
        self._begun = b""
        self._queued: deque[bytes] = deque()
        self._added = self._removed = 0
        """The bytes that were added and sent so far."""
        self._sending: asyncio.Task[None] | None = None
        self._is_ended = False
        self._progress = Signal()
        self._turns = Turns()

    def write(self, data: bytes) -> None:
        """Queues messages, with a line break behind each."""
        if self._is_ended:
            return
        *lines, self._begun = (self._begun + data).split(b"\n")
        self._queued.extend(filter(None, lines))
        self._added += sum(map(len, lines))
        if self._sending is None:
            self._sending = asyncio.ensure_future(self._send_all())

    async def drain(self) -> None:
        """Waits while too many bytes are unsent, and gives the loop a turn now and then."""
        if self._turns.are_due():
            await self._turns.give()
        # What others queue in the meantime does not count: who waits long must not wait for ever.
        end = self._added - self._limit
        while self._removed < end and not self._is_ended:
            await self._progress.wait()

    @property
    def unsent(self) -> int:
        """The bytes that are queued and not sent."""
        return self._added - self._removed

    async def flush(self, patience: float) -> None:
        """Waits until everything is sent, or nothing was for some time in seconds."""
        while self.unsent > 0 and not self._is_ended:
            if not await self._progress.wait(patience):
                break

    def end(self) -> list[asyncio.Task[None]]:
        """Sends nothing any more, and returns the task that it cancels."""
        self._is_ended = True
        self._queued.clear()
        self._progress.give()
        if self._sending is None:
            return []
        self._sending.cancel()
        return [self._sending]

    async def _send_all(self) -> None:
        try:
            while self._queued:
                line = self._queued.popleft()
                await self._send(line)
                self._removed += len(line)
                self._progress.give()
        except Exception as error:  # noqa: BLE001
            self._failed(error)
        finally:
            self._sending = None


class Inbox:
    """Messages that were received and not read, with a line break behind each."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lines: list[bytes] = []
        self._size = 0
        self._is_ended = False
        self._error: Exception | None = None
        self._filled = Signal()
        self._emptied = Signal()

    def put(self, message: bytes) -> None:
        """Adds a message."""
        # Outside of strings, where JSON has none, a line break is a space.
        line = message.replace(b"\n", b" ") + b"\n"
        self._lines.append(line)
        self._size += len(line)
        self._filled.give()

    def end(self, error: Exception | None = None) -> None:
        """Ends the messages, behind those that were not read, and fails the next reading."""
        if not self._is_ended:
            self._is_ended = True
            self._error = error
            self._filled.give()
            self._emptied.give()

    @property
    def is_full(self) -> bool:
        """Whether more is unread than the limit."""
        return self._size > self._limit and not self._is_ended

    async def has_room(self, patience: float | None = None) -> bool:
        """Waits, at most for some time in seconds, and returns whether it is not full."""
        while self.is_full:
            if not await self._emptied.wait(patience):
                break
        return not self.is_full

    async def read(self) -> bytes:
        """Waits for messages, and returns all of them; none at the end."""
        while not self._lines and not self._is_ended:
            await self._filled.wait()
        data = b"".join(self._lines)
        self._lines.clear()
        self._size = 0
        self._emptied.give()
        if not data and self._error is not None:
            raise self._error
        return data


class Signal:
    """Something that happens again and again, for those who wait for the next time."""

    def __init__(self) -> None:
        self._next: asyncio.Future[None] | None = None

    def give(self) -> None:
        waited, self._next = self._next, None
        if waited is not None and not waited.done():
            waited.set_result(None)

    async def wait(self, timeout: float | None = None) -> bool:
        """Waits, and returns whether it happened in time."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        done, _ = await asyncio.wait((self._next,), timeout=timeout)
        return bool(done)
