"""The ends of turns and connections, and the handlers that still run then."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from acp_bindings.v1 import Client, types
from scripted_agent import ScriptedAgent, scripted, text
from virtual_time import in_virtual_time

INFO = types.Implementation(name="test", version="1")
END = {"stopReason": "end_turn"}


class Slow(Client):
    """Takes a second for each update, or what a test gives it."""

    def __init__(self) -> None:
        super().__init__(info=INFO)
        self.log: list[str] = []
        self.work: Callable[[Any], Any] = lambda _: asyncio.sleep(1)

    async def session_update(self, params: Any, context: Any) -> None:
        name = params.update.content.text
        self.log.append(f"{name} begins")
        try:
            await self.work(context)
        except asyncio.CancelledError:
            self.log.append(f"{name} is cancelled")
            raise
        self.log.append(f"{name} ends")

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        self.log.append("asked")
        return {"outcome": {"outcome": "cancelled"}}

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.log.append(str(error))


class Turn:
    """A client in a turn, with three updates and what ends it."""

    def __init__(self, agent: ScriptedAgent, peer: Any, session: Any) -> None:
        self.agent = agent
        self.peer = peer
        self.session = session

    async def prompt(self, end: Any = None, **more: Any) -> Any:
        """Prompts; the agent sends its updates, and ends the turn if told how."""
        turn = self.session.prompt("go")
        self.id = (await self.agent.request("session/prompt"))["id"]
        self.agent.send(*[self.agent.update(text(one)) for one in "abc"])
        if end is not None:
            self.agent.send({"id": self.id, **end})
        return turn


@asynccontextmanager
async def opened(client: Client) -> AsyncGenerator[Turn, None]:
    capabilities = {"sessionCapabilities": {"close": {}}}
    initialize = {"protocolVersion": 1, "agentCapabilities": capabilities}
    async with scripted(client, initialize) as parts:
        yield Turn(*parts)


class Connections(unittest.TestCase):
    @in_virtual_time
    async def test_a_connection_has_ended_when_its_handlers_have(self) -> None:
        async def clean_up(_: Any) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.5)

        client = Slow()
        client.work = clean_up
        async with opened(client) as made:
            await made.prompt()
            await asyncio.sleep(0.1)
        self.assertEqual(client.log, ["a begins", "a is cancelled"])
        self.assertEqual(asyncio.get_running_loop().time(), 0.6)


class Outcome(BaseException):
    """What a test framework raises to end a test."""


class Handlers(unittest.TestCase):
    @in_virtual_time
    async def test_an_error_that_is_no_exception_settles_what_it_ends(self) -> None:
        async def fail(_: Any) -> None:
            await asyncio.sleep(delay)
            raise Outcome("over")

        for delay in (0, 1):

            class Failing(Slow):
                async def session_request_permission(
                    self, params: Any, context: Any
                ) -> Any:
                    await fail(context)

            client = Failing()
            client.work = fail
            async with opened(client) as made:
                turn = await made.prompt()
                question = {"sessionId": "s", "toolCall": {"toolCallId": "t"}}
                made.agent.send(
                    {
                        "id": "q",
                        "method": "session/request_permission",
                        "params": {**question, "options": []},
                    },
                )
                self.assertEqual((await made.agent.receive())["error"]["code"], -32603)
                made.agent.send({"id": made.id, "result": END})
                await turn
            begun = ["a begins", "over", "b begins", "over", "c begins", "over"]
            self.assertEqual(client.log, [*begun, "over"])


class LateAnswers(unittest.TestCase):
    @in_virtual_time
    async def test_a_call_that_is_cancelled_with_its_answer_closes_the_session(
        self,
    ) -> None:
        async with opened(Slow()) as made:
            call = asyncio.ensure_future(made.peer.new_session("/"))
            own_id = (await made.agent.request("session/new"))["id"]
            made.agent.send({"id": own_id, "result": {"sessionId": "late"}})
            while not call.cancelled():
                await asyncio.sleep(0)
                call.cancel()
            close = await made.agent.request("session/close")
            self.assertEqual(close["params"], {"sessionId": "late"})
            made.agent.send({"id": close["id"], "result": {}})
