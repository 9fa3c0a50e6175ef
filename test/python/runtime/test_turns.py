"""Turns: what ends them, on the sides of the client and of the agent."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import tracemalloc
import unittest
from collections import deque
from typing import Any

from acp_bindings import (
    AcpError,
    Limits,
    RequestTimeoutError,
    RpcError,
    connect_in_memory,
)
from acp_bindings.v1 import types
from acp_bindings.v1.mocks import MockAgent, MockClient
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from acp_bindings.v2.mocks import MockClient as MockClient2
from scripted_agent import scripted


class Turns(unittest.IsolatedAsyncioTestCase):
    async def test_a_call_of_a_prompt_that_is_given_up_ends_the_turn(self) -> None:
        async def wait(params: Any, context: Any) -> Any:
            await asyncio.Event().wait()

        role = MockAgent(session_prompt=wait, session_cancel=lambda *_: None)
        async with connect_in_memory(role, MockClient()) as agent:
            session = await agent.new_session("/")
            prompt = types.PromptRequest(session_id=session.id, prompt=[])
            with self.assertRaises(RequestTimeoutError):
                await agent.session_prompt(prompt, timeout=0.02)
            call = asyncio.ensure_future(agent.session_prompt(prompt))
            await asyncio.sleep(0.02)
            call.cancel()
            await agent.new_session("/")
            with self.assertRaises(RequestTimeoutError):
                await session.prompt("Hi", timeout=0.02)
            await asyncio.sleep(0.02)
        cancelled = [one.session_id for one in role.params_of("session/cancel")]
        self.assertEqual(cancelled, [session.id] * 3)

    async def test_an_agent_that_does_not_stop_fails_the_turn(self) -> None:
        async def ignore(params: Any, context: Any) -> Any:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            await asyncio.Event().wait()

        client = MockClient()
        client.limits = Limits(cancel_grace=0.05)
        async with connect_in_memory(MockAgent(session_prompt=ignore), client) as peer:
            turn = (await peer.new_session("/")).prompt("Hi")
            await turn.cancel()
            with self.assertRaisesRegex(RequestTimeoutError, "of its cancellation"):
                await turn


class OnTheWire(unittest.IsolatedAsyncioTestCase):
    """Turns of version 1, as the messages of an agent end them."""

    def connected(self) -> Any:
        initialize = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}
        client = MockClient()
        client.calls = deque(maxlen=0)  # type: ignore[assignment]
        return scripted(client, initialize)

    async def test_updates_are_kept_only_for_loops(self) -> None:
        async with self.connected() as (agent, _, session):
            turn = session.prompt("Hi")
            _ = turn.__aiter__()
            number = (await agent.request("session/prompt"))["id"]
            del _
            gc.collect()
            tracemalloc.start()
            for index in range(40):
                call = {"sessionUpdate": "tool_call_update", "toolCallId": "t"}
                content = {"type": "text", "text": str(index % 10) * 500_000}
                wrapped = [{"type": "content", "content": content}]
                agent.send(agent.update({**call, "content": wrapped}))
                await asyncio.sleep(0)
            agent.send({"id": number, "result": {"stopReason": "end_turn"}})
            await turn
            kept, _peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            self.assertLess(kept, 5_000_000)

    async def test_a_turn_tells_how_a_task_takes_it(self) -> None:
        async with self.connected() as (agent, _, session):
            turn = session.prompt("Hi")
            with self.assertRaisesRegex(TypeError, r"pass turn\.wait\(\)"):
                asyncio.create_task(turn)  # type: ignore[arg-type]
            task = asyncio.create_task(turn.wait())
            number = (await agent.request("session/prompt"))["id"]
            agent.send({"id": number, "result": {"stopReason": "end_turn"}})
            self.assertEqual((await task).stop_reason, "end_turn")
            self.assertEqual([one async for one in turn], [])
            self.assertEqual(repr(turn), "<Turn of session 's', ended>")
            self.assertEqual(repr(session), "<Session 's'>")


class Turns2(unittest.IsolatedAsyncioTestCase):
    async def test_an_end_that_cannot_be_sent_fails_the_turn(self) -> None:
        errors: list[str] = []

        async def prompt(params: Any, context: Any) -> Any:
            async def work(session: Any) -> str:
                if params.prompt[0].text == "data":
                    raise RpcError.internal("no", {1, 2})
                return "end turn"

            return await context.session.start_turn(work)

        role = MockAgent2(session_prompt=prompt)
        role.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        async with connect_in_memory(role, MockClient2()) as agent:
            session = await agent.new_session("/")
            for text in ("misspell", "data"):
                end = await asyncio.wait_for(session.prompt(text), 5)
                self.assertEqual(end.update.error.message, "Internal error")
        self.assertIn('found "end turn"', errors[0])
        self.assertIn("/update/error/data: expected a JSON value", errors[1])

    async def test_an_answered_turn_fails_when_its_session_closes(self) -> None:
        initialize = {
            "protocolVersion": 2,
            "info": {"name": "a", "version": "1"},
            "capabilities": {"session": {}},
        }
        async with scripted(MockClient2(), initialize) as (agent, peer, session):
            turn = session.prompt("Hi")
            number = (await agent.request("session/prompt"))["id"]
            agent.send({"id": number, "result": {"messageId": "u1"}})
            closing = asyncio.ensure_future(session.close())
            number = (await agent.request("session/close"))["id"]
            agent.send({"id": number, "result": {}})
            await closing
            with self.assertRaisesRegex(AcpError, "closed before the turn had ended"):
                await asyncio.wait_for(turn, 5)
            with self.assertRaisesRegex(AcpError, "again with resume_session"):
                await session.prompt("Hi")
