"""Connections over sockets and over whole messages."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Awaitable, Callable
from typing import Any

from acp_bindings import (
    ByteStream,
    ConnectionClosedError,
    connect,
    messages,
    serve,
    streams,
)
from acp_bindings.v1.mocks import MockAgent, MockClient


class Closed(Exception):
    """What a library for WebSockets raises."""


class Socket:
    """One end of a WebSocket."""

    def __init__(self, here: asyncio.Queue[Any], there: asyncio.Queue[Any]) -> None:
        self.here = here
        self.there = there
        self.closes = 0

    async def receive(self) -> str:
        message = await self.here.get()
        if message is None:
            raise Closed("code 1000")
        assert isinstance(message, str) and "\n" not in message
        return message.replace('{"', '{\n  "')

    async def send(self, message: str) -> None:
        await asyncio.sleep(0)
        self.there.put_nowait(message)

    async def close(self) -> None:
        self.closes += 1
        self.there.put_nowait(None)


class Transports(unittest.IsolatedAsyncioTestCase):
    async def converse(self, stream: ByteStream) -> None:
        async with connect(MockClient(), stream, timeout=5) as agent:
            session = await agent.new_session("/")
            turn = await session.prompt("Hello")
            self.assertEqual(turn.stop_reason, "end_turn")

    async def test_an_agent_serves_sockets(self) -> None:
        async def accept(
            reader: asyncio.StreamReader, writer: asyncio.StreamWriter
        ) -> None:
            await serve(MockAgent(), streams(reader, writer))

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            for _ in range(2):
                pair = await asyncio.open_connection("127.0.0.1", port)
                await asyncio.wait_for(self.converse(streams(*pair)), 5)

    async def test_an_agent_serves_whole_messages(self) -> None:
        left: asyncio.Queue[Any] = asyncio.Queue()
        right: asyncio.Queue[Any] = asyncio.Queue()
        here, there = Socket(left, right), Socket(right, left)
        own = messages(there.receive, there.send, there.close)
        serving = asyncio.ensure_future(serve(MockAgent(), own))
        await self.converse(messages(here.receive, here.send, here.close))
        await asyncio.wait_for(serving, 5)
        self.assertEqual((here.closes, there.closes), (1, 1))

    async def test_the_failure_of_a_transport_is_the_reason_of_an_error(self) -> None:
        async def fail(*_: object) -> str:
            raise Closed("code 1011")

        def wait() -> Awaitable[str]:
            return asyncio.get_running_loop().create_future()

        functions: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
            (wait, fail),
            (fail, Socket(asyncio.Queue(), asyncio.Queue()).send),
        ]
        for receive, send in functions:
            with self.assertRaisesRegex(ConnectionClosedError, "code 1011"):
                async with connect(MockClient(), messages(receive, send), timeout=5):
                    pass
