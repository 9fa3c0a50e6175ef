"""Conversations with the remote transports of the official package, in both roles."""

from __future__ import annotations

import contextlib
import importlib.util
import unittest
from typing import Any

from acp_bindings import connect
from acp_bindings.remote import HttpStream, WebSocketStream
from acp_bindings.v1 import types
from remote_work import Editor, new_session, served, work, working_app

PACKAGES = ("acp", "httpx", "uvicorn", "websockets")
IS_INSTALLED = all(map(importlib.util.find_spec, PACKAGES))

if IS_INSTALLED:
    import acp
    import httpx
    from acp.http.asgi import create_asgi_app
    from acp.http.client import create_http_stream
    from acp.schema import (
        AgentCapabilities,
        AllowedOutcome,
        ClientCapabilities,
        LoadSessionResponse,
        PermissionOption,
        RequestPermissionResponse,
        ToolCallUpdate,
    )
    from acp.ws.client import create_websocket_stream


def numbers(count: int) -> list[str]:
    return [str(number) for number in range(count)]


@unittest.skipUnless(IS_INSTALLED, "the official package is not installed")
class Official(unittest.IsolatedAsyncioTestCase):
    async def test_its_client_converses_with_our_server(self) -> None:
        for kind in ("HTTP", "WebSocket"):
            with self.subTest(kind):
                async with served(working_app()) as server:
                    url = server.url if kind == "HTTP" else server.socket_url
                    texts = await self.converse(kind, url)
                    self.assertEqual(texts, [*numbers(200), *numbers(50)])

    async def converse(self, kind: str, url: str) -> list[str]:
        texts: list[str] = []

        class Theirs(acp.Client):  # type: ignore[misc]
            async def request_permission(self, options: Any, **_: Any) -> Any:
                option_id = options[0].option_id
                outcome = AllowedOutcome(option_id=option_id, outcome="selected")
                return RequestPermissionResponse(outcome=outcome)

            async def session_update(
                self, session_id: str, update: Any, **_: Any
            ) -> None:
                if hasattr(update, "content"):
                    texts.append(update.content.text)

        if kind == "HTTP":
            http = httpx.AsyncClient(timeout=None)  # noqa: S113
            stream = create_http_stream(url, client=http)
        else:
            stream = await create_websocket_stream(url)
        agent = acp.connect_to_agent(Theirs(), stream)
        await agent.initialize(1, client_capabilities=ClientCapabilities())
        session = await agent.new_session(cwd="/", mcp_servers=[])
        await agent.load_session(cwd="/", session_id="other", mcp_servers=[])
        prompt = [acp.text_block('{"chunks": 50, "questions": 5}')]
        turn = await agent.prompt(prompt=prompt, session_id=session.session_id)
        self.assertEqual(turn.stop_reason, "end_turn")
        await agent.close()
        if kind == "HTTP":
            await http.aclose()
        return texts

    async def test_our_client_converses_with_its_server(self) -> None:
        app = create_asgi_app(create_their_agent)
        for kind in ("HTTP", "WebSocket"):
            with self.subTest(kind):
                async with served(working_app(), app) as server:
                    editor = Editor()
                    async with contextlib.AsyncExitStack() as stack:
                        stream: Any = HttpStream(server.url)
                        if kind == "WebSocket":
                            from websockets import connect as open_socket

                            opened = open_socket(server.socket_url)
                            stream = WebSocketStream(
                                await stack.enter_async_context(opened)
                            )
                        agent = await stack.enter_async_context(
                            connect(editor, stream, timeout=5)
                        )
                        session = await new_session(agent)
                        if kind == "WebSocket":
                            # Over HTTP, it knows no session that was not created here.
                            request = types.LoadSessionRequest(
                                session_id="other", cwd="/", mcp_servers=[]
                            )
                            await agent.session_load(request)
                            self.assertEqual(editor.texts, numbers(20))
                        editor.texts.clear()
                        turn = await work(agent, session)
                        self.assertEqual(turn.stop_reason, "end_turn")
                        self.assertEqual(editor.texts, numbers(50))
                        self.assertEqual(editor.questions, ["t"])


def create_their_agent(connection: Any) -> Any:
    class Theirs(acp.Agent):  # type: ignore[misc]
        async def initialize(self, protocol_version: int, **_: Any) -> Any:
            capabilities = AgentCapabilities(load_session=True)
            return acp.InitializeResponse(
                protocol_version=1, agent_capabilities=capabilities
            )

        async def new_session(self, cwd: str, **_: Any) -> Any:
            return acp.NewSessionResponse(session_id="s1")

        async def load_session(self, cwd: str, session_id: str, **_: Any) -> Any:
            for index in range(20):
                update = acp.update_agent_message(acp.text_block(f"{index}"))
                await connection.session_update(session_id, update)
            return LoadSessionResponse()

        async def prompt(self, prompt: Any, session_id: str, **_: Any) -> Any:
            for index in range(50):
                update = acp.update_agent_message(acp.text_block(f"{index}"))
                await connection.session_update(session_id, update)
            option = PermissionOption(option_id="y", name="Yes", kind="allow_once")
            call = ToolCallUpdate(tool_call_id="t", title="x")
            await connection.request_permission(
                options=[option], session_id=session_id, tool_call=call
            )
            return acp.PromptResponse(stop_reason="end_turn")

    return Theirs()
