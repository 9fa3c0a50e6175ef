"""The far end of an agent, whose messages a test writes itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from acp_bindings import memory_streams, serve


class Wire:
    """Sends and reads JSON."""

    def __init__(self, agent: Any) -> None:
        self.stream, there = memory_streams()
        self.serving = asyncio.ensure_future(serve(agent, there))

    def send(self, *lines: str) -> None:
        self.stream.write("".join(f"{line}\n" for line in lines).encode())

    def call(self, own_id: Any, method: str, params: Any) -> None:
        """Sends a request, or a message without an id."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.send(json.dumps(message if own_id is None else {**message, "id": own_id}))

    async def next(self) -> Any:
        """Returns the next message; None at the end."""
        data = await asyncio.wait_for(self.stream.read(), 5)
        return json.loads(data) if data else None

    async def start(self, version: int = 1) -> Any:
        """Returns the response to `initialize`."""
        own = {"capabilities": {}, "info": {"name": "t", "version": "1"}}
        more = {"clientCapabilities": {}} if version == 1 else own
        self.call(1, "initialize", {"protocolVersion": version, **more})
        return await self.next()

    async def end(self) -> list[Any]:
        """Ends the input. Returns what comes until the agent has ended."""
        self.stream._outgoing.put_nowait(b"")
        rest = []
        while (message := await self.next()) is not None:
            rest.append(message)
        await self.serving
        return rest
