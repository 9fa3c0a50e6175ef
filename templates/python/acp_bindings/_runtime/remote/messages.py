"""Connections over what carries whole messages, such as WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from ..rpc.patience import within
from ..rpc.stream import ByteStream
from .backlog import Inbox, Outbox

_LIMIT = 64 * 1024
"""Senders wait, and nothing is received, while more bytes than this wait."""
_STALL = 2.0
"""The end does not wait longer than this for a peer that takes nothing, in seconds."""


def messages(
    receive: Callable[[], Awaitable[str | bytes | None]],
    send: Callable[[str], Awaitable[object]],
    close: Callable[[], Awaitable[object]] | None = None,
) -> ByteStream:
    """Returns functions for whole messages as the stream of a connection.

    `receive` waits for the next message. None or an exception is the end, as when the other
    side has closed. `send` sends one, and `close` is called at the end. For FastAPI and
    Starlette: `messages(socket.receive_text, socket.send_text)`; for aiohttp:
    `messages(socket.receive_str, socket.send_str, socket.close)`.
    """
    return MessageStream(receive, send, close)


class WebSocketLike(Protocol):
    """An open WebSocket, as the package `websockets` has it."""

    def recv(self) -> Awaitable[str | bytes]:
        """Waits for the next message, and raises an exception at the end."""
        ...

    def send(self, message: str, /) -> Awaitable[object]:
        """Sends a message."""
        ...

    def close(self) -> Awaitable[object]:
        """Closes the connection."""
        ...


class MessageStream:
    """Functions that receive and send one message each, as a stream of bytes."""

    def __init__(
        self,
        receive: Callable[[], Awaitable[str | bytes | None]],
        send: Callable[[str], Awaitable[object]],
        close: Callable[[], Awaitable[object]] | None,
    ) -> None:
        self._receive = receive
        self._send = send
        self._close = close
        self._inbox = Inbox(_LIMIT)
        self._outbox = Outbox(_LIMIT, self._send_line, self.end)
        self._receiving: asyncio.Task[None] | None = None
        self.is_closed = False
        self.end_reason = ""
        """Why receiving or sending has failed."""

    async def read(self) -> bytes:
        """Waits for messages; none at the end."""
        if self._receiving is None and not self.is_closed:
            self._receiving = asyncio.ensure_future(self._receive_all())
        return await self._inbox.read()

    def write(self, data: bytes) -> None:
        """Queues the messages of lines."""
        self._outbox.write(data)

    @property
    def unsent(self) -> int:
        """The bytes that are queued and not sent."""
        return self._outbox.unsent

    async def drain(self) -> None:
        """Waits while too many bytes are queued."""
        await self._outbox.drain()

    async def close(self) -> None:
        """Ends both directions, after everything that was queued."""
        try:
            await self._outbox.flush(_STALL)
        finally:
            self.end()
        # It may have been closed by the other side, which may also take nothing.
        with contextlib.suppress(Exception):
            await within(_STALL, self._close_own())

    def end(self, error: BaseException | None = None) -> None:
        """Ends both directions at once."""
        if self.is_closed:
            return
        self.is_closed = True
        self.end_reason = "" if error is None else str(error)
        self._inbox.end()
        self._outbox.end()
        if self._receiving is not None:
            self._receiving.cancel()

    async def _close_own(self) -> None:
        if self._close is not None:
            await self._close()

    async def _receive_all(self) -> None:
        error = None
        try:
            while (message := await self._receive()) is not None:
                data = message.encode() if isinstance(message, str) else message
                if data:
                    self._inbox.put(data)
                    await self._inbox.has_room()
        except Exception as raised:  # noqa: BLE001
            # Each library has errors of its own for a side that has closed.
            error = raised
        self.end(error)

    async def _send_line(self, line: bytes) -> None:
        await self._send(line.decode())


class WebSocketStream(MessageStream):
    """A WebSocket as the stream of a connection: each text frame is a message.

    ```python
    socket = await websockets.connect("ws://127.0.0.1:8000/acp", max_size=32 * 1024 * 1024)
    async with connect(client, WebSocketStream(socket)) as agent: ...
    ```
    """

    def __init__(self, socket: WebSocketLike) -> None:
        """Takes an open WebSocket, which is closed at the end."""

        async def receive() -> str:
            # Frames of bytes have no meaning here.
            while not isinstance(message := await socket.recv(), str):
                pass
            return message

        super().__init__(receive, socket.send, socket.close)
