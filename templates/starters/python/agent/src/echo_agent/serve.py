"""Serves the agent over HTTP and WebSocket, with uvicorn."""

import socket
import sys

import uvicorn

from .acp import serve
from .acp.remote import HttpApp
from .agent import create_agent


class Server(uvicorn.Server):
    """A server whose running turns may end before it stops."""

    def __init__(self, app: HttpApp) -> None:
        super().__init__(uvicorn.Config(app, log_level="warning", ws_max_size=2**25))
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.app.drain(10)
        await super().shutdown(sockets)


def serve_remotely(port: int) -> None:
    """Serves the agent to programs on this machine; a port of 0 is any free one.

    Before others may call it, they have to be authenticated.
    """
    agent = create_agent()
    listening = socket.create_server(("127.0.0.1", port))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/acp", file=sys.stderr)
    Server(HttpApp(lambda stream: serve(agent, stream))).run([listening])
