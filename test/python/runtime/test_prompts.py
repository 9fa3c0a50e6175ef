"""Prompts of busy sessions, and what an agent reports."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

from acp_bindings.v1 import Agent, types
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from wire import Wire

INFO = types.Implementation(name="test", version="1")


class Counter(Agent):
    """Counts in updates; a prompt with another text than a number waits to be cancelled."""

    def __init__(self) -> None:
        super().__init__(info=INFO)
        self.log: list[str] = []

    async def session_new(self, params: Any, context: Any) -> Any:
        return {"sessionId": "s"}

    async def session_prompt(self, params: Any, context: Any) -> Any:
        text = params.prompt[0].text
        self.log.append(f"{text} starts")
        if not text.isdigit():
            await asyncio.sleep(60)
        for number in range(int(text)):
            await context.session.text(str(number))
        return {"stopReason": "end_turn"}


def prompt(wire: Wire, own_id: int, text: str) -> None:
    content = [{"type": "text", "text": text}]
    wire.call(own_id, "session/prompt", {"sessionId": "s", "prompt": content})


class Busy(unittest.IsolatedAsyncioTestCase):
    async def prompts(self, choice: str) -> tuple[list[Any], list[str]]:
        """Prompts twice, cancels and prompts again. Returns the answers and the starts."""
        agent = Counter()
        agent.while_busy = choice  # type: ignore[assignment]
        agent.log.clear()
        wire = Wire(agent)
        await wire.start()
        prompt(wire, 2, "a")
        prompt(wire, 3, "b")
        for _ in range(20):
            await asyncio.sleep(0)
        log = list(agent.log)
        wire.call(None, "session/cancel", {"sessionId": "s"})
        prompt(wire, 4, "1")
        rest = [one for one in await wire.end() if "id" in one]
        rest.sort(key=lambda one: one["id"])
        return [one.get("result", one.get("error")) for one in rest], log

    async def test_a_prompt_of_a_busy_session_runs_waits_or_is_refused(self) -> None:
        cancelled, end = {"stopReason": "cancelled"}, {"stopReason": "end_turn"}
        answers, log = await self.prompts("parallel")
        self.assertEqual(
            (answers, log), ([cancelled, cancelled, end], ["a starts", "b starts"])
        )
        answers, log = await self.prompts("queue")
        self.assertEqual((answers, log), ([cancelled, cancelled, end], ["a starts"]))
        answers, log = await self.prompts("refuse")
        self.assertEqual(answers[0], cancelled)
        self.assertEqual(answers[1]["code"], -32600)
        self.assertRegex(answers[1]["message"], "^The session is busy")
        self.assertEqual(log, ["a starts"])

    async def test_a_session_with_a_turn_is_busy_in_version_2(self) -> None:
        async def work(params: Any, context: Any) -> Any:
            return await context.session.start_turn(lambda _: asyncio.sleep(60))

        agent = MockAgent2(session_prompt=work)
        agent.while_busy = "refuse"
        wire = Wire(agent)
        await wire.start(2)
        prompt(wire, 2, "a")
        while (message := await wire.next()).get("id") != 2:
            pass
        self.assertIn("result", message)
        prompt(wire, 3, "b")
        while (message := await wire.next()).get("id") != 3:
            pass
        self.assertEqual(message["error"]["code"], -32600)
        await wire.end()


class Ends(unittest.IsolatedAsyncioTestCase):
    async def test_a_request_without_an_id_is_reported(self) -> None:
        agent = Counter()
        errors: list[str] = []
        agent.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        wire = Wire(agent)
        await wire.start()
        wire.call(None, "session/new", {"cwd": "/", "mcpServers": []})
        self.assertEqual(await wire.end(), [])
        self.assertEqual(
            errors, ["session/new is a request, but came without an id and was ignored"]
        )

    async def test_an_exception_of_a_listener_ends_nothing(self) -> None:
        def raises(*given: Any) -> None:
            raise ValueError(len(given))

        agent = Counter()
        agent.on_error = agent.on_notes = raises  # type: ignore[method-assign]
        wire = Wire(agent)
        with self.assertLogs("acp_bindings", "ERROR") as logged:
            await wire.start()
            hello = {"protocolVersion": 1, "clientCapabilities": 5}
            wire.call(5, "initialize", hello)
            message = await wire.next()
            self.assertEqual((message["id"], "result" in message), (5, True))
            await wire.end()
        self.assertEqual(
            [line[:30] for line in logged.output], ["ERROR:acp_bindings:on_error fa"]
        )
