"""What users of roles and connections rely on."""

from __future__ import annotations

import asyncio
import gc
import json
import unittest
import weakref
from contextlib import suppress
from typing import Any

from acp_bindings import (
    AcpError,
    AuthRequiredError,
    ConnectionClosedError,
    Limits,
    NotInitializedError,
    RequestTimeoutError,
    RpcError,
    connect,
    connect_in_memory,
    memory_streams,
    serve,
)
from acp_bindings.v1 import Agent, types
from acp_bindings.v1.mocks import MockClient
from wire import Wire

INFO = types.Implementation(name="test", version="1")
TOKEN = types.AuthMethodAgent(id="token", name="Token")
NEW = types.NewSessionRequest(cwd="/", mcp_servers=[])


class EchoAgent(Agent):
    def __init__(self, **more: Any) -> None:
        super().__init__(info=INFO, **more)
        self.errors: list[BaseException] = []
        self.seen: list[str] = []

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.errors.append(error)

    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        return types.PromptResponse(stop_reason="end_turn")


class SlowAgent(EchoAgent):
    async def session_prompt(self, params: Any, context: Any) -> Any:
        self.seen.append("began")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.seen.append("cancelled")
            raise


class SigningEditor(MockClient):
    async def authenticate_again(self, agent: Any) -> bool:
        await agent.authenticate(types.AuthenticateRequest(method_id="token"))
        return True


