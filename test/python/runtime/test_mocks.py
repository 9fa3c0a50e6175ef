"""Mocks: what they answer, record and advertise."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Callable
from typing import Any

from acp_bindings import CapabilityError, RpcError, connect_in_memory
from acp_bindings.v1 import types
from acp_bindings.v1.mocks import MockAgent, MockClient
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from acp_bindings.v2.mocks import MockClient as MockClient2

BARE = set(
    "notice compaction_update compaction_summary_chunk plan_update plan_removed "
    "subagent_update session_message session_message_chunk".split()
)


class Mocks(unittest.IsolatedAsyncioTestCase):
    async def test_a_prompt_gets_every_update_that_the_client_supports(self) -> None:
        for capabilities, missing in (("all", set[str]()), ("none", BARE)):
            client = MockClient(capabilities)
            async with connect_in_memory(MockAgent(), client) as agent:
                session = await agent.new_session("/")
                kinds = [one.session_update async for one in session.prompt("Hi")]
            every = {update["sessionUpdate"] for update in MockAgent.UPDATES}
            self.assertEqual(set(kinds), every - missing)
            self.assertEqual(len(client.params_of("session/update")), len(kinds))

    async def test_a_mock_without_capabilities_has_sessions_and_prompts(self) -> None:
        mock = MockAgent()
        async with connect_in_memory(mock, MockClient()) as agent:
            await agent.new_session("/")
            load = types.LoadSessionRequest(session_id="s", cwd="/", mcp_servers=[])
            with self.assertRaises(CapabilityError):
                await agent.session_load(load)
        self.assertEqual([call.method for call in mock.calls], ["session/new"])

    async def test_a_mock_with_all_capabilities_answers_every_request(self) -> None:
        async with connect_in_memory(MockAgent("all"), MockClient("all")) as agent:
            load = types.LoadSessionRequest(session_id="s", cwd="/", mcp_servers=[])
            self.assertIsNotNone((await agent.session_load(load)).modes)
            listed = await agent.session_list(types.ListSessionsRequest())
            self.assertEqual(len(listed.sessions), 1)
            await agent.logout(types.LogoutRequest())

    def test_options_that_do_not_exist_are_refused(self) -> None:
        wrong: Any = "alll"
        makes: list[tuple[str, Callable[[], Any]]] = [
            (
                r'session_lode \(did you mean "session_load"',
                lambda: MockAgent(session_lode=print),
            ),
            (
                r'"none", "all" or an object .* \(did you mean "all"',
                lambda: MockClient(wrong),
            ),
            (
                "cancel.* or the content of a form",
                lambda: MockClient(elicitation=wrong),
            ),
            ("fs/read is not a method", lambda: MockClient().params_of("fs/read")),
        ]
        for message, make in makes:
            with self.assertRaisesRegex((TypeError, ValueError), message):
                make()

    async def test_the_user_of_a_mock_client_answers_as_scripted(self) -> None:
        answers: list[Any] = []

        async def prompt(params: Any, context: Any) -> Any:
            session = context.peer.session(params.session_id)
            async with session.tool_call("Save") as call:
                for _ in range(3):
                    answers.append(await call.ask("Save?"))
                with self.assertRaisesRegex(RpcError, "no answer left"):
                    await call.ask("Save?")
            return types.PromptResponse(stop_reason="end_turn")

        client = MockClient(permission=["allow_once", "reject", "cancelled"])
        async with connect_in_memory(MockAgent(session_prompt=prompt), client) as agent:
            await (await agent.new_session("/")).prompt("Hi")
        self.assertEqual(
            [one and one.option_id for one in answers], ["allow", None, None]
        )
        self.assertEqual(len(client.params_of("session/request_permission")), 4)

    async def test_a_turn_of_version_2_ends_idle_and_can_be_cancelled(self) -> None:
        mock = MockAgent2("all")
        async with connect_in_memory(mock, MockClient2("all")) as agent:
            session = await agent.new_session("/")
            kinds = [one.session_update async for one in session.prompt("Hi")]
            every = {update["sessionUpdate"] for update in MockAgent2.UPDATES}
            self.assertEqual(set(kinds), every - {"replay_complete"})
            turn = session.prompt("Hi")
            await asyncio.sleep(0)
            await turn.cancel()
            self.assertEqual((await turn).stop_reason, "cancelled")
            self.assertEqual(len(mock.params_of("session/prompt")), 2)
