"""Connections over sockets, and over what carries whole messages, such as WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from ..rpc.stream import ByteStream
from .turns import Turns

_CHUNK = 64 * 1024
_LIMIT = 64 * 1024
"""Senders wait while more bytes than this are unsent."""
_STALL = 2.0
"""The end does not wait longer than this for a peer that takes nothing, in seconds."""


def streams(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> ByteStream:
    """Returns the streams of asyncio as the stream of a connection: a socket, a pipe, ssh.

    ```python
    async def accept(reader, writer):
        await serve(MyAgent(...), streams(reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", 4000)
    ```

    A client connects with `connect(client, streams(*await asyncio.open_connection(...)))`.
    """
    return _Streams(reader, writer)


def messages(
    receive: Callable[[], Awaitable[str | bytes | None]],
    send: Callable[[str], Awaitable[object]],
    close: Callable[[], Awaitable[object]] | None = None,
) -> ByteStream:
    """Returns functions for whole messages as the stream of a connection.

    `receive` waits for the next message. None or an exception is the end, as when the other
    side has closed. `send` sends one, and `close` is called at the end. For `websockets`:
    `messages(socket.recv, socket.send, socket.close)`; for FastAPI and Starlette:
    `messages(socket.receive_text, socket.send_text)`.
    """
    return _Messages(receive, send, close)


class _Streams:
    """A reader and a writer of asyncio."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._turns = Turns()

    async def read(self) -> bytes:
        try:
            return await self._reader.read(_CHUNK)
        except ConnectionError:
            return b""

    def write(self, data: bytes) -> None:
        if not self._writer.is_closing():
            self._writer.write(data)

    async def drain(self) -> None:
        if self._turns.are_due():
            await self._turns.give()
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()

    async def close(self) -> None:
        self._writer.close()
        closing = asyncio.ensure_future(self._writer.wait_closed())
        await asyncio.wait([closing], timeout=_STALL)
        if not closing.done():
            self._writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await closing


class _Messages:
    """Functions that receive and send one message each."""

    def __init__(
        self,
        receive: Callable[[], Awaitable[str | bytes | None]],
        send: Callable[[str], Awaitable[object]],
        close: Callable[[], Awaitable[object]] | None,
    ) -> None:
        self._receive = receive
        self._send = send
        self._close = close
        self._turns = Turns()
        self._begun = b""
        self._queued: deque[bytes] = deque()
        self._unsent = 0
        self._sending: asyncio.Task[None] | None = None
        self._sent = asyncio.Event()
        self._ended = asyncio.get_running_loop().create_future()
        self.end_reason = ""
        """Why receiving or sending has failed."""

    async def read(self) -> bytes:
        while not self._ended.done():
            receiving = asyncio.ensure_future(self._receive())
            try:
                await asyncio.wait(
                    (receiving, self._ended), return_when=asyncio.FIRST_COMPLETED
                )
            finally:
                receiving.cancel()
            if not receiving.done() or receiving.cancelled():
                break
            error = receiving.exception()
            text = None if error is not None else receiving.result()
            if text is None:
                self._end(error)
                break
            data = text if isinstance(text, bytes) else text.encode()
            if data:
                # Outside of strings, where JSON has none, a line break is a space.
                return data.replace(b"\n", b" ") + b"\n"
        return b""

    def write(self, data: bytes) -> None:
        if self._ended.done():
            return
        *lines, self._begun = (self._begun + data).split(b"\n")
        self._queued.extend(filter(None, lines))
        self._unsent += sum(map(len, lines))
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._queued:
                line = self._queued.popleft()
                await self._send(line.decode())
                self._unsent -= len(line)
                self._sent.set()
        except Exception as error:  # noqa: BLE001
            # Each library has errors of its own for a side that has closed.
            self._end(error)
        finally:
            self._sending = None
            self._sent.set()

    def _end(self, error: BaseException | None) -> None:
        self._queued.clear()
        self._unsent = 0
        if not self._ended.done():
            self.end_reason = "" if error is None else str(error)
            self._ended.set_result(None)

    async def drain(self) -> None:
        if self._turns.are_due():
            await self._turns.give()
        while self._unsent > _LIMIT:
            self._sent.clear()
            await self._sent.wait()

    async def close(self) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            while self._sending is not None and not self._ended.done():
                self._sent.clear()
                await asyncio.wait_for(self._sent.wait(), _STALL)
        self._end(None)
        if self._sending is not None:
            self._sending.cancel()
        if self._close is not None:
            # It may have been closed by the other side.
            with contextlib.suppress(Exception):
                await self._close()
