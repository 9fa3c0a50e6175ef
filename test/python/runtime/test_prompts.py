"""Prompts: what comes before and after their responses, and what a busy session does."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

from acp_bindings import (
    RpcError,
    connect_in_memory,
    memory_streams,
    serve,
    v2,
)
from acp_bindings.v1 import Agent, Client, types

INFO = types.Implementation(name="test", version="1")
INFO2 = v2.types.Implementation(name="test", version="1")


class Counter(Agent):
    """Counts in updates; a prompt with another text than a number waits to be cancelled."""

    def __init__(self) -> None:
        super().__init__(info=INFO)
        self.log: list[str] = []

    async def session_new(self, params: Any, context: Any) -> Any:
        context.after_response(lambda: self.log.append("first"))
        context.after_response(lambda: context.peer.session("s").text("after"))
        context.after_response(lambda: self.log.append("last"))
        return {"sessionId": "s"}

    async def session_prompt(self, params: Any, context: Any) -> Any:
        text = params.prompt[0].text
        self.log.append(f"{text} starts")
        if text == "fail":
            context.after_response(lambda: self.log.append("never"))
            raise RpcError.internal("No")
        if not text.isdigit():
            await asyncio.sleep(60)
        for number in range(int(text)):
            await context.session.text(str(number))
        return {"stopReason": "end_turn"}


class Watching(Client):
    """Handles updates with a function."""

    def __init__(self, work: Any = None) -> None:
        super().__init__(info=INFO)
        self.seen: list[str] = []
        self.work = work

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise AssertionError

    async def session_update(self, params: Any, context: Any) -> None:
        text = params.update.content.text
        if self.work is not None:
            await self.work(text, context)
        self.seen.append(text)


class Barrier(unittest.IsolatedAsyncioTestCase):
    async def test_a_question_comes_after_the_updates_before_it(
        self,
    ) -> None:
        class Asking(Counter):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                await context.session.text("1")
                question = {
                    "sessionId": "s",
                    "toolCall": {"toolCallId": "t"},
                    "options": [],
                }
                await context.peer.session_request_permission(question)
                return {"stopReason": "end_turn"}

        class Answering(Watching):
            async def session_request_permission(
                self, params: Any, context: Any
            ) -> Any:
                self.seen.append("question")
                return {"outcome": {"outcome": "cancelled"}}

        client = Answering()
        async with connect_in_memory(Asking(), client) as peer:
            await peer.session("s").prompt("go")
            self.assertEqual(client.seen, ["1", "question"])


class AfterResponse(unittest.IsolatedAsyncioTestCase):
    async def test_functions_run_in_order_right_after_a_result(self) -> None:
        seen: list[str] = []

        async def work(text: str, context: Any) -> None:
            seen.append(text)

        agent = Counter()
        async with connect_in_memory(agent, Watching(work)) as peer:
            session = await peer.new_session("/")
            # The update comes after the answer, whose caller has continued.
            self.assertEqual((seen, agent.log), ([], ["first", "last"]))
            with self.assertRaisesRegex(RpcError, "No"):
                await session.prompt("fail")
            await session.prompt("1")
            self.assertEqual(seen, ["after", "0"])
        self.assertNotIn("never", agent.log)

    async def test_an_async_function_starts_before_the_next_message(self) -> None:
        class Opening(Counter):
            async def session_new(self, params: Any, context: Any) -> Any:
                async def later() -> None:
                    self.log.append("later")

                context.after_response(later)
                await asyncio.sleep(0)
                return {"sessionId": "s"}

            async def session_cancel(self, params: Any, context: Any) -> None:
                self.log.append("cancel")

        agent = Opening()
        wire = Wire(agent)
        await wire.start()
        wire.send(2, "session/new", {"cwd": "/", "mcpServers": []})
        await wire.next()
        wire.send(None, "session/cancel", {"sessionId": "s"})
        await wire.end()
        self.assertEqual(agent.log, ["later", "cancel"])


class Wire:
    """The far end of an agent."""

    def __init__(self, agent: Any) -> None:
        self.stream, there = memory_streams()
        self.serving = asyncio.ensure_future(serve(agent, there))

    def send(self, own_id: Any, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": own_id, "method": method, "params": params}
        if own_id is None:
            del message["id"]
        self.stream.write(json.dumps(message).encode() + b"\n")

    def prompt(self, own_id: int, text: str) -> None:
        content = [{"type": "text", "text": text}]
        self.send(own_id, "session/prompt", {"sessionId": "s", "prompt": content})

    async def next(self) -> Any:
        data = await asyncio.wait_for(self.stream.read(), 5)
        return json.loads(data) if data else None

    async def start(self, version: int = 1) -> None:
        own = {"capabilities": {}, "info": {"name": "t", "version": "1"}}
        more = {"clientCapabilities": {}} if version == 1 else own
        self.send(1, "initialize", {"protocolVersion": version, **more})
        await self.next()

    async def end(self) -> list[Any]:
        """Ends the input. Returns what comes until the agent has ended."""
        self.stream._outgoing.put_nowait(b"")
        rest = []
        while (message := await self.next()) is not None:
            rest.append(message)
        await self.serving
        return rest


class Busy(unittest.IsolatedAsyncioTestCase):
    async def prompts(self, choice: str) -> tuple[list[Any], list[str]]:
        """Prompts twice, cancels and prompts again. Returns the answers and the starts."""
        agent = Counter()
        agent.while_busy = choice  # type: ignore[assignment]
        agent.log.clear()
        wire = Wire(agent)
        await wire.start()
        wire.prompt(2, "a")
        wire.prompt(3, "b")
        for _ in range(20):
            await asyncio.sleep(0)
        log = list(agent.log)
        wire.send(None, "session/cancel", {"sessionId": "s"})
        wire.prompt(4, "1")
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
        class Agent2(v2.Agent):
            while_busy = "refuse"

            async def session_new(self, params: Any, context: Any) -> Any: ...
            async def session_prompt(self, params: Any, context: Any) -> Any:
                async def work(turn: Any) -> None:
                    await asyncio.sleep(60)

                return await context.session.start_turn(work)

            async def session_list(self, params: Any, context: Any) -> Any: ...
            async def session_resume(self, params: Any, context: Any) -> Any: ...
            async def session_close(self, params: Any, context: Any) -> Any: ...

        wire = Wire(Agent2(info=INFO2))
        await wire.start(2)
        wire.prompt(2, "a")
        while (message := await wire.next()).get("id") != 2:
            pass
        self.assertIn("result", message)
        wire.prompt(3, "b")
        while (message := await wire.next()).get("id") != 3:
            pass
        self.assertEqual(message["error"]["code"], -32600)
        await wire.end()

    async def test_a_choice_that_does_not_exist_is_an_error_at_once(self) -> None:
        class Misspelt(Counter):
            while_busy = "queu"  # type: ignore[assignment]

        with self.assertRaisesRegex(ValueError, 'did you mean "queue"'):
            Misspelt()


class Ends(unittest.IsolatedAsyncioTestCase):
    async def test_a_request_without_an_id_is_reported(self) -> None:
        agent = Counter()
        errors: list[str] = []
        agent.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        wire = Wire(agent)
        await wire.start()
        wire.send(None, "session/new", {"cwd": "/", "mcpServers": []})
        self.assertEqual(await wire.end(), [])
        self.assertEqual(
            errors, ["received `session/new` without an id: it is a request"]
        )

    async def test_an_absent_info_is_left_out(self) -> None:
        class Bare(Counter):
            def __init__(self) -> None:
                Agent.__init__(self, info=None)
                self.log = []

        wire = Wire(Bare())
        wire.send(1, "initialize", {"protocolVersion": 1})
        self.assertNotIn("agentInfo", (await wire.next())["result"])
        await wire.end()


if __name__ == "__main__":
    unittest.main()
