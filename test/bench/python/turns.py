"""A turn that streams updates: `turns.py <side> <count>`.

The sides are `ours` and `official`, clients that start their agent, `ours-agent` and
`official-agent`, and `ours-memory` and `official-memory`, which print the CPU seconds of an
update, both sides together over a pair of sockets. `ours-http` and `ours-web-socket` start
`ours-server`, and so do those of the official package.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

SIDE, COUNT = sys.argv[1], int(sys.argv[2])
OURS = SIDE.startswith("ours")
LIBRARY = SIDE.split("-")[0]
ARGUMENTS = (__file__, f"{LIBRARY}-agent", str(COUNT))

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


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Starts a server, and gives its address without the scheme."""
    command = [sys.executable, __file__, f"{LIBRARY}-server", str(COUNT)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"127.0.0.1:{process.stdout.readline().strip()}/acp"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def listen(app: Any) -> None:
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="critical", lifespan="off")
    uvicorn.Server(config).run([listening])


def our_server() -> None:
    from acp_bindings.remote import HttpApp

    agent = OurAgent(info=INFO)
    listen(HttpApp(lambda stream: serve(agent, stream)))


async def ours_remotely() -> None:
    import websockets
    from acp_bindings.remote import HttpStream, WebSocketStream

    client = OurClient(info=INFO)
    with server() as address:
        if SIDE.endswith("http"):
            async with connect(client, HttpStream(f"http://{address}")) as agent:
                await prompt_ours(agent)
        else:
            url = f"ws://{address}"
            async with websockets.connect(url, compression=None) as opened:
                async with connect(client, WebSocketStream(opened)) as agent:
                    await prompt_ours(agent)
    assert client.count == COUNT


def official_server() -> None:
    from acp.http.asgi import create_asgi_app

    def create(connection: Any) -> Any:
        agent = OfficialAgent()
        agent.on_connect(connection)
        return agent

    listen(create_asgi_app(create))


async def official_remotely() -> None:
    import httpx
    from acp.http.client import create_http_stream
    from acp.ws.client import create_websocket_stream

    client: Any = OfficialClient()
    with server() as address:
        async with httpx.AsyncClient(timeout=None) as http:  # noqa: S113
            stream = (
                create_http_stream(f"http://{address}", client=http)
                if SIDE.endswith("http")
                else await create_websocket_stream(f"ws://{address}")
            )
            agent = acp.connect_to_agent(client, stream)
            await prompt_theirs(agent, client)
            await agent.close()


RUN: dict[str, Callable[[], Awaitable[None]]] = {
    "ours": ours,
    "official": official,
    "ours-agent": lambda: serve(OurAgent(info=INFO)),
    "official-agent": lambda: acp.run_agent(OfficialAgent()),
    "ours-memory": ours_memory,
    "official-memory": official_memory,
    "ours-http": ours_remotely,
    "ours-web-socket": ours_remotely,
    "official-http": official_remotely,
    "official-web-socket": official_remotely,
}
if SIDE.endswith("-server"):
    our_server() if OURS else official_server()
else:
    asyncio.run(RUN[SIDE]())  # type: ignore[arg-type]
