"""What users have met: cancelling at once, wrong updates, agents that stream without end."""

from __future__ import annotations

import sys
import unittest
from typing import Any

from acp_bindings import InvalidValueError, RpcError, connect_in_memory, spawn_agent
from acp_bindings.v1 import Agent, Client, types

INFO = types.Implementation(name="test", version="1")

AGENT = """
import asyncio, subprocess, sys
from acp_bindings import serve
from acp_bindings.v1 import Agent, types

class Flood(Agent):
    async def session_new(self, params, context):
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params, context):
        session = context.peer.session(params.session_id)
        [block] = params.prompt
        if block.text == "child":
            assert subprocess.run(["cat"], stdout=subprocess.PIPE, timeout=5).stdout == b""
            assert sys.stdin.read() == ""
            return types.PromptResponse(stop_reason="end_turn")
        for _ in range(1_000_000):
            await session.text("x" * 100)
        return types.PromptResponse(stop_reason="end_turn")

asyncio.run(serve(Flood(info=types.Implementation(name="flood", version="1"))))
"""


class Editor(Client):
    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise AssertionError


class Slow(Agent):
    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        session = context.peer.session(params.session_id)
        if params.prompt[0].text == "wrong":
            diff: Any = {"type": "diff", "path": "/a", "new_text": "x"}
            async with session.tool_call("Edit", content=[diff]):
                pass
        await session.text("done")
        return types.PromptResponse(stop_reason="end_turn")


class Users(unittest.IsolatedAsyncioTestCase):
    async def test_a_wrong_part_of_an_update_is_an_error(self) -> None:
        seen: list[BaseException] = []

        class Watched(Slow):
            def on_error(self, error: BaseException, method: str | None) -> None:
                seen.append(error)

        async with connect_in_memory(Watched(info=INFO), Editor(info=INFO)) as agent:
            with self.assertRaises(RpcError):
                await (await agent.new_session("/")).prompt("wrong")
        [error] = seen
        assert isinstance(error, InvalidValueError)
        self.assertIn("/update/content/0/newText", str(error))

    async def test_a_role_without_its_constructor_is_an_error_at_once(self) -> None:
        class Bare(Slow):
            def __init__(self) -> None:
                pass

        class BareEditor(Editor):
            def __init__(self) -> None:
                pass

        for agent, client in (
            (Bare(), Editor(info=INFO)),
            (Slow(info=INFO), BareEditor()),
        ):
            with self.assertRaisesRegex(TypeError, r"call super\(\).__init__"):
                async with connect_in_memory(agent, client):
                    pass

    async def test_children_of_an_agent_do_not_read_its_messages(self) -> None:
        async with spawn_agent(Editor(info=INFO), sys.executable, "-c", AGENT) as agent:
            turn = (await agent.new_session("/")).prompt("child")
            self.assertEqual((await turn).stop_reason, "end_turn")