class Connections(unittest.IsolatedAsyncioTestCase):
    async def test_an_error_in_on_error_ends_nothing(self) -> None:
        class Careless(EchoAgent):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                raise ValueError("a secret")

            def on_error(self, error: BaseException, method: str | None) -> None:
                raise RuntimeError("a mistake in on_error")

        async with connect_in_memory(Careless(), MockClient()) as peer:
            session = await peer.new_session("/")
            with self.assertLogs("acp_bindings"):
                for _ in range(2):
                    with self.assertRaisesRegex(RpcError, "^Internal error$"):
                        await session.prompt("x")

    async def test_an_error_in_a_group_of_tasks_is_answered_as_itself(self) -> None:
        class Group(Exception):  # noqa: N818
            exceptions = (asyncio.CancelledError(), RpcError.auth_required("Sign in"))

        class Grouping(EchoAgent):
            async def session_new(self, params: Any, context: Any) -> Any:
                raise Group

        async with connect_in_memory(Grouping(), MockClient()) as peer:
            with self.assertRaisesRegex(AuthRequiredError, "Sign in"):
                await peer.new_session("/")

    async def test_a_prompt_that_was_sent_again_can_be_cancelled(self) -> None:
        class Private(SlowAgent):
            is_open = False

            async def authenticate(self, params: Any, context: Any) -> Any:
                self.is_open = True

            async def session_prompt(self, params: Any, context: Any) -> Any:
                if not self.is_open:
                    raise RpcError.auth_required()
                return await super().session_prompt(params, context)

            async def session_cancel(self, params: Any, context: Any) -> None:
                self.seen.append("session/cancel")

        agent = Private(auth_methods=[TOKEN])
        async with connect_in_memory(agent, SigningEditor()) as peer:
            prompt = types.PromptRequest(session_id="s", prompt=[])
            with self.assertRaises(RequestTimeoutError):
                await peer.session_prompt(prompt, timeout=0.1)
            while len(agent.seen) < 3:
                await asyncio.sleep(0.01)
        self.assertEqual(agent.seen, ["began", "session/cancel", "cancelled"])

    async def test_what_is_not_a_role_of_the_side_is_an_error_at_once(self) -> None:
        agents: list[Any] = [
            EchoAgent,
            MockClient(),
            [EchoAgent(), MockClient()],
            [],
            None,
        ]
        for agent, text in zip(
            agents, ("a class: pass an object", *["not an agent"] * 2)
        ):
            with self.assertRaisesRegex(TypeError, text):
                async with connect_in_memory(agent, MockClient()):
                    pass
        clients: list[Any] = [MockClient, EchoAgent(), [], None]
        for client in clients:
            with self.assertRaises((TypeError, ValueError)):
                async with connect_in_memory(EchoAgent(), client):
                    pass

    async def test_a_block_that_was_not_advertised_is_refused(self) -> None:
        wire = Wire(EchoAgent())
        await wire.start()
        image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
        wire.call(5, "session/prompt", {"sessionId": "s", "prompt": [image]})
        data = (await wire.next())["error"]["data"]
        self.assertEqual(data, {"pointer": "/prompt/0/type", "rule": "capability"})
        await wire.end()

    async def test_a_handler_that_ignores_its_cancellation_is_left(self) -> None:
        class Stubborn(EchoAgent):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                variable = Stubborn()
                here.add(variable)
                while True:
                    try:
                        await asyncio.get_running_loop().create_future()
                    except asyncio.CancelledError:
                        pass

        here: weakref.WeakSet[Any] = weakref.WeakSet()
        wire = Wire(Stubborn(limits=Limits(cancel_grace=0.02)))
        await wire.start()
        wire.call(2, "session/prompt", {"sessionId": "s", "prompt": []})
        wire.call(None, "$/cancel_request", {"requestId": 2})
        self.assertEqual((await wire.next())["error"]["code"], -32800)
        with self.assertNoLogs():
            gc.collect()
        self.assertEqual(len(here), 0)
        await wire.end()

    async def test_more_requests_than_the_limit_are_refused(self) -> None:
        wire = Wire(SlowAgent(limits=Limits(max_in_flight=2)))
        await wire.start()
        for request_id in (2, 3, 4):
            wire.call(request_id, "session/prompt", {"sessionId": "s", "prompt": []})
        answer = await wire.next()
        self.assertEqual((answer["id"], answer["error"]["code"]), (4, -32029))
        await wire.end()

    async def test_a_long_line_is_skipped_and_the_next_one_read(self) -> None:
        wire = Wire(EchoAgent(limits=Limits(max_line_bytes=200)))
        wire.send("x" * 1000)
        self.assertEqual((await wire.next())["error"]["message"], "Line too long")
        self.assertEqual((await wire.start())["id"], 1)
        await wire.end()

    async def test_malformed_messages_in_a_row_end_the_connection(self) -> None:
        agent = EchoAgent(limits=Limits(max_invalid_in_row=3))
        wire = Wire(agent)
        wire.send("x", "x", "x", "x")
        await asyncio.wait_for(wire.serving, 5)
        self.assertTrue(any(type(error) is AcpError for error in agent.errors))

    async def test_a_message_that_is_a_call_and_a_response_is_reported_with_its_id(self) -> None:
        agent = EchoAgent()
        wire = Wire(agent)
        wire.send('{"jsonrpc":"2.0","id":18,"method":"x","result":{}}')
        await wire.end()
        self.assertRegex(str(agent.errors[0]), "no call is waiting for, with the id 18$")

    async def test_a_call_before_the_handshake_is_refused_here(self) -> None:
        from acp_bindings._runtime.role.role_connection import RoleConnection

        here, _ = memory_streams()
        peer = RoleConnection(MockClient(), here).peer
        with self.assertRaises(NotInitializedError):
            await peer.session_new(NEW)


CLOSING = types.AgentCapabilities(
    session_capabilities=types.SessionCapabilities(
        close=types.SessionCloseCapabilities()
    )
)


class PrivateAgent(EchoAgent):
    """Refuses every prompt, and sessions in `/private`."""

    async def session_new(self, params: Any, context: Any) -> Any:
        if params.cwd == "/private":
            raise RpcError.auth_required()
        return await super().session_new(params, context)

    async def session_prompt(self, params: Any, context: Any) -> Any:
        self.seen.append("prompt")
        raise RpcError.auth_required()

    async def session_close(self, params: Any, context: Any) -> Any:
        return types.CloseSessionResponse()


