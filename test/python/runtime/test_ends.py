"""The ends of turns and connections, and the handlers that still run then."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Callable
from typing import Any

from acp_bindings.v1 import Client, types
from scripted_agent import ScriptedAgent, scripted, text
from virtual_time import in_virtual_time

INFO = types.Implementation(name="test", version="1")


class Working(Client):
    """Does for each update and question what a test gives it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(info=INFO)
        self.log: list[str] = []
        self.work = work

    async def session_update(self, params: Any, context: Any) -> None:
        name = params.update.content.text
        self.log.append(f"{name} begins")
        try:
            await self.work()
        except asyncio.CancelledError:
            self.log.append(f"{name} is cancelled")
            raise

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        await self.work()

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.log.append(str(error))


def opened(client: Client) -> Any:
    capabilities = {"sessionCapabilities": {"close": {}}}
    return scripted(client, {"protocolVersion": 1, "agentCapabilities": capabilities})


async def prompt(agent: ScriptedAgent, session: Any) -> tuple[Any, Any]:
    """Starts a turn with three updates. Returns it and the id of its request."""
    turn = session.prompt("go")
    own_id = (await agent.request("session/prompt"))["id"]
    agent.send(*[agent.update(text(one)) for one in "abc"])
    return turn, own_id


class Ends(unittest.TestCase):
    @in_virtual_time
    async def test_a_connection_has_ended_when_its_handlers_have(self) -> None:
        async def clean_up() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.5)

        client = Working(clean_up)
        async with opened(client) as (agent, _, session):
            await prompt(agent, session)
            await asyncio.sleep(0.1)
        self.assertEqual(client.log, ["a begins", "a is cancelled"])
        self.assertEqual(asyncio.get_running_loop().time(), 0.6)

    @in_virtual_time
    async def test_an_error_that_is_no_exception_settles_what_it_ends(self) -> None:
        class Outcome(BaseException):
            """What a test framework raises to end a test."""

        async def fail() -> None:
            await asyncio.sleep(delay)
            raise Outcome("over")

        question = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": []}
        call = {"id": "q", "method": "session/request_permission", "params": question}
        for delay in (0, 1):
            client = Working(fail)
            async with opened(client) as (agent, _, session):
                turn, own_id = await prompt(agent, session)
                agent.send(call)
                self.assertEqual((await agent.receive())["error"]["code"], -32603)
                agent.send({"id": own_id, "result": {"stopReason": "end_turn"}})
                await turn
            begun = ["a begins", "over", "b begins", "over", "c begins", "over"]
            self.assertEqual(client.log, [*begun, "over"])

    @in_virtual_time
    async def test_a_call_that_is_cancelled_with_its_answer_closes_the_session(
        self,
    ) -> None:
        async with opened(Working(asyncio.Event().wait)) as (agent, peer, _):
            call = asyncio.ensure_future(peer.new_session("/"))
            own_id = (await agent.request("session/new"))["id"]
            agent.send({"id": own_id, "result": {"sessionId": "late"}})
            while not call.cancelled():
                await asyncio.sleep(0)
                call.cancel()
            close = await agent.request("session/close")
            self.assertEqual(close["params"], {"sessionId": "late"})
            agent.send({"id": close["id"], "result": {}})
