"""A turn that streams updates over stdio, or in one process: `turns.py <side> <count>`.

The sides are `ours` and `official`, clients that start their agent, `ours-agent` and
`official-agent`, and `ours-memory` and `official-memory`, which print the CPU seconds of an
update, both sides together over a pair of sockets.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

SIDE, COUNT = sys.argv[1], int(sys.argv[2])
OURS = SIDE.startswith("ours")
ARGUMENTS = (__file__, f"{SIDE.split('-')[0]}-agent", str(COUNT))

if OURS:
    from acp_bindings import connect, serve, spawn_agent, streams
    from acp_bindings.v1 import Agent, Client, types

    INFO = types.Implementation(name="bench", version="1")

    class OurAgent(Agent):
        async def session_new(self, params: Any, context: Any) -> Any:
            return types.NewSessionResponse(session_id="1")

        async def session_prompt(self, params: Any, context: Any) -> Any:
            for _ in range(COUNT):
                await context.session.text("hello world ")
            return types.PromptResponse(stop_reason="end_turn")

    class OurClient(Client):
        count = 0

        async def session_request_permission(
            self, params: Any, context: Any
        ) -> Any: ...

        async def session_update(self, params: Any, context: Any) -> None:
            self.count += 1

else:
    import acp
    from acp.schema import InitializeResponse, NewSessionResponse, PromptResponse

    class OfficialAgent(acp.Agent):  # type: ignore[misc]
        def on_connect(self, conn: Any) -> None:
            self.client = conn

        async def initialize(self, protocol_version: int, **_: Any) -> Any:
            return InitializeResponse(protocol_version=protocol_version)

        async def new_session(self, cwd: str, **_: Any) -> Any:
            return NewSessionResponse(session_id="1")

        async def prompt(self, session_id: str, prompt: Any, **_: Any) -> Any:
            for _ in range(COUNT):
                update = acp.update_agent_message_text("hello world ")
                await self.client.session_update(session_id, update)
            return PromptResponse(stop_reason="end_turn")

    class OfficialClient:
        count = 0

        def on_connect(self, conn: Any) -> None: ...

        async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
            self.count += 1


async def prompt_ours(agent: Any) -> float:
    session = await agent.new_session("/")
    start = time.process_time()
    await session.prompt("x")
    return time.process_time() - start


async def prompt_theirs(agent: Any, client: Any) -> float:
    await agent.initialize(protocol_version=1)
    session = await agent.new_session(cwd="/", mcp_servers=[])
    start = time.process_time()
    text = [acp.text_block("x")]
    await agent.prompt(session_id=session.session_id, prompt=text)
    while client.count < COUNT:
        await asyncio.sleep(0.001)
    return time.process_time() - start


async def ours() -> None:
    client = OurClient(info=INFO)
    async with spawn_agent(client, sys.executable, *ARGUMENTS) as agent:
        await prompt_ours(agent)
    assert client.count == COUNT


async def official() -> None:
    client: Any = OfficialClient()
    environment = dict(os.environ)
    async with acp.spawn_agent_process(
        client, sys.executable, *ARGUMENTS, env=environment
    ) as (agent, _):
        await prompt_theirs(agent, client)


async def sockets() -> tuple[Any, Any]:
    ends = socket.socketpair()
    first, second = [await asyncio.open_connection(sock=end) for end in ends]
    return first, second


async def ours_memory() -> None:
    near, far = await sockets()
    serving = asyncio.ensure_future(serve(OurAgent(info=INFO), streams(*far)))
    client = OurClient(info=INFO)
    async with connect(client, streams(*near)) as agent:
        print(await prompt_ours(agent) / COUNT)
    assert client.count == COUNT
    await serving


async def official_memory() -> None:
    (reader, writer), (far_reader, far_writer) = await sockets()
    client: Any = OfficialClient()
    served = acp.AgentSideConnection(OfficialAgent(), far_writer, far_reader)
    agent = acp.ClientSideConnection(client, writer, reader)
    print(await prompt_theirs(agent, client) / COUNT)
    await agent.close()
    await served.close()


RUN: dict[str, Callable[[], Awaitable[None]]] = {
    "ours": ours,
    "official": official,
    "ours-agent": lambda: serve(OurAgent(info=INFO)),
    "official-agent": lambda: acp.run_agent(OfficialAgent()),
    "ours-memory": ours_memory,
    "official-memory": official_memory,
}
asyncio.run(RUN[SIDE]())  # type: ignore[arg-type]
