"""The messages of one stream of events, and who reads them."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Protocol

from ..wire import EVENT_ORDER, EVENT_TYPE, OF_CONNECTION
from .asgi import Receive, Send, encode_headers, wait_for_end
from .replay_buffer import NumberedMessage

_PIECE = 64 * 1024
"""The size of a piece of a stream, in bytes: fewer pieces cost less, larger ones take memory."""

# Clients ignore comments; the first one sends the headers through every proxy.
_OPENED = b": open\n\n"
_ALIVE = b":\n\n"

_FAREWELL = 1.0
"""How long the end of a stream that was taken over may take, in seconds."""

_HEADERS = {
    "content-type": EVENT_TYPE,
    EVENT_ORDER: OF_CONNECTION,
    # Proxies neither change nor hold the stream.
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
}


class QueueOwner(Protocol):
    """The connection that a queue belongs to."""

    @property
    def keep_alive(self) -> float:
        """The time between two signs of life, in seconds."""
        ...

    def sent(self, queue: EventQueue, message: NumberedMessage) -> None:
        """Takes a message that was handed to the reader."""
        ...

    def changed(self, *, is_open: bool) -> None:
        """Called when a stream was opened, and when it has ended."""
        ...


class EventQueue:
    """The messages of one stream that wait for its reader."""

    def __init__(self, owner: QueueOwner) -> None:
        self.owner = owner
        self.reader: EventReader | None = None
        """The current reader: a client that lost its stream replaces it."""
        self.is_closed = False
        self._waiting: deque[NumberedMessage] = deque()
        self._is_unsure = False
        """Whether the client may not have received what was sent, should it lose the stream."""

    @property
    def is_open(self) -> bool:
        """Whether somebody reads."""
        return self.reader is not None

    @property
    def is_settled(self) -> bool:
        """Whether no message waits, is being sent, or may be lost with its stream."""
        if self.reader is None:
            return not self._waiting and not self._is_unsure
        return not self._waiting and not self.reader.is_sending

    def push(self, message: NumberedMessage) -> None:
        """Adds a message."""
        self._waiting.append(message)
        if self.reader is not None:
            self.reader.wake()

    def take_all(self) -> Iterable[NumberedMessage]:
        """Removes all messages."""
        taken, self._waiting = self._waiting, deque()
        return taken

    def take_piece(self) -> bytes:
        """Removes messages and returns them as events; none when none wait."""
        pieces: list[bytes] = []
        size = 0
        while self._waiting and size < _PIECE:
            message = self._waiting.popleft()
            pieces.append(b"id: %d\ndata: %b\n\n" % message)
            size += len(message.text)
            self._is_unsure = True
            self.owner.sent(self, message)
        return b"".join(pieces)

    def close(self, patience: float) -> None:
        """Ends the stream behind the messages that wait, which may take some time in seconds."""
        self.is_closed = True
        if self.reader is not None:
            self.reader.wake()
            self.reader.end_within(patience)

    def open(self, again: Iterable[NumberedMessage]) -> EventReader:
        """Opens the stream, and ends that of an earlier reader.

        `again` are messages that are sent again, before those that wait.
        """
        self._waiting = deque((*again, *self._waiting))
        # The client has said what it has received.
        self._is_unsure = False
        before, self.reader = self.reader, EventReader(self)
        self.owner.changed(is_open=True)
        if before is not None:
            before.leave()
        return self.reader


class EventReader:
    """A response that reads a queue."""

    def __init__(self, queue: EventQueue) -> None:
        self.is_sending = False
        """Whether a piece is being sent."""
        self._queue = queue
        self._has_left = False
        self._waiting: asyncio.Future[None] | None = None
        self._sending: asyncio.Task[None] | None = None

    async def run(
        self, receive: Receive, send: Send, headers: Mapping[str, str]
    ) -> None:
        """Sends events until the queue is closed, the client leaves, or another one reads."""
        sending = asyncio.ensure_future(self._send_all(send, {**_HEADERS, **headers}))
        leaving = asyncio.ensure_future(wait_for_end(receive))
        self._sending = sending
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            self.leave()
            await asyncio.wait((sending,), timeout=_FAREWELL)
            if sending.done() and not sending.cancelled():
                # Servers raise an OSError when the client has left.
                with contextlib.suppress(OSError):
                    sending.result()

    def wake(self) -> None:
        """Continues after a change of the queue."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def leave(self) -> None:
        """Reads no more."""
        if self._has_left:
            return
        self._has_left = True
        if self._queue.reader is self:
            self._queue.reader = None
        self._queue.owner.changed(is_open=False)
        self.wake()
        self.end_within(_FAREWELL)

    def end_within(self, patience: float) -> None:
        """Gives up after some time in seconds: a client may neither read nor leave."""
        if self._sending is not None:
            asyncio.get_running_loop().call_later(patience, self._sending.cancel)

    async def _send_all(self, send: Send, headers: Mapping[str, str]) -> None:
        start = {"status": 200, "headers": encode_headers(headers)}
        await send({"type": "http.response.start", **start})
        piece = _OPENED
        while piece:
            body = {"body": piece, "more_body": True}
            self.is_sending = True
            await send({"type": "http.response.body", **body})
            self.is_sending = False
            piece = await self._next_piece()
        await send({"type": "http.response.body", "body": b""})

    async def _next_piece(self) -> bytes:
        """Waits for the next piece; none when the stream has ended."""
        while not self._has_left:
            piece = self._queue.take_piece()
            if piece or self._queue.is_closed:
                return piece
            if not await self._is_woken():
                return _ALIVE
        return b""

    async def _is_woken(self) -> bool:
        """Waits for a change of the queue; returns whether there was one in time."""
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        keep_alive = self._queue.owner.keep_alive
        timer = loop.call_later(keep_alive, self._waiting.cancel)
        try:
            await asyncio.wait((self._waiting,))
        finally:
            timer.cancel()
        return not self._waiting.cancelled()
