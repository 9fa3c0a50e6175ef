"""Tests in memory, against a client with a scripted user."""

import unittest
from typing import Any

from echo_agent.acp import RpcError, connect_in_memory
from echo_agent.acp.v1 import types
from echo_agent.acp.v1.mocks import MockClient
from echo_agent.agent import create_agent

PROMPT = [
    types.ContentBlockText(text="second"),
    types.ContentBlockResourceLink(name="notes.txt", uri="file:///notes.txt"),
]


class EchoAgentTest(unittest.IsolatedAsyncioTestCase):
    async def test_it_repeats_the_prompt(self) -> None:
        async with connect_in_memory(create_agent(), MockClient()) as agent:
            session = await agent.new_session("/")
            result = await session.prompt("Hello, old friend")
            self.assertEqual(result.stop_reason, "end_turn")
            self.assertEqual(session.state.messages[-1].text, "Hello, old friend")

    async def test_a_file_is_edited_if_the_user_allows_it(self) -> None:
        for answer, written in (("allow_once", ["first\nsecond\n"]), ("reject_once", [])):
            client = MockClient("all", permission=answer, fs_read_text_file=read_file)
            status = await status_of_edit(client)
            self.assertEqual(status, "completed" if written else "failed")
            writes = client.params_of("fs/write_text_file")
            self.assertEqual([one.content for one in writes], written)

    async def test_an_edit_fails_without_its_file_and_the_turn_does_not(self) -> None:
        for client in (MockClient(), MockClient("all", fs_read_text_file=find_nothing)):
            self.assertEqual(await status_of_edit(client), "failed")

    async def test_a_cancelled_turn_ends_as_cancelled(self) -> None:
        async with connect_in_memory(create_agent(), MockClient()) as agent:
            turn = (await agent.new_session("/")).prompt("word " * 500)
            await turn.cancel()
            self.assertEqual((await turn).stop_reason, "cancelled")


async def status_of_edit(client: MockClient) -> object:
    """Returns the status of the tool call of a turn that ends well."""
    async with connect_in_memory(create_agent(), client) as agent:
        session = await agent.new_session("/")
        assert (await session.prompt(PROMPT)).stop_reason == "end_turn"
        (call,) = session.state.tool_calls.values()
        return call.status


def read_file(params: Any, context: Any) -> types.ReadTextFileResponse:
    return types.ReadTextFileResponse(content="first")


def find_nothing(params: Any, context: Any) -> types.ReadTextFileResponse:
    raise RpcError.resource_not_found(f"file://{params.path}")


if __name__ == "__main__":
    unittest.main()
