"""Agents and clients under what runs asyncio: uvloop, anyio, Textual."""

from __future__ import annotations

import importlib.util
import sys
import unittest
from typing import Any

from acp_bindings import spawn_agent
from acp_bindings.v1.mocks import MockClient

AGENT = """
import asyncio, sys
from acp_bindings import serve
from acp_bindings.v1 import Agent, types

class Slow(Agent):
    async def session_new(self, params, context):
        return types.NewSessionResponse(session_id="1")

    async def session_prompt(self, params, context):
        for number in range(3):
            await context.session.text(str(number))
        if params.prompt[0].text == "wait":
            await asyncio.sleep(60)
        return types.PromptResponse(stop_reason="end_turn")

served = serve(Slow(info=types.Implementation(name="slow", version="1")))
if sys.argv[1:] == ["uvloop"]:
    import uvloop
    uvloop.run(served)
else:
    asyncio.run(served)
"""


def needs(name: str) -> Any:
    found = importlib.util.find_spec(name)
    return unittest.skipUnless(found, f"{name} is not installed")


async def converse(*arguments: str) -> list[str]:
    """Takes a turn. Returns the texts of its updates, and its end."""
    async with spawn_agent(
        MockClient(), sys.executable, "-c", AGENT, *arguments
    ) as agent:
        turn = (await agent.new_session("/")).prompt("x")
        texts = [update.content.text async for update in turn]  # type: ignore[union-attr]
        return [*texts, (await turn).stop_reason]


WANTED = ["0", "1", "2", "end_turn"]


class Loops(unittest.TestCase):
    @needs("uvloop")
    def test_both_sides_run_on_uvloop(self) -> None:
        import uvloop

        self.assertEqual(uvloop.run(converse("uvloop")), WANTED)

    @needs("anyio")
    def test_a_cancel_scope_of_anyio_ends_a_turn(self) -> None:
        import anyio

        async def main() -> list[str]:
            async with spawn_agent(MockClient(), sys.executable, "-c", AGENT) as agent:
                session = await agent.new_session("/")
                with anyio.move_on_after(0.3) as scope:
                    await session.prompt("wait")
                self.assertTrue(scope.cancelled_caught)
                ends: list[str] = []

                async def prompt() -> None:
                    ends.append((await session.prompt("x")).stop_reason)

                async with anyio.create_task_group() as group:
                    group.start_soon(prompt)
                    group.start_soon(prompt)
                return ends

        self.assertEqual(anyio.run(main), ["end_turn", "end_turn"])

    @needs("textual")
    def test_an_application_of_textual_talks_in_a_worker(self) -> None:
        from textual.app import App

        class Chat(App[None]):
            shown: list[str] = []

            def on_mount(self) -> None:
                self.run_worker(self.talk())

            async def talk(self) -> None:
                self.shown.extend(await converse())
                self.exit()

        app = Chat()
        app.run(headless=True)
        self.assertEqual(app.shown, WANTED)
