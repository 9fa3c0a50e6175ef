"""Connections over the streams of asyncio: sockets, pipes, ssh."""

from __future__ import annotations

import asyncio
import contextlib

from ..rpc.stream import ByteStream
from ..stdio.turns import Turns

_CHUNK = 64 * 1024
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

    @property
    def unsent(self) -> int:
        """The bytes that are queued and not sent."""
        return self._writer.transport.get_write_buffer_size()

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
            await asyncio.wait([closing], timeout=_STALL)
        if closing.done():
            with contextlib.suppress(ConnectionError):
                closing.result()
