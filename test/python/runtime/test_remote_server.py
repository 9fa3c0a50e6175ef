"""What the server of agents has in Python alone; server-cases.ts tests the others in all languages."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import unittest
from typing import Any

from acp_bindings import serve
from acp_bindings._runtime.remote.server.asgi import Request
from acp_bindings._runtime.remote.server.body import BodyBudget, read_body
from acp_bindings.remote import HttpApp, HttpStream
from asgi_calls import EVENTS, Exchange, Socket, call, open_stream, post, upgrade
from remote_work import Worker, working_app


def message(request_id: int, method: str, params: dict[str, Any]) -> bytes:
    text = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(text).encode()


INITIALIZE = message(0, "initialize", {"protocolVersion": 1})


def load(session_id: str) -> bytes:
    params = {"sessionId": session_id, "cwd": "/", "mcpServers": []}
    return message(2, "session/load", params)


def prompt(session_id: str, **work: int) -> bytes:
    block = {"type": "text", "text": json.dumps(work)}
    return message(3, "session/prompt", {"sessionId": session_id, "prompt": [block]})


async def connected(
    app: HttpApp, headers: dict[str, str] | None = None
) -> dict[str, str]:
    """Opens a connection and returns the header with its id."""
    answer = await post(app, headers or {}, INITIALIZE)
    assert answer.status == 200, answer
    return {"acp-connection-id": answer.headers["acp-connection-id"]}


async def eventually(condition: Any, timeout: float = 5) -> None:
    async def wait() -> None:
        while not condition():
            await asyncio.sleep(0.01)

    await asyncio.wait_for(wait(), timeout)


class RemoteTest(unittest.IsolatedAsyncioTestCase):
    async def asyncTearDown(self) -> None:
        for app in self.apps:
            await app.drain(0)

    def setUp(self) -> None:
        # Debugging makes the loop several times slower.
        asyncio.get_event_loop().set_debug(False)
        self.apps: list[HttpApp] = []
        self.ended = 0

    def app(self, **options: Any) -> HttpApp:
        def changed(change: str) -> None:
            self.ended += change == "ended"

        app = working_app(changed, **options)
        self.apps.append(app)
        return app


class Pages(RemoteTest):
    async def test_hosts_have_to_be_named_once(self) -> None:
        app = self.app()
        for host in (
            "",
            "localhost, evil.example",
            "localhost:1:2",
            "localhost\n.evil",
        ):
            self.assertEqual((await post(app, {"host": host}, INITIALIZE)).status, 403)
        twice = Exchange(app, "POST", {})
        twice.scope["headers"] = [(b"host", b"localhost"), (b"Host", b"evil.example")]
        self.assertEqual((await twice.start().answer()).status, 403)

    async def test_a_text_in_place_of_a_list_is_an_error(self) -> None:
        for name in ("allowed_hosts", "allowed_origins"):
            with self.assertRaisesRegex(TypeError, name):
                self.app(**{name: "agents.example"})
            with self.assertRaisesRegex(ValueError, name):
                self.app(**{name: ["*"]})

    async def test_settings_are_checked(self) -> None:
        settings: list[tuple[str, Any, str]] = [
            ("max_connections", float("nan"), "a whole number from 1 up, not NaN"),
            ("max_message_bytes", True, "a whole number from 1 up, not true"),
            ("idle_timeout", -1, "a number from 0 up, not -1"),
            ("authenticate", "token", 'a function, not "token"'),
        ]
        for name, value, text in settings:
            with self.assertRaisesRegex(
                (TypeError, ValueError), f"{name} must be {text}"
            ):
                self.app(**{name: value})
        with self.assertRaisesRegex(ValueError, "reconnect must be a number from 0 up"):
            HttpStream("http://agents.example/", Any, reconnect=float("nan"))

    async def test_without_the_extension_a_websocket_gets_403(self) -> None:
        app = self.app()
        refused = await upgrade(
            app, {"origin": "https://evil.example"}, knows_denial=False
        )
        self.assertEqual(refused.status, 403)
        self.assertEqual(app.size, 0)


class Callers(RemoteTest):
    async def test_are_known_to_the_agent(self) -> None:
        callers: list[Any] = []

        async def keep(stream: Any) -> None:
            callers.append(stream.caller)
            await serve(Worker(), stream)

        app = HttpApp(
            keep,
            authenticate=lambda request: request.headers["authorization"],
            connection_id=lambda: "node.1",
        )
        self.apps.append(app)
        own = await connected(app, {"authorization": "alice"})
        await upgrade(app, {"authorization": "bob"})
        self.assertEqual(own, {"acp-connection-id": "node.1"})
        names = [one.principal for one in callers]
        self.assertEqual(names, ["alice", "bob"])
        self.assertEqual(callers[0].request.headers["host"], "localhost")

    async def test_see_no_text_of_an_exception(self) -> None:
        async def fail_later(_: object) -> Any:
            raise ValueError("secret")

        for wrong in (fail_later, lambda _: {"name": "not a text"}):
            errors: list[Exception] = []
            app = self.app(authenticate=wrong, on_error=errors.append)
            answer = await post(app, {}, INITIALIZE)
            self.assertEqual((answer.status, answer.text, len(errors)), (500, "", 1))
            self.assertEqual((await upgrade(app, {})).status, 500)
        for wrong in (fail_later, lambda _: None):
            errors = []
            app = HttpApp(wrong, on_error=errors.append)
            answer = await post(app, {}, INITIALIZE)
            self.assertEqual((answer.status, answer.text, len(errors)), (503, "", 1))
            await upgrade(app, {})
            self.assertEqual((app.size, len(errors)), (0, 2))

    async def test_cannot_fill_the_log(self) -> None:
        def fail(_: object) -> Any:
            raise ValueError("secret")

        app = self.app(authenticate=fail)
        with self.assertLogs("acp_bindings", logging.ERROR) as logs:
            for _ in range(100):
                await post(app, {}, INITIALIZE)
        self.assertEqual(len(logs.records), 20)


class Requests(RemoteTest):
    async def test_that_are_endless_are_refused(self) -> None:
        app = self.app(max_message_bytes=1000)
        length = {"content-length": "9" * 5000}
        self.assertEqual((await post(app, length, b"{}")).status, 413)
        endless = Exchange(app, "POST", {"content-type": "application/json"}).start()
        for _ in range(3):
            endless.give(b"x" * 500, more=True)
        self.assertEqual((await endless.answer()).status, 413)

    async def test_whose_body_is_slow_are_refused_and_hold_no_connection(self) -> None:
        app = self.app()
        slow = Exchange(app, "POST", {"content-type": "application/json"}).start()
        slow.give(b"{", more=True)
        await asyncio.sleep(0.05)
        self.assertEqual(app.size, 0)
        slow.leave()
        self.assertEqual((await slow.answer()).status, 400)
        request = Request("POST", {"content-type": "application/json"}, {})
        events: asyncio.Queue[Any] = asyncio.Queue()
        refused: Any = await read_body(
            request, events.get, 1000, BodyBudget(1000), timeout=0.05
        )
        self.assertEqual(refused.status, 408)

    async def test_of_another_kind_are_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "grpc"):
            await self.app()({"type": "grpc"}, asyncio.Queue().get, asyncio.sleep)


class Connections(RemoteTest):
    async def test_without_a_first_request_end_whatever_else_comes(self) -> None:
        app = self.app(idle_timeout=0.2)
        socket = Socket(app, {}, knows_denial=True).start()
        socket.say("noise")
        notification = {"jsonrpc": "2.0", "method": "_hello"}
        socket.say(json.dumps(notification))
        while not socket.is_done:
            socket.events.put_nowait({"type": "websocket.receive", "bytes": b"x"})
            await asyncio.sleep(0.02)
        self.assertEqual((app.size, self.ended), (0, 1))
        socket = Socket(app, {}, knows_denial=True).start()
        socket.say(INITIALIZE.decode())
        await asyncio.sleep(0.4)
        self.assertEqual(app.size, 1)

    async def test_over_a_websocket_end_with_a_message_that_is_too_long(self) -> None:
        app = self.app(max_message_bytes=1000)
        socket = Socket(app, {}, knows_denial=True).start()
        socket.say(INITIALIZE.decode())
        await eventually(lambda: len(socket.sent) > 1)
        socket.say('"' + "x" * 2000)
        await asyncio.wait_for(socket.task or asyncio.sleep(0), 5)
        self.assertEqual(socket.sent[-1], {"type": "websocket.close", "code": 1009})


class Drains(RemoteTest):
    async def test_wait_until_a_websocket_has_taken_the_answer(self) -> None:
        app = self.app()
        socket = Socket(app, {}, knows_denial=True).start()
        socket.say(INITIALIZE.decode())
        await eventually(lambda: len(socket.sent) == 2)
        socket.is_paused.clear()
        socket.say(prompt("s").decode())
        await asyncio.sleep(0.05)
        draining = asyncio.ensure_future(app.drain(20))
        await asyncio.sleep(0.1)
        self.assertFalse(draining.done())
        socket.is_paused.set()
        await draining
        texts = [event["text"] for event in socket.sent if "text" in event]
        self.assertIn("end_turn", texts[-1])

    async def test_end_with_the_server_that_ends(self) -> None:
        app = self.app()
        own = await connected(app)
        await post(app, own, prompt("s", chunks=100, pause=1000))
        events: asyncio.Queue[Any] = asyncio.Queue()
        sent: list[str] = []

        async def send(event: dict[str, Any]) -> None:
            sent.append(event["type"])

        living = asyncio.ensure_future(app({"type": "lifespan"}, events.get, send))
        events.put_nowait({"type": "lifespan.startup"})
        events.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.wait_for(living, 2)
        self.assertEqual((app.size, self.ended), (0, 1))
        expected = ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        self.assertEqual(sent, expected)


class Streams(RemoteTest):
    async def test_whose_reader_is_stuck_can_be_taken_over(self) -> None:
        app = self.app()
        own = await connected(app)
        session = {**own, "acp-session-id": "s"}
        stuck = await open_stream(app, session)
        stuck.is_paused.clear()
        await post(app, own, load("s"))
        await asyncio.sleep(0.05)
        taken = await open_stream(app, {**session, "last-event-id": "0"})
        await eventually(lambda: taken.ids == list(range(1, 202)))
        await eventually(lambda: stuck.task is not None and stuck.task.done())

    async def test_that_were_lost_are_not_resumed_with_a_gap(self) -> None:
        app = self.app(replay_bytes=5000)
        own = await connected(app)
        session = {**own, "acp-session-id": "s"}
        first = await open_stream(app, session)
        await post(app, own, load("s"))
        await eventually(lambda: len(first.messages) == 201)
        taken = await open_stream(app, {**session, "last-event-id": "195"})
        await eventually(lambda: taken.ids == list(range(196, 202)))
        gone = await call(app, "GET", {**EVENTS, **session, "last-event-id": "100"})
        self.assertEqual(gone.status, 410)
        await eventually(lambda: app.size == 0)

    async def test_let_the_agent_wait_for_a_client_that_does_not_read(self) -> None:
        app = self.app(max_buffered_bytes=20_000, idle_timeout=0.5)
        own = await connected(app)
        session = {**own, "acp-session-id": "s"}
        stream = await open_stream(app, session)
        stream.is_paused.clear()
        await post(app, own, prompt("s", chunks=5000))
        await asyncio.sleep(0.2)
        stream.is_paused.set()
        await eventually(lambda: len(stream.messages) == 5001, 20)
        stream.is_paused.clear()
        await post(app, own, prompt("s", chunks=5000))
        await eventually(lambda: app.size == 0)
        self.assertEqual(self.ended, 1)

    async def test_end_when_a_client_neither_reads_nor_leaves(self) -> None:
        app = self.app(idle_timeout=0.2)
        own = await connected(app)
        stuck = await open_stream(app, own)
        stuck.is_paused.clear()
        await app.drain(0)
        await eventually(lambda: stuck.task is not None and stuck.task.done())

    async def test_take_no_line_break_of_an_agent_for_the_end_of_an_event(self) -> None:
        async def spell_oddly(stream: Any) -> None:
            await stream.read()
            stream.write(b'{"jsonrpc":"2.0","id":0,"result":{}}\n')
            stream.write(b'{"jsonrpc":"2.0",\r"method":\r\r"_odd"}\n')
            await stream.read()

        app = HttpApp(spell_oddly)
        self.apps.append(app)
        stream = await open_stream(app, await connected(app))
        await eventually(lambda: len(stream.messages) == 1)
        self.assertEqual(stream.messages[0]["method"], "_odd")

    async def test_vanish_with_their_clients(self) -> None:
        app = self.app(idle_timeout=2, max_connections=2000)
        batches = 10 if os.environ.get("DEEP") == "1" else 2
        for _ in range(batches):
            streams: list[Exchange] = []
            for number in range(100):
                if number % 2 == 0:
                    own = await connected(app)
                    streams.append(await open_stream(app, own))
                    await post(app, own, prompt("s", chunks=100, pause=1000))
                else:
                    socket = Socket(app, {}, knows_denial=True).start()
                    socket.say(INITIALIZE.decode())
                    socket.say(prompt("s", chunks=100, pause=1000).decode())
                    streams.append(socket)
            for stream in streams:
                stream.leave()
        await eventually(lambda: app.size == 0, 20)
        self.assertEqual(self.ended, batches * 100)
        await asyncio.sleep(1.1)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        self.assertEqual(tasks, set())
