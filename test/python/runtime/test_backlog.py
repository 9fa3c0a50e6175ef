"""A peer that reads nothing, or too little."""

from __future__ import annotations

import asyncio
import json
import math
import unittest
from typing import Any
from unittest.mock import patch

from acp_bindings import ConnectionClosedError, Limits, serve
from acp_bindings.v1 import Agent, types
from virtual_time import in_virtual_time

INFO = types.Implementation(name="test", version="1")
MIB = 1024 * 1024
BACKLOG = "acp_bindings._runtime.rpc.backlog"


class Talking(Agent):
    """Sends a megabyte again and again."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(info=INFO, limits=limits or Limits())
        self.errors: list[str] = []
        self.sent = 0
        self.error: Exception | None = None

    async def session_new(self, params: Any, context: Any) -> Any:
        return {"sessionId": "s" * 600}

    async def session_prompt(self, params: Any, context: Any) -> Any:
        try:
            while True:
                await context.session.text("x" * MIB)
                self.sent += 1
        except Exception as error:
            self.error = error
            raise

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.errors.append(str(error))


class Client:
    """A client that takes the bytes of an agent when the test does."""

    def __init__(self, agent: Agent) -> None:
        self._input: asyncio.Queue[bytes] = asyncio.Queue()
        self._output = b""
        self._changed = asyncio.Event()
        self._is_closed = False
        self._count = 0
        self.serving = asyncio.ensure_future(serve(agent, self))

    @property
    def unsent(self) -> int:
        return len(self._output)

    async def read(self) -> bytes:
        return await self._input.get()

    def write(self, data: bytes) -> None:
        self._output += data
        self._changed.set()

    async def drain(self) -> None:
        while len(self._output) > MIB // 2 and not self._is_closed:
            await self._change()

    async def close(self) -> None:
        self._is_closed = True
        self._changed.set()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def shows(self, part: bytes) -> None:
        """Waits until the agent has sent something, which the client does not take."""
        while part not in self._output:
            await self._change()

    def take(self) -> list[Any]:
        """Returns the messages of the agent."""
        lines, self._output = self._output.splitlines(), b""
        self._changed.set()
        return [json.loads(line) for line in lines]

    def send(self, method: str, params: Any, **more: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self._input.put_nowait(json.dumps(message).encode() + b"\n")

    async def call(self, method: str, params: Any) -> None:
        """Calls a method; the answer is among the bytes of the agent."""
        self._count += 1
        self.send(method, params, id=self._count)
        await self.shows(f'"id":{self._count},'.encode())

    async def open(self) -> None:
        await self.call("initialize", {"protocolVersion": 1})
        self.take()

    async def prompt(self) -> None:
        params = {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}
        self.send("session/prompt", params, id="p")
        await self.shows(b"session/update")


class Backlog(unittest.TestCase):
    @in_virtual_time
    async def test_an_agent_whose_output_is_not_read_is_cancelled(self) -> None:
        agent = Talking()
        client = Client(agent)
        await client.open()
        await client.prompt()
        client.send("session/cancel", {"sessionId": "s"})
        await client.shows(b'"cancelled"')
        self.assertEqual(agent.sent, 0)

    @in_virtual_time
    async def test_requests_of_a_peer_that_reads_no_answers_are_refused(self) -> None:
        client = Client(Talking())
        await client.open()
        with patch(f"{BACKLOG}._MOST_ANSWER_BYTES", 1000):
            for _ in range(4):
                new = {"cwd": "/", "mcpServers": []}
                await client.call("session/new", new)
            answers = client.take()
            self.assertEqual(
                ["error" in one for one in answers], [False] * 2 + [True] * 2
            )
            self.assertEqual(answers[-1]["error"]["code"], -32029)
            await client.call("session/new", new)
            self.assertIn("result", client.take()[0])

    @in_virtual_time
    async def test_a_peer_that_reads_nothing_for_a_minute_is_left(self) -> None:
        agent = Talking()
        client = Client(agent)
        await client.open()
        await client.prompt()
        await client.serving
        reason = "the other side has read nothing for 60 s while 1 MB were unsent"
        self.assertEqual(agent.errors[0], reason)
        self.assertEqual(asyncio.get_running_loop().time(), 60)

    @in_virtual_time
    async def test_a_peer_that_reads_slowly_is_waited_for(self) -> None:
        agent = Talking()
        client = Client(agent)
        await client.open()
        await client.prompt()
        for _ in range(5):
            await asyncio.sleep(50)
            client.take()
        self.assertFalse(client.serving.done())
        self.assertGreaterEqual(agent.sent, 4)

    @in_virtual_time
    async def test_a_peer_that_is_stopped_in_a_debugger_is_waited_for(self) -> None:
        client = Client(Talking(Limits(stall=math.inf)))
        await client.open()
        await client.prompt()
        await asyncio.sleep(3600)
        self.assertFalse(client.serving.done())

    @in_virtual_time
    async def test_too_much_unsent_output_ends_the_connection(self) -> None:
        agent = Talking()
        client = Client(agent)
        await client.open()
        with patch(f"{BACKLOG}._MOST_BYTES", MIB):
            await client.prompt()
            await client.serving
        reason = "the other side does not read: 1 MB are unsent"
        self.assertEqual(agent.errors[0], reason)

    @in_virtual_time
    async def test_a_sender_that_waits_when_the_connection_ends_fails(self) -> None:
        class Outside(Talking):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                work = super().session_prompt(params, context)
                self.work = asyncio.ensure_future(work)
                return await asyncio.shield(self.work)

        agent = Outside()
        client = Client(agent)
        await client.open()
        await client.prompt()
        client.serving.cancel()
        with self.assertRaises(ConnectionClosedError):
            await agent.work
