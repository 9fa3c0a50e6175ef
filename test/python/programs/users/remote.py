"""Serves an agent in an application of FastAPI, and connects to it over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import socket

import httpx
import uvicorn
import websockets
from acp_bindings import ByteStream, connect, serve
from acp_bindings.remote import (
    HttpApp,
    HttpStream,
    RemoteStream,
    Request,
    WebSocketStream,
)
from acp_bindings.v1 import Agent, AgentContext, Client, ClientContext, types
from fastapi import FastAPI
from starlette.routing import Route, WebSocketRoute

INFO = types.Implementation(name="remote", version="1.0.0")
KEY = {"authorization": "Bearer key"}


class Echo(Agent):
    def __init__(self, caller: str | None) -> None:
        super().__init__(info=INFO)
        self.caller = caller

    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        return types.NewSessionResponse(session_id="1")

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        await context.session.text(f"Hello {self.caller}")
        return types.PromptResponse(stop_reason="end_turn")


class Terminal(Client):
    async def session_request_permission(
        self, params: types.RequestPermissionRequest, context: ClientContext
    ) -> types.RequestPermissionResponse:
        outcome = types.RequestPermissionOutcomeCancelled()
        return types.RequestPermissionResponse(outcome=outcome)


async def authenticate(request: Request) -> str | None:
    return (
        "Ana" if request.headers.get("authorization") == KEY["authorization"] else None
    )


async def serve_echo(stream: RemoteStream) -> None:
    await serve(Echo(stream.caller.principal), stream)


async def converse(stream: ByteStream) -> None:
    async with connect(Terminal(info=INFO), stream) as agent:
        session = await agent.new_session("/")
        turn = await session.prompt("Hello")
        assert turn.stop_reason == "end_turn"


async def main() -> None:
    acp = HttpApp(serve_echo, authenticate=authenticate)
    app = FastAPI()
    app.router.routes += [Route("/acp", acp), WebSocketRoute("/acp", acp)]
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    running = asyncio.create_task(server.serve([listening]))
    async with httpx.AsyncClient() as http:
        url = f"http://127.0.0.1:{port}/acp"
        await converse(HttpStream(url, http, headers=lambda: KEY))
    url = f"ws://127.0.0.1:{port}/acp"
    async with websockets.connect(url, additional_headers=KEY) as opened:
        await converse(WebSocketStream(opened))
    await acp.drain()
    server.should_exit = True
    await running


asyncio.run(main())
