"""Calls by name, results that lack members, typed updates and the starts of states."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

from acp_bindings import (
    CapabilityError,
    RpcError,
    connect,
    connect_in_memory,
    memory_streams,
)
from acp_bindings.v1 import Agent, types
from acp_bindings.v1.mocks import MockAgent, MockClient

INFO = types.Implementation(name="test", version="1")


class Editor(MockClient):
    notes: tuple[str, ...] = ()

    def on_notes(self, notes: Any, method: str) -> None:
        self.notes += tuple(one.reason for one in notes)


class Names(unittest.IsolatedAsyncioTestCase):
    async def test_every_method_can_be_called_by_its_name(self) -> None:
        async with connect_in_memory(MockAgent(), MockClient()) as agent:
            opened = await agent.request(
                "session/new", types.NewSessionRequest(cwd="/", mcp_servers=[])
            )
            self.assertIsInstance(opened, types.NewSessionResponse)
            same = await agent.request("session/new", {"cwd": "/", "mcpServers": []})
            self.assertEqual(same, opened)
            await agent.notify("session/cancel", {"sessionId": opened.session_id})
            with self.assertRaisesRegex(ValueError, "NewSessionRequest at /cwd"):
                await agent.request("session/new", {"cwd": 5})
            with self.assertRaisesRegex(TypeError, r'did you mean "session/new"\?'):
                await agent.request("sesion/new")
            with self.assertRaisesRegex(TypeError, "call_extension"):
                await agent.notify("session/set_model")
            bad = {"sessionId": 5}
            with self.assertRaisesRegex(TypeError, "session/prompt is a method of the"):
                await agent.call_extension("session/prompt", bad)
            with self.assertRaisesRegex(TypeError, "not an extension: call it by name"):
                await agent.notify_extension("session/cancel", bad)

    async def test_one_call_can_skip_the_capabilities(self) -> None:
        async with connect_in_memory(MockAgent(), MockClient()) as agent:
            with self.assertRaisesRegex(CapabilityError, "ignore_capabilities=True"):
                await agent.request("session/list")
            # The mock does not handle it, so the refusal comes from there.
            with self.assertRaises(RpcError) as caught:
                await agent.request("session/list", ignore_capabilities=True)
            self.assertEqual(caught.exception.origin, "remote")

    async def test_an_absent_entry_is_that_of_the_session_or_agent(self) -> None:
        class Moody(MockAgent):
            SAMPLES = {**MockAgent.SAMPLES, "session/new": OPENED}

        async with connect_in_memory(Moody("all"), MockClient()) as agent:
            session = await agent.new_session("/")
            pattern = r"at /modeId is not one of the session's modes.availableModes"
            with self.assertRaisesRegex(CapabilityError, pattern):
                await session.set_mode("other")
            pattern = "at /methodId is not one of the agent's authMethods"
            with self.assertRaisesRegex(CapabilityError, pattern):
                await agent.request("authenticate", {"methodId": "other"})

    async def test_an_absent_key_is_that_of_the_params(self) -> None:
        async def ask(params: Any, context: Any) -> Any:
            schema = {"type": "object", "properties": {}}
            given = {"sessionId": "s", "message": "Name?", "requestedSchema": schema}
            await context.peer.request("elicitation/create", {"mode": "form", **given})

        asking, errors = MockAgent(session_prompt=ask), list[str]()
        asking.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        async with connect_in_memory(asking, MockClient()) as agent:
            with self.assertRaises(RpcError):
                await (await agent.new_session("/")).prompt("hi")
        pattern = "^elicitation/create at /mode needs clientCapabilities.elicitation.form, which"
        self.assertRegex(errors[0], pattern)

    async def test_a_login_in_a_terminal_is_not_a_call(self) -> None:
        terminal = {"type": "terminal", "id": "t", "name": "T"}
        hello = {"protocolVersion": 1, "authMethods": [terminal]}
        editor = Editor()
        errors: list[str] = []
        editor.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        async with connect(editor, Raw({"initialize": hello}).stream) as agent:
            with self.assertRaisesRegex(CapabilityError, "start the agent with its"):
                await agent.request("authenticate", {"methodId": "t"})
        self.assertEqual(
            errors,
            [
                "the agent sent the result of initialize with a value at /authMethods/0/type that needs "
                "clientCapabilities.auth.terminal, which the client has not advertised"
            ],
        )

    async def test_a_capability_that_does_not_exist_is_an_error(self) -> None:
        async with connect_in_memory(MockAgent("all"), MockClient()) as agent:
            self.assertTrue(agent.supports("agentCapabilities.loadSession"))
            self.assertTrue(agent.supports("agent_capabilities.load_session"))
            self.assertFalse(agent.supports("agentCapabilities._meta.acme"))
            for path, meant in (
                ("agentCapabilities.loadSesion", "agentCapabilities.loadSession"),
                ("loadSession", "agentCapabilities.loadSession"),
            ):
                pattern = f'not a capability of the agent .did you mean "{meant}"'
                with self.assertRaisesRegex(ValueError, pattern):
                    agent.supports(path)
            with self.assertRaisesRegex(ValueError, "not a capability of the agent"):
                agent.supports("clientCapabilities.fs")


class Raw:
    """The far end of a client, which answers with given results."""

    def __init__(self, results: dict[str, Any]) -> None:
        here, self._stream = memory_streams()
        self.stream = here
        hello = {"protocolVersion": 1, "agentCapabilities": LISTING}
        self._results = {"initialize": hello, **results}
        self.task = asyncio.ensure_future(self._answer())

    async def _answer(self) -> None:
        while data := await self._stream.read():
            for line in data.splitlines():
                call = json.loads(line)
                if "id" in call:
                    result = self._results[call["method"]]
                    answer = {"jsonrpc": "2.0", "id": call["id"], "result": result}
                    self._stream.write(json.dumps(answer).encode() + b"\n")


LISTING = {"sessionCapabilities": {"list": {}}}
OPENED = {
    "sessionId": "s",
    "modes": {
        "currentModeId": "ask",
        "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "b", "name": "B"}],
    },
    "configOptions": [
        {
            "type": "select",
            "id": "model",
            "name": "Model",
            "currentValue": "a",
            "options": [{"value": "a", "name": "A"}, {"value": "b", "name": "B"}],
        }
    ],
}


class Results(unittest.IsolatedAsyncioTestCase):
    async def test_a_result_that_is_left_out_is_what_its_absence_means(self) -> None:
        raw = Raw(
            {"session/new": OPENED, "session/prompt": None, "session/list": {}},
        )
        editor = Editor()
        async with connect(editor, raw.stream) as agent:
            session = await agent.new_session("/")
            self.assertEqual((await session.prompt("Hi")).stop_reason, "end_turn")
            listed = await agent.session_list(types.ListSessionsRequest())
            self.assertEqual(listed.sessions, [])
        expected = ("stopReason was absent", "sessions was absent")
        self.assertEqual(editor.notes, expected)

    async def test_an_invalid_result_says_where_it_is_invalid(self) -> None:
        raw = Raw({"session/new": {"sessionId": 5}})
        async with connect(Editor(), raw.stream) as agent:
            with self.assertRaises(RpcError) as caught:
                await agent.new_session("/")
        self.assertEqual(
            str(caught.exception),
            "session/new was answered with an invalid result at /sessionId (rule type)",
        )


class Working(Agent):
    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        session = context.session
        await session.plan(
            "Look",
            types.PlanEntry(content="Edit", priority="high", status="in_progress"),
        )
        await session.text(types.TextContent(text="a body"))
        await session.thought("hm")
        path = types.ToolCallLocation(path="/a")
        async with session.tool_call("Read", kind="read", locations=[path]) as call:
            await call.text("one")
            await call.text("two")
        try:
            async with session.tool_call("Fail") as call:
                await call.text("before")
                raise RpcError.internal("no disk")
        except RpcError:
            pass
        async with session.tool_call("Ask", raw_input={"x": 1}) as call:
            if not await call.ask("Really?"):
                await call.fail("The user rejected it.")
        async with session.terminal("ls", args=["-l"]) as terminal:
            await terminal.wait()
            await terminal.kill()
            await session.text((await terminal.output()).output)
        await session.fs_write_text_file(path="/a", content="x")
        return types.PromptResponse(stop_reason="end_turn")


class Updates(unittest.IsolatedAsyncioTestCase):
    async def test_the_calls_of_a_session_take_values_with_types(self) -> None:
        client = MockClient("all", permission="reject_once")
        async with connect_in_memory(Working(info=INFO), client) as agent:
            session = await agent.new_session("/")
            await session.prompt("Hi")
            state = session.state
        assert state.plan
        self.assertEqual(
            [(one.content, one.status) for one in state.plan.entries],
            [("Look", "pending"), ("Edit", "in_progress")],
        )
        kinds = [(one.kind, one.text) for one in state.messages[1:3]]
        self.assertEqual(kinds, [("agent_message", "a body"), ("agent_thought", "hm")])
        read, failed, asked = state.tool_calls.values()
        self.assertEqual((read.kind, read.status), ("read", "completed"))
        self.assertEqual(read.locations[0].path, "/a")
        self.assertEqual([one.content.text for one in read.content], ["one", "two"])
        texts = [one.content.text for one in failed.content]
        self.assertEqual((failed.status, texts), ("failed", ["before", "no disk"]))
        self.assertEqual(asked.status, "failed")
        [question] = client.params_of("session/request_permission")
        self.assertEqual(question.tool_call.title, "Really?")
        self.assertEqual(question.tool_call.raw_input, {"x": 1})
        names = [call.method for call in client.calls if call.method[:3] == "ter"]
        expected = ["create", "wait_for_exit", "kill", "output", "release"]
        self.assertEqual(names, [f"terminal/{one}" for one in expected])
        [write] = client.params_of("fs/write_text_file")
        self.assertEqual((write.session_id, write.content), ("s", "x"))
