"""What users have met: cancelling at once, wrong updates, agents that stream without end."""

from __future__ import annotations

import sys
import unittest
from typing import Any

from acp_bindings import InvalidValueError, RpcError, connect_in_memory, spawn_agent
from acp_bindings.v1 import Agent, Client
from acp_bindings.v1.mocks import MockAgent, MockClient

AGENT = """
import asyncio, subprocess, sys
from acp_bindings import serve
from acp_bindings.v1.mocks import MockAgent

async def prompt(params, context):
    assert subprocess.run(["cat"], stdout=subprocess.PIPE, timeout=5).stdout == b""
    assert sys.stdin.read() == ""
    return {"stopReason": "end_turn"}

asyncio.run(serve(MockAgent(session_prompt=prompt)))
"""


class Users(unittest.IsolatedAsyncioTestCase):
    async def test_a_wrong_part_of_an_update_is_an_error(self) -> None:
        seen: list[BaseException] = []

        async def edit(params: Any, context: Any) -> Any:
            diff: Any = {"type": "diff", "path": "/a", "new_text": "x"}
            async with context.session.tool_call("Edit", content=[diff]):
                raise AssertionError

        agent = MockAgent(session_prompt=edit)
        agent.on_error = lambda error, method: seen.append(error)  # type: ignore[method-assign]
        async with connect_in_memory(agent, MockClient()) as peer:
            with self.assertRaises(RpcError):
                await (await peer.new_session("/")).prompt("wrong")
        [error] = seen
        assert isinstance(error, InvalidValueError)
        self.assertIn("/update/content/0/newText", str(error))

    async def test_a_role_without_its_constructor_is_an_error_at_once(self) -> None:
        class Bare(Agent):
            session_new = session_prompt = None  # type: ignore[assignment]

            def __init__(self) -> None:
                pass

        class BareEditor(Client):
            session_request_permission = None  # type: ignore[assignment]

            def __init__(self) -> None:
                pass

        for agent, client in (
            (Bare(), MockClient()),
            (MockAgent(), BareEditor()),
        ):
            with self.assertRaisesRegex(TypeError, r"call super\(\).__init__"):
                async with connect_in_memory(agent, client):
                    pass

    async def test_children_of_an_agent_do_not_read_its_messages(self) -> None:
        async with spawn_agent(MockClient(), sys.executable, "-c", AGENT) as agent:
            turn = (await agent.new_session("/")).prompt("child")
            self.assertEqual((await turn).stop_reason, "end_turn")
