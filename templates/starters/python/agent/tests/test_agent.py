"""Tests in memory, against a client with a scripted user."""

import unittest
from typing import Any

from acp_bindings import connect_in_memory
from acp_bindings.v1 import types
from acp_bindings.v1.mocks import MockClient

from echo_agent.agent import create_agent


class EchoAgentTest(unittest.IsolatedAsyncioTestCase):
    async def test_it_echoes_the_prompt(self) -> None:
        async with connect_in_memory(create_agent(), MockClient()) as agent:
            session = await agent.new_session("/")
            result = await session.prompt("Hello")
            self.assertEqual(result.stop_reason, "end_turn")
            self.assertEqual(session.state.messages[-1].text, "Hello")

    async def test_it_asks_before_it_writes_a_file(self) -> None:
        for answer, status, writes in (("allow_once", "completed", 1), ("reject_once", "failed", 0)):
            client = MockClient("all", permission=answer, fs_read_text_file=read_file)
            async with connect_in_memory(create_agent(), client) as agent:
                session = await agent.new_session("/")
                await session.prompt("Note this in /notes.txt")
                (call,) = session.state.tool_calls.values()
                self.assertEqual(call.status, status)
            self.assertEqual(len(client.params_of("fs/write_text_file")), writes)


def read_file(params: Any, context: Any) -> types.ReadTextFileResponse:
    return types.ReadTextFileResponse(content="first line\n")


if __name__ == "__main__":
    unittest.main()