class ThinkingEditor(MockClient):
    """Its user thinks until the test goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.answered = asyncio.Event(), asyncio.Event()
        self.was_stopped = False

    async def authenticate_again(self, agent: Any) -> bool:
        self.asked.set()
        try:
            await self.answered.wait()
        except asyncio.CancelledError:
            self.was_stopped = True
            raise
        return True


class SignIns(unittest.IsolatedAsyncioTestCase):
    async def test_nobody_signs_in_for_a_prompt_that_was_cancelled(self) -> None:
        here, there = memory_streams()
        client, sent = ThinkingEditor(), list[str]()
        client.answered.set()
        refusal = {"error": {"code": -32000, "message": "Sign in"}}
        answers: dict[str, Any] = {
            "initialize": {"id": 0, "result": {"protocolVersion": 1}},
            "session/new": {"id": 1, "result": {"sessionId": "s"}},
            "session/cancel": {"id": 2, **refusal},
        }

        async def answer() -> None:
            while data := await there.read():
                sent.append(json.loads(data)["method"])
                if message := answers.get(sent[-1]):
                    text = json.dumps({"jsonrpc": "2.0", **message})
                    there.write(f"{text}\n".encode())

        answering = asyncio.ensure_future(answer())
        async with connect(client, here) as peer:
            turn = (await peer.new_session("/")).prompt("x")
            while "session/prompt" not in sent:
                await asyncio.sleep(0)
            await turn.cancel()
            with self.assertLogs("acp_bindings"):
                end = await asyncio.wait_for(turn.wait(), 5)
        await answering
        self.assertEqual(end.stop_reason, "cancelled")
        self.assertEqual(sent, [*answers][:2] + ["session/prompt", "session/cancel"])
        self.assertFalse(client.asked.is_set())

    async def test_a_prompt_is_not_sent_again_into_a_closed_session(self) -> None:
        agent, client = PrivateAgent(capabilities=CLOSING), ThinkingEditor()
        async with connect_in_memory(agent, client) as peer:
            session = await peer.new_session("/")
            turn = session.prompt("x")
            await client.asked.wait()
            await session.close()
            with self.assertRaisesRegex(AcpError, "the session was closed before"):
                await asyncio.wait_for(turn.wait(), 5)
            client.answered.set()
            await asyncio.sleep(0.01)
        self.assertEqual(agent.seen, ["prompt"])

    async def test_a_call_that_waits_for_it_ends_in_its_time(self) -> None:
        client = ThinkingEditor()
        async with connect_in_memory(PrivateAgent(), client) as peer:
            with self.assertRaisesRegex(RequestTimeoutError, "within 0.05 s"):
                await asyncio.wait_for(peer.new_session("/private", timeout=0.05), 5)
            self.assertFalse(client.was_stopped)
        self.assertTrue(client.was_stopped)

    async def test_a_call_that_waits_for_it_ends_with_the_connection(self) -> None:
        here, there = memory_streams()
        client = ThinkingEditor()
        serving = asyncio.ensure_future(serve(PrivateAgent(), there))
        async with connect(client, here) as peer:
            call = asyncio.ensure_future(peer.new_session("/private"))
            await client.asked.wait()
            serving.cancel()
            with self.assertRaisesRegex(ConnectionClosedError, "session/new"):
                await asyncio.wait_for(call, 5)
            await peer.wait_closed()
            self.assertTrue(client.was_stopped)

    async def test_a_call_that_is_part_of_it_does_not_wait_for_it(self) -> None:
        class Curious(MockClient):
            async def authenticate_again(self, agent: Any) -> bool:
                with suppress(AuthRequiredError):
                    await agent.new_session("/private")
                return True

        async with connect_in_memory(PrivateAgent(), Curious()) as peer:
            with self.assertRaises(AuthRequiredError):
                await asyncio.wait_for(peer.new_session("/private"), 5)
