"""An agent whose messages a test writes itself, as they are on the wire."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

from acp_bindings import connect, memory_streams


def text(content: str, kind: str = "agent_message", **more: Any) -> dict[str, Any]:
    """Returns an update with a chunk of text."""
    block = {"type": "text", "text": content}
    return {"sessionUpdate": f"{kind}_chunk", "content": block, **more}


class ScriptedAgent:
    """The other end of the stream of a client."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._bytes = b""

    async def receive(self) -> Any:
        """Returns the next message of the client."""
        while b"\n" not in self._bytes:
            self._bytes += await self._stream.read()
        line, self._bytes = self._bytes.split(b"\n", 1)
        return json.loads(line)

    async def request(self, method: str) -> Any:
        """Returns the next request of a method, whatever comes before it."""
        while (message := await self.receive()).get("method") != method:
            pass
        return message

    def send(self, *messages: dict[str, Any]) -> None:
        """Sends messages as one piece."""
        lines = [json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages]
        self.write("".join(lines).encode())

    def write(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._stream.write(data)

    def update(self, update: Any) -> dict[str, Any]:
        params = {"sessionId": "s", "update": update}
        return {"method": "session/update", "params": params}

    def end(self) -> None:
        """Ends the side of the agent."""
        self.write(b"")


@contextlib.asynccontextmanager
async def scripted(
    client: Any, initialize: Any, opened: Any = None
) -> AsyncGenerator[tuple[ScriptedAgent, Any, Any], None]:
    """Connects a client with a scripted agent. Gives it, its peer and a session."""
    here, there = memory_streams()
    agent = ScriptedAgent(there)

    async def answer() -> None:
        agent.send({"id": (await agent.receive())["id"], "result": initialize})
        result = {"sessionId": "s", **(opened or {})}
        agent.send({"id": (await agent.receive())["id"], "result": result})

    answering = asyncio.ensure_future(answer())
    async with connect(client, here) as peer:
        session = await peer.new_session("/")
        await answering
        yield agent, peer, session
