"""Proxies between a client and an agent, and functions that see all messages."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

from acp_bindings import (
    ByteStream,
    InvalidValueError,
    Limits,
    RpcError,
    connect,
    create_recorder,
    memory_streams,
    serve,
    serve_proxy,
    tap,
)
from acp_bindings._runtime import sentences
from acp_bindings.v1 import Agent, Client, Proxy, types
from acp_bindings.v1.mocks import MockClient

INFO = types.Implementation(name="test", version="1")


class Echo(Agent):
    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        text = "".join(one.text for one in params.prompt)
        if text == "slow":
            await asyncio.sleep(60)
        if text == "ask":
            async with context.session.tool_call("Save") as call:
                text = "yes" if await call.ask() else "no"
        await context.session.text(text)
        return types.PromptResponse(stop_reason="end_turn")


class Raw:
    """The two ends of a proxy, as JSON."""

    def __init__(self, proxy: Proxy) -> None:
        self.client, near = memory_streams()
        self.agent, far = memory_streams()
        self.task = asyncio.ensure_future(serve_proxy(proxy, far, near))

    async def pass_on(self, start: ByteStream, end: ByteStream, text: str) -> str:
        """Writes a line at one end, and reads at the other."""
        start.write(text.encode() + b"\n")
        read = await asyncio.wait_for(end.read(), 5)
        return read.decode().removesuffix("\n")

    async def initialize(self, requested: int = 1, answered: int = 1) -> Any:
        call = {"id": 7, "method": "initialize"}
        params = {"protocolVersion": requested, "clientCapabilities": {"x": 1}}
        message = {"jsonrpc": "2.0", **call, "params": params}
        sent = await self.pass_on(self.client, self.agent, json.dumps(message))
        own_id = json.loads(sent)["id"]
        answer = {"jsonrpc": "2.0", "id": own_id}
        result = {"protocolVersion": answered, "agentCapabilities": {"y": 1}}
        text = json.dumps({**answer, "result": result})
        return json.loads(sent), json.loads(
            await self.pass_on(self.agent, self.client, text)
        )

    async def end(self) -> None:
        await self.client.close()
        await asyncio.wait_for(self.task, 5)


class Ends(unittest.IsolatedAsyncioTestCase):
    async def test_requests_are_answered_after_the_end_of_the_input(self) -> None:
        class Late(Echo):
            async def session_new(self, params: Any, context: Any) -> Any:
                await asyncio.sleep(0.02)
                return {"sessionId": "s"}

        raw = Raw(forwarding("session_new"))
        serving = asyncio.ensure_future(serve(Late(info=INFO), raw.agent))
        calls: dict[str, Any] = {
            "initialize": {"protocolVersion": 1},
            "session/new": {"cwd": "/", "mcpServers": []},
            "session/prompt": PROMPT,
        }
        for own_id, (method, params) in enumerate(calls.items()):
            call = {"id": own_id, "method": method, "params": params}
            text = json.dumps({"jsonrpc": "2.0", **call})
            raw.client.write(text.encode() + b"\n")
            if own_id == 0:
                await raw.client.read()
        raw.client._outgoing.put_nowait(b"")
        answers = b""
        while chunk := await asyncio.wait_for(raw.client.read(), 5):
            answers += chunk
        ids = [json.loads(line).get("id") for line in answers.splitlines()]
        self.assertEqual(sorted(one for one in ids if one is not None), [1, 2])
        await raw.task
        await serving


class Reporting(Proxy):
    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.errors: list[str] = []

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.errors.append(str(error))


def forwarding(handler: str, base: type[Proxy] = Proxy) -> Any:
    """Returns a proxy with a handler that forwards."""

    async def handle(self: Any, params: Any, context: Any) -> Any:
        return await context.forward()

    return type("Forwarding", (base,), {handler: handle})()


class Proxies(unittest.IsolatedAsyncioTestCase):
    async def connected(self, proxy: Proxy, client: Client, agent: Agent | None = None) -> Any:
        here, near = memory_streams()
        far, there = memory_streams()
        tasks = [
            asyncio.ensure_future(serve(agent or Echo(info=INFO), there)),
            asyncio.ensure_future(serve_proxy(proxy, far, near)),
        ]
        opened = connect(client, here)
        connected = await opened.__aenter__()

        async def end() -> None:
            await opened.__aexit__(None, None, None)
            await asyncio.wait_for(asyncio.gather(*tasks), 5)

        self.addAsyncCleanup(end)
        return connected

    async def test_a_handler_changes_messages_of_both_directions(self) -> None:
        class Changing(Proxy):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                params.prompt[0].text += "!"
                result = await context.forward(params)
                result.stop_reason = "refusal"
                return result

            async def session_update(self, params: Any, context: Any) -> None:
                params.update.content.text = params.update.content.text.upper()
                await context.forward(params)

        agent = await self.connected(Changing(), MockClient())
        session = await agent.new_session("/")
        self.assertEqual((await session.prompt("hi")).stop_reason, "refusal")
        self.assertEqual(session.state.messages[-1].text, "HI!")

    async def test_a_handler_answers_for_the_other_side(self) -> None:
        class Allowing(Reporting):
            async def session_request_permission(
                self, params: Any, context: Any
            ) -> Any:
                chosen = params.options[0].option_id
                outcome = types.RequestPermissionOutcomeSelected(option_id=chosen)
                return types.RequestPermissionResponse(outcome=outcome)

            async def session_new(self, params: Any, context: Any) -> Any:
                raise RpcError.resource_not_found("no such folder")

            async def session_load(self, params: Any, context: Any) -> Any:
                raise ValueError("a secret")

        proxy = Allowing()
        client = MockClient(permission="cancelled")
        agent = await self.connected(proxy, client)
        session = agent.session("s")
        await session.prompt("ask")
        self.assertEqual(session.state.messages[-1].text, "yes")
        self.assertEqual(client.params_of("session/request_permission"), [])
        with self.assertRaisesRegex(RpcError, "no such folder"):
            await agent.new_session("/")
        load = {"sessionId": "s", "cwd": "/", "mcpServers": []}
        with self.assertRaisesRegex(RpcError, "Internal error"):
            await agent.request("session/load", load, ignore_capabilities=True)
        self.assertEqual(proxy.errors, ["a secret"])

    async def test_a_cancelled_turn_passes_through_a_handler(self) -> None:
        agent = await self.connected(forwarding("session_prompt"), MockClient())
        session = await agent.new_session("/")
        turn = session.prompt("slow")
        await asyncio.sleep(0.02)
        await turn.cancel()
        self.assertEqual((await turn).stop_reason, "cancelled")
        prompt = types.PromptRequest(
            session_id="s", prompt=[types.ContentBlockText(text="slow")]
        )
        call = asyncio.ensure_future(agent.session_prompt(prompt))
        await asyncio.sleep(0.02)
        call.cancel()
        await asyncio.wait([call])
        self.assertEqual((await session.prompt("next")).stop_reason, "end_turn")

    async def test_a_handler_that_waits_is_cancelled_by_the_sender(self) -> None:
        ends: list[str] = []

        class Waiting(Proxy):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    ends.append("cancelled")
                    raise

        agent = await self.connected(Waiting(), MockClient())
        prompt = types.PromptRequest(session_id="s", prompt=[])
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(agent.session_prompt(prompt), 0.02)
        await asyncio.sleep(0.02)
        self.assertEqual(ends, ["cancelled"])

    async def test_what_has_no_handler_keeps_its_bytes_and_its_order(self) -> None:
        raw = Raw(forwarding("session_prompt"))
        await raw.initialize()
        for text in (
            '{"jsonrpc": "2.0",  "id": 1e0, "method": "session/new", "params": {"x": 1}}',
            '{"jsonrpc":"2.0","method":"_acme/x"}',
            '{"jsonrpc":"2.0","id":"a","result":{"\\u0061":1}}',
        ):
            self.assertEqual(await raw.pass_on(raw.client, raw.agent, text), text)
            self.assertEqual(await raw.pass_on(raw.agent, raw.client, text), text)
        calls = [
            {"id": 1, "method": "session/prompt", "params": PROMPT},
            {"method": "session/cancel", "params": {"sessionId": "s"}},
        ]
        lines = "\n".join(json.dumps({"jsonrpc": "2.0", **one}) for one in calls)
        read = await raw.pass_on(raw.client, raw.agent, lines)
        methods = [json.loads(line)["method"] for line in read.splitlines()]
        while len(methods) < 2:
            methods.append(json.loads(await raw.agent.read())["method"])
        self.assertEqual(methods, ["session/prompt", "session/cancel"])
        await raw.end()

    async def test_malformed_messages_in_a_row_end_the_proxy(self) -> None:
        proxy = Reporting(limits=Limits(max_invalid_in_row=2))
        raw = Raw(proxy)
        raw.agent.write(b'{"jsonrpc":"2.0"}\n' * 2)
        await asyncio.wait_for(raw.task, 5)
        self.assertIn("2 messages in a row were malformed", proxy.errors)

    async def test_a_side_that_reads_nothing_ends_the_proxy(self) -> None:
        class Deaf:
            unsent = 0

            async def read(self) -> bytes:
                await asyncio.Event().wait()
                return b""

            def write(self, data: bytes) -> None:
                self.unsent += len(data)

            async def drain(self) -> None:
                await self.read()

            async def close(self) -> None: ...

        for stall, end in ((60.0, b""), (0.02, b"\n")):
            client, near = memory_streams()
            proxy = Reporting(limits=Limits(stall=stall))
            task = asyncio.ensure_future(serve_proxy(proxy, Deaf(), near))
            params = {"text": "x" * 2_000_000}
            message = {"jsonrpc": "2.0", "method": "_log", "params": params}
            client.write(json.dumps(message).encode() + b"\n")
            client._outgoing.put_nowait(end)
            await asyncio.wait_for(task, 5)
            stalled = [sentences.stalled("0.02 s", "2 MB")]
            self.assertEqual(proxy.errors, stalled if end else [])

    async def test_a_handler_calls_the_agent(self) -> None:
        class Doubling(Proxy):
            async def session_new(self, params: Any, context: Any) -> Any:
                await context.agent.session_new(params)
                return await context.forward()

        agent = await self.connected(Doubling(), MockClient())
        self.assertEqual((await agent.new_session("/")).id, "s")

    async def test_a_handler_sets_an_option(self) -> None:
        class Setting(Proxy):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                chosen = {"sessionId": params.session_id, "configId": "a", "value": "b"}
                await context.agent.request("session/set_config_option", chosen)
                return await context.forward()

        values = [{"value": "b", "name": "B"}]
        option = {"type": "select", "id": "a", "name": "A", "options": values}
        options = [{**option, "currentValue": "b"}]

        class Settable(Echo):
            async def session_new(self, params: Any, context: Any) -> Any:
                return {"sessionId": "s", "configOptions": options}

            async def session_set_config_option(self, params: Any, context: Any) -> Any:
                self.chosen = params.value
                return {"configOptions": options}

        settable = Settable(info=INFO)
        agent = await self.connected(Setting(), MockClient(), settable)
        session = await agent.new_session("/")
        await session.prompt("hi")
        self.assertEqual(settable.chosen, "b")

    async def test_a_result_that_json_cannot_hold_is_an_error(self) -> None:
        meta = {"a": [float("nan")]}

        class Broken(Reporting):
            async def session_prompt(self, params: Any, context: Any) -> Any:
                try:
                    await context.agent.call_extension("_x", meta)
                except InvalidValueError as error:
                    self.errors.append(str(error))
                return types.PromptResponse(stop_reason="end_turn", meta=meta)

        proxy = Broken()
        agent = await self.connected(proxy, MockClient())
        with self.assertRaises(RpcError) as refused:
            await (await agent.new_session("/")).prompt("hi")
        self.assertEqual(refused.exception.data, {"pointer": "/_meta/a/0", "rule": "json"})
        found = "expected a finite number, found NaN"
        places = ("params of _x at /a/0", "result at /_meta/a/0")
        self.assertEqual(proxy.errors, [f"{place}: {found}" for place in places])

    async def test_a_response_that_cannot_be_used_fails_its_call(self) -> None:
        call = '{"jsonrpc":"2.0","id":3,"method":"session/new","params":{}}'
        for text in (
            '{"jsonrpc":"2.0","id":3,"result":1,"error":2}',
            '{"id":3,"result":{}}',
            '{"jsonrpc":"2.0","id":3,"result":{"a":',
            '{"jsonrpc":"2.0","result":{"a":',
            '{"jsonrpc":"2.0","id":3,"result":"' + 900 * "x" + '"}',
        ):
            proxy = Reporting(limits=Limits(max_line_bytes=800))
            raw = Raw(proxy)
            self.assertEqual(await raw.pass_on(raw.client, raw.agent, call), call)
            answer = json.loads(await raw.pass_on(raw.agent, raw.client, text))
            self.assertEqual((answer["id"], answer["error"]["code"]), (3, -32603))
            self.assertEqual(proxy.errors, [])
            # It has ended: the next one is ignored.
            raw.agent.write(b'{"jsonrpc":"2.0","id":3,"result":1,"error":2}\n')
            while not proxy.errors:
                await asyncio.sleep(0.01)
            self.assertRegex(" ".join(proxy.errors), "that no call is waiting for")
            await raw.end()

    async def test_a_call_of_the_proxy_fails_with_its_response(self) -> None:
        for text in ("1..2", '{"a":'):
            raw = Raw(forwarding("session_new", Reporting))
            await raw.initialize()
            params = {"cwd": "/", "mcpServers": []}
            call = {"jsonrpc": "2.0", "id": 3, "method": "session/new"}
            line = json.dumps({**call, "params": params})
            await raw.pass_on(raw.client, raw.agent, line)
            broken = '{"jsonrpc":"2.0","id":3,"result":' + text
            answer = json.loads(await raw.pass_on(raw.agent, raw.client, broken))
            self.assertEqual((answer["id"], answer["error"]["code"]), (3, -32603))
            await raw.end()

    async def test_a_proxy_changes_what_the_agent_has_advertised(self) -> None:
        class Named(Proxy):
            def change_initialize(self, response: Any, request: Any) -> Any:
                response.agent_info = types.Implementation(name="me", version="2")
                return response

        for proxy, name in ((Named(), "me"), (Proxy(), None)):
            raw = Raw(proxy)
            _, answer = await raw.initialize()
            info = answer["result"].get("agentInfo")
            self.assertEqual(info and info["name"], name)
            self.assertEqual(answer["result"]["agentCapabilities"]["y"], 1)
            self.assertEqual(answer["id"], 7)
            await raw.end()

    async def test_other_versions_of_the_protocol_are_refused(self) -> None:
        raw = Raw(Proxy())
        sent, _ = await raw.initialize(requested=2)
        self.assertEqual(sent["params"]["protocolVersion"], 1)
        await raw.end()
        raw = Raw(Proxy())
        _, answer = await raw.initialize(answered=2)
        self.assertEqual(answer["error"]["code"], -32022)
        await raw.end()


PROMPT = {"sessionId": "s", "prompt": []}


class Taps(unittest.IsolatedAsyncioTestCase):
    async def test_a_recorder_writes_every_message_with_its_sender(self) -> None:
        here, there = memory_streams()
        serving = asyncio.ensure_future(serve(Echo(info=INFO), there))
        lines: list[str] = []
        recorded = tap(here, create_recorder("client", lines.append))
        async with connect(MockClient(), recorded) as agent:
            await (await agent.new_session("/")).prompt("Hi")
        await serving
        entries = [json.loads(line) for line in lines]
        shown = [(one["from"], one["message"].get("method")) for one in entries]
        self.assertEqual(
            shown,
            [
                ("client", "initialize"),
                ("agent", None),
                ("client", "session/new"),
                ("agent", None),
                ("client", "session/prompt"),
                ("agent", "session/update"),
                ("agent", None),
            ],
        )
        self.assertTrue(all(one["time"].endswith("+00:00") for one in entries))

    async def test_an_error_of_a_tap_does_not_reach_the_connection(self) -> None:
        here, there = memory_streams()

        def fail(*_: Any) -> None:
            raise ValueError("no")

        stream = tap(here, fail)
        there.write(b"{}\nno JSON\n")
        with self.assertLogs("acp_bindings") as logged:
            self.assertEqual(await stream.read(), b"{}\nno JSON\n")
        self.assertEqual(len(logged.records), 1)
