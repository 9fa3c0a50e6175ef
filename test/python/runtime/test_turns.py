"""Turns: what ends them, on the sides of the client and of the agent."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import tracemalloc
import unittest
from typing import Any

from acp_bindings import (
    AcpError,
    Limits,
    RequestTimeoutError,
    RpcError,
    connect_in_memory,
    v2,
)
from acp_bindings.v1 import Agent, Client, types
from scripted_agent import scripted

INFO = types.Implementation(name="test", version="1")
INFO2 = v2.types.Implementation(name="test", version="1")


class Waiting(Agent):
    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        await asyncio.Event().wait()


class Stubborn(Waiting):
    async def session_prompt(self, params: Any, context: Any) -> Any:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()


class Editor(Client):
    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise AssertionError


class Turns(unittest.IsolatedAsyncioTestCase):
    async def test_a_call_of_a_prompt_that_is_given_up_ends_the_turn(self) -> None:
        class Ignoring(Waiting):
            def __init__(self) -> None:
                super().__init__(info=INFO)
                self.cancelled: list[str] = []

            async def session_cancel(self, params: Any, context: Any) -> None:
                self.cancelled.append(params.session_id)

        role = Ignoring()
        async with connect_in_memory(role, Editor(info=INFO)) as agent:
            await agent.new_session("/")
            prompt = types.PromptRequest(session_id="s", prompt=[])
            with self.assertRaises(RequestTimeoutError):
                await agent.session_prompt(prompt, timeout=0.02)
            call = asyncio.ensure_future(agent.session_prompt(prompt))
            await asyncio.sleep(0.02)
            call.cancel()
            turn = (await agent.new_session("/")).prompt("Hi", timeout=0.02)
            with self.assertRaises(RequestTimeoutError):
                await turn
            await asyncio.sleep(0.02)
        self.assertEqual(role.cancelled, ["s", "s", "s"])

    async def test_an_agent_that_does_not_stop_fails_the_turn(self) -> None:
        limits = Limits(cancel_grace=0.05)
        client = Editor(info=INFO, limits=limits)
        async with connect_in_memory(Stubborn(info=INFO), client) as peer:
            turn = (await peer.new_session("/")).prompt("Hi")
            await turn.cancel()
            with self.assertRaisesRegex(RequestTimeoutError, "of its cancellation"):
                await turn


class OnTheWire(unittest.IsolatedAsyncioTestCase):
    """Turns of version 1, as the messages of an agent end them."""

    def connected(self) -> Any:
        initialize = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}
        return scripted(Editor(info=INFO), initialize)

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


class Working(v2.Agent):
    """Works as its prompts say."""

    def __init__(self) -> None:
        super().__init__(info=INFO2)
        self.errors: list[str] = []

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.errors.append(str(error))

    async def session_new(self, params: Any, context: Any) -> Any:
        return v2.types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        text = params.prompt[0].text

        async def work(session: v2.AgentSession) -> str | None:
            await session.text(text)
            if text == "misspell":
                return "end turn"
            elif text == "data":
                raise RpcError.internal("no", {1, 2})
            return None

        return await context.session.start_turn(work)

    async def session_resume(self, params: Any, context: Any) -> Any:
        return v2.types.ResumeSessionResponse()

    async def session_list(self, params: Any, context: Any) -> Any:
        return v2.types.ListSessionsResponse(sessions=[])

    async def session_close(self, params: Any, context: Any) -> Any:
        return v2.types.CloseSessionResponse()


class Editor2(v2.Client):
    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise AssertionError


class Turns2(unittest.IsolatedAsyncioTestCase):
    async def test_an_end_that_cannot_be_sent_fails_the_turn(self) -> None:
        role = Working()
        async with connect_in_memory(role, Editor2(info=INFO2)) as agent:
            session = await agent.new_session("/")
            for text in ("misspell", "data"):
                end = await asyncio.wait_for(session.prompt(text), 5)
                self.assertEqual(end.update.error.message, "Internal error")
        self.assertIn('found "end turn"', role.errors[0])
        self.assertIn("not JSON serializable", role.errors[1])

    async def test_an_answered_turn_fails_when_its_session_closes(self) -> None:
        initialize = {
            "protocolVersion": 2,
            "info": {"name": "a", "version": "1"},
            "capabilities": {"session": {}},
        }
        async with scripted(Editor2(info=INFO2), initialize) as (agent, peer, session):
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
