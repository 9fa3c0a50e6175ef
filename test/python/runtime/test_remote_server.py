"""The server of agents, against requests that any client may send."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import unittest
from pathlib import Path
from typing import Any

from acp_bindings import serve
from acp_bindings._runtime.remote.server.asgi import Request
from acp_bindings._runtime.remote.server.body import read_body
from acp_bindings.remote import HttpApp
from asgi_calls import EVENTS, Exchange, Socket, call, open_stream, post, upgrade
from remote_work import Worker, working_app

FIXTURES = Path(__file__).parents[2] / "fixtures"
REQUESTS = json.loads((FIXTURES / "remote-requests.json").read_text("utf-8"))
PORT = "8000"
EVIL = "https://evil.example"


def message(request_id: int, method: str, params: dict[str, Any]) -> bytes:
    text = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(text).encode()


INITIALIZE = message(0, "initialize", {"protocolVersion": 1})
NEW_SESSION = message(1, "session/new", {"cwd": "/", "mcpServers": []})


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
        self.apps: list[HttpApp] = []
        self.ended = 0

    def app(self, **options: Any) -> HttpApp:
        def changed(change: str) -> None:
            self.ended += change == "ended"

        app = working_app(changed, **options)
        self.apps.append(app)
        return app


class Pages(RemoteTest):
    async def test_callers_are_admitted_or_refused(self) -> None:
        for case in REQUESTS["callers"]:
            with self.subTest(case["name"]):
                origins = case.get("allowedOrigins", ["https://app.example"])
                app = self.app(allowed_origins=origins)
                headers = {
                    name: value.replace("{port}", PORT)
                    for name, value in case["headers"].items()
                }
                answer = await post(app, headers, INITIALIZE)
                self.assertEqual(answer.status, case["status"])
                credentials = answer.headers.get("access-control-allow-credentials")
                self.assertEqual(
                    credentials, "true" if case.get("credentials") else None
                )
                opened = await upgrade(app, headers)
                expected = 101 if case["status"] == 200 else case["status"]
                self.assertEqual(opened.status, expected)

    async def test_sandboxes_are_refused_where_every_origin_may_call(self) -> None:
        app = self.app(allowed_origins="*")
        for origin in ("", "file://", "x", "https://a@", "https:///x"):
            answer = await post(app, {"origin": origin}, INITIALIZE)
            self.assertEqual(answer.status, 403, origin)
            self.assertEqual((await upgrade(app, {"origin": origin})).status, 403)

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

    async def test_allowed_hosts_are_names_with_or_without_a_port(self) -> None:
        app = self.app(allowed_hosts=["Agents.Example", "other.example:8443"])
        for host, status in (
            ("agents.example", 200),
            ("agents.example:1", 200),
            ("OTHER.example:8443", 200),
            ("other.example", 403),
            ("localhost", 403),
        ):
            answer = await post(app, {"host": host}, INITIALIZE)
            self.assertEqual(answer.status, status, host)

    async def test_a_text_in_place_of_a_list_is_an_error(self) -> None:
        for name in ("allowed_hosts", "allowed_origins"):
            with self.assertRaisesRegex(TypeError, name):
                self.app(**{name: "agents.example"})
            with self.assertRaisesRegex(ValueError, name):
                self.app(**{name: ["*"]})

    async def test_pages_have_to_ask_first(self) -> None:
        origin = {"origin": "https://app.example"}
        app = self.app(allowed_origins=[origin["origin"]])
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            answer = await post(app, {"content-type": kind}, INITIALIZE)
            self.assertEqual(answer.status, 415)
        asked = {**origin, "access-control-request-method": "POST"}
        preflight = await call(app, "OPTIONS", asked)
        self.assertEqual(preflight.status, 204)
        allowed = preflight.headers["access-control-allow-headers"]
        self.assertIn("acp-connection-id", allowed)
        answer = await post(app, origin, INITIALIZE)
        exposed = answer.headers["access-control-expose-headers"]
        self.assertIn("acp-connection-id", exposed)
        found = answer.headers["access-control-allow-origin"]
        self.assertEqual(found, origin["origin"])
        refused = await call(app, "OPTIONS", {**asked, "origin": EVIL})
        self.assertEqual(refused.status, 403)
        self.assertNotIn("access-control-allow-origin", refused.headers)

    async def test_servers_without_the_extension_refuse_a_websocket_with_403(
        self,
    ) -> None:
        app = self.app()
        refused = await upgrade(app, {"origin": EVIL}, knows_denial=False)
        self.assertEqual(refused.status, 403)
        self.assertEqual(app.size, 0)


class Callers(RemoteTest):
    CHALLENGE = 'Bearer resource_metadata="https://login.example"'
    ALICE = {"authorization": "Bearer alice"}  # noqa: RUF012
    BOB = {"authorization": "Bearer bob"}  # noqa: RUF012

    def by_token(self, **options: Any) -> HttpApp:
        async def authenticate(request: Request) -> str | None:
            token = request.headers.get("authorization")
            return None if token is None else token.removeprefix("Bearer ")

        return self.app(authenticate=authenticate, challenge=self.CHALLENGE, **options)

    async def test_without_a_name_are_refused_with_a_challenge(self) -> None:
        app = self.by_token()
        own = await connected(app, self.ALICE)
        for answer in (
            await post(app, {}, INITIALIZE),
            await post(app, {"authorization": "Bearer "}, INITIALIZE),
            await post(app, own, NEW_SESSION),
            await call(app, "GET", {**EVENTS, **own}),
            await call(app, "DELETE", own),
            await upgrade(app, {}),
        ):
            self.assertEqual(answer.status, 401)
            self.assertEqual(answer.headers["www-authenticate"], self.CHALLENGE)
        self.assertEqual((await upgrade(app, self.ALICE)).status, 101)

    async def test_cannot_use_the_connection_of_another(self) -> None:
        app = self.by_token()
        own = await connected(app, self.ALICE)
        foreign = {**own, **self.BOB}
        self.assertEqual((await post(app, foreign, NEW_SESSION)).status, 404)
        self.assertEqual((await call(app, "GET", {**EVENTS, **foreign})).status, 404)
        self.assertEqual((await call(app, "DELETE", foreign)).status, 404)
        stream = await open_stream(app, {**own, **self.ALICE})
        self.assertEqual(stream.status, 200)

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
        own = await connected(app, self.ALICE)
        await upgrade(app, self.BOB)
        self.assertEqual(own, {"acp-connection-id": "node.1"})
        names = [one.principal for one in callers]
        self.assertEqual(names, ["Bearer alice", "Bearer bob"])
        self.assertEqual(callers[0].request.headers["host"], "localhost")

    async def test_see_no_text_of_an_exception(self) -> None:
        def fail(_: object) -> Any:
            raise ValueError("secret")

        async def fail_later(_: object) -> Any:
            raise ValueError("secret")

        for wrong in (fail, fail_later, lambda _: {"name": "not a text"}):
            errors: list[Exception] = []
            app = self.app(authenticate=wrong, on_error=errors.append)
            answer = await post(app, {}, INITIALIZE)
            self.assertEqual((answer.status, answer.text, len(errors)), (500, "", 1))
            self.assertEqual((await upgrade(app, {})).status, 500)
        for wrong in (fail, fail_later, lambda _: None):
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
    async def test_that_are_no_messages_are_refused(self) -> None:
        for case in REQUESTS["refused"]:
            with self.subTest(case["name"]):
                app = self.app()
                body = base64.b64decode(case.get("base64", ""))
                text = case.get("body", "").encode()
                answer = await post(app, case["headers"], text or body)
                self.assertEqual(answer.status, case["status"])
                self.assertEqual(app.size, 0)

    async def test_of_a_connection_are_held_against_its_rules(self) -> None:
        app = self.app()
        own = await connected(app)
        named = {**own, "acp-session-id": "a"}
        self.assertEqual((await post(app, own, load("x" * 2000))).status, 400)
        self.assertEqual((await post(app, named, load("b"))).status, 400)
        self.assertEqual((await call(app, "GET", own)).status, 406)
        self.assertEqual((await call(app, "PUT", own)).status, 405)
        self.assertEqual((await call(app, "GET", EVENTS)).status, 400)
        self.assertEqual((await call(app, "DELETE", {})).status, 400)
        for last in ("x", "-1", "1e99", "9" * 5000, "²"):
            answer = await call(app, "GET", {**EVENTS, **own, "last-event-id": last})
            self.assertEqual(answer.status, 400, last)
        answer = await call(app, "GET", {**EVENTS, **own, "last-event-id": "5"})
        self.assertEqual(answer.status, 410)
        self.assertEqual((await post(app, own, NEW_SESSION)).status, 404)

    async def test_that_are_sent_again_reach_the_agent_once(self) -> None:
        app = self.app()
        own = await connected(app)
        for number in ("1", "1", "2", "1"):
            numbered = {**own, "acp-message-number": number}
            self.assertEqual((await post(app, numbered, NEW_SESSION)).status, 202)
        stream = await open_stream(app, own)
        await asyncio.sleep(0.5)
        results = [one for one in stream.messages if "result" in one]
        self.assertEqual(len(results), 2)

    async def test_with_a_number_that_is_none_are_refused(self) -> None:
        app = self.app()
        own = await connected(app)
        others = [
            {"number": number, "status": 400} for number in ("9" * 400, "1, 1", "²")
        ]
        for case in others + REQUESTS["numbers"]:
            number = case["number"].encode().decode("latin-1")
            answer = await post(app, {**own, "acp-message-number": number}, NEW_SESSION)
            self.assertEqual(answer.status, case["status"], number)

    async def test_above_the_limit_are_refused_with_and_without_their_length(
        self,
    ) -> None:
        app = self.app(max_message_bytes=1000)
        long = json.dumps({"text": "x" * 2000}).encode()
        for length in ({}, {"content-length": "2100"}, {"content-length": "9" * 5000}):
            self.assertEqual((await post(app, length, long)).status, 413)
        endless = Exchange(app, "POST", {"content-type": "application/json"}).start()
        for _ in range(3):
            endless.give(b"x" * 500, more=True)
        self.assertEqual((await endless.answer()).status, 413)

    async def test_with_a_flood_of_headers_are_refused(self) -> None:
        flood = {f"x-{number}": "x" * 100 for number in range(500)}
        self.assertEqual((await post(self.app(), flood, INITIALIZE)).status, 431)

    async def test_that_come_first_are_calls(self) -> None:
        app = self.app()
        for change in ({"id": None}, {"id": []}, {"method": 1}, {"jsonrpc": "1.0"}):
            first = {**json.loads(INITIALIZE), **change}
            answer = await post(app, {}, json.dumps(first).encode())
            self.assertEqual(answer.status, 400, change)
        self.assertEqual(app.size, 0)

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
        refused: Any = await read_body(request, events.get, 1000, timeout=0.05)
        self.assertEqual(refused.status, 408)

    async def test_of_another_kind_are_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "grpc"):
            await self.app()({"type": "grpc"}, asyncio.Queue().get, asyncio.sleep)


class Connections(RemoteTest):
    async def test_above_the_limit_are_refused_until_others_have_ended(self) -> None:
        app = self.app(max_connections=2)
        own = await connected(app)
        await connected(app)
        refused = await post(app, {}, INITIALIZE)
        self.assertEqual((refused.status, refused.headers["retry-after"]), (503, "5"))
        self.assertEqual((await upgrade(app, {})).status, 503)
        self.assertEqual((await call(app, "DELETE", own)).status, 202)
        await eventually(lambda: app.size == 1)
        await connected(app)

    async def test_have_a_limit_of_streams(self) -> None:
        app = self.app()
        own = await connected(app)
        statuses: list[int] = []
        for session in range(1030):
            headers = {**own, "acp-session-id": str(session)}
            statuses.append((await open_stream(app, headers)).status)
        self.assertEqual(statuses, [200] * 1024 + [429] * 6)

    async def test_without_a_stream_end_after_a_time(self) -> None:
        app = self.app(idle_timeout=0.1)
        own = await connected(app)
        stream = await open_stream(app, own)
        await asyncio.sleep(0.2)
        self.assertEqual(app.size, 1)
        stream.leave()
        await eventually(lambda: app.size == 0)
        self.assertEqual(self.ended, 1)

    async def test_without_a_first_message_end_after_a_time(self) -> None:
        app = self.app(idle_timeout=0.1)
        socket = Socket(app, {}, knows_denial=True).start()
        await asyncio.wait_for(socket.task or asyncio.sleep(0), 5)
        self.assertEqual(socket.sent[-1]["type"], "websocket.close")
        self.assertEqual((app.size, self.ended), (0, 1))

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

    async def test_whose_client_leaves_before_the_answer_end(self) -> None:
        async def never_answer(stream: Any) -> None:
            while await stream.read():
                pass

        app = HttpApp(never_answer)
        exchange = Exchange(app, "POST", {"content-type": "application/json"}).start()
        exchange.give(INITIALIZE)
        await eventually(lambda: app.size == 1)
        exchange.leave()
        self.assertEqual((await exchange.answer()).status, 503)
        await eventually(lambda: app.size == 0)

    async def test_end_with_a_first_answer_that_is_an_error(self) -> None:
        app = self.app()
        answer = await post(app, {}, message(0, "session/new", {}))
        self.assertEqual(answer.status, 200)
        self.assertNotIn("acp-connection-id", answer.headers)
        await eventually(lambda: app.size == 0)

    async def test_are_refused_by_a_server_that_drains(self) -> None:
        app = self.app()
        own = await connected(app)
        stream = await open_stream(app, own)
        await post(app, own, prompt("s", chunks=10, pause=20))
        draining = asyncio.ensure_future(app.drain())
        await asyncio.sleep(0.02)
        refused = await post(app, {}, INITIALIZE)
        self.assertEqual((refused.status, refused.headers["retry-after"]), (503, "5"))
        self.assertEqual((await upgrade(app, {})).status, 503)
        await draining
        await stream.answer()
        self.assertEqual(stream.messages[-1]["result"], {"stopReason": "end_turn"})
        self.assertEqual((app.size, self.ended), (0, 1))


class Drains(RemoteTest):
    async def drain(self, app: HttpApp, max_time: float) -> float:
        """Drains a server, and returns how long it has taken."""
        now = asyncio.get_running_loop().time
        start = now()
        await app.drain(max_time)
        return now() - start

    async def test_wait_for_clients_that_have_lost_a_stream(self) -> None:
        app = self.app()
        own = await connected(app)
        lost = await open_stream(app, own)
        await post(app, own, prompt("s", chunks=2, pause=100))
        lost.leave()
        draining = asyncio.ensure_future(self.drain(app, 20))
        await asyncio.sleep(0.6)
        self.assertFalse(draining.done())
        back = await open_stream(app, {**own, "last-event-id": "0"})
        await back.answer()
        self.assertEqual(back.messages[-1]["result"], {"stopReason": "end_turn"})
        self.assertLess(await draining, 5)

    async def test_wait_until_a_lost_stream_has_said_what_it_has_received(self) -> None:
        app = self.app()
        own = await connected(app)
        session = {**own, "acp-session-id": "s"}
        lost = await open_stream(app, session)
        await post(app, own, prompt("s", chunks=2))
        await eventually(lambda: len(lost.messages) == 3)
        lost.leave()
        await lost.answer()
        draining = asyncio.ensure_future(self.drain(app, 20))
        await asyncio.sleep(0.1)
        self.assertFalse(draining.done())
        back = await open_stream(app, {**session, "last-event-id": "1"})
        await back.answer()
        self.assertEqual(back.ids, [2, 3])
        self.assertLess(await draining, 5)

    async def test_wait_until_a_websocket_has_taken_the_answer(self) -> None:
        app = self.app()
        socket = Socket(app, {}, knows_denial=True).start()
        socket.say(INITIALIZE.decode())
        await eventually(lambda: len(socket.sent) == 2)
        socket.is_paused.clear()
        socket.say(prompt("s").decode())
        await asyncio.sleep(0.05)
        draining = asyncio.ensure_future(self.drain(app, 20))
        await asyncio.sleep(0.1)
        self.assertFalse(draining.done())
        socket.is_paused.set()
        await draining
        texts = [event["text"] for event in socket.sent if "text" in event]
        self.assertIn("end_turn", texts[-1])

    async def test_end_in_time(self) -> None:
        for max_time in (0, 0.4):
            app = self.app()
            own = await connected(app)
            stream = await open_stream(app, own)
            await post(app, own, prompt("s", chunks=100, pause=1000))
            socket = Socket(app, {}, knows_denial=True).start()
            socket.say(INITIALIZE.decode())
            socket.say(prompt("s", chunks=100, pause=1000).decode())
            await eventually(lambda socket=socket: len(socket.sent) > 2)
            taken = await self.drain(app, max_time)
            self.assertGreaterEqual(taken, max_time * 0.75)
            self.assertLess(taken, max_time + 0.6)
            await eventually(lambda app=app: app.size == 0, 0.5)
            await stream.answer()
            self.assertEqual(socket.sent[-1]["type"], "websocket.close")

    async def test_that_come_second_wait_as_the_first(self) -> None:
        app = self.app()
        own = await connected(app)
        stream = await open_stream(app, own)
        await post(app, own, prompt("s", chunks=10, pause=20))
        first = asyncio.ensure_future(app.drain())
        await asyncio.sleep(0.02)
        second = asyncio.ensure_future(app.drain())
        await stream.answer()
        self.assertEqual(stream.messages[-1]["result"], {"stopReason": "end_turn"})
        await asyncio.sleep(0)
        third = asyncio.ensure_future(app.drain())
        await asyncio.wait((first, second, third), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(0.03)
        self.assertTrue(first.done() and second.done() and third.done())

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
    async def test_that_nobody_opens_give_their_messages_to_the_connection(
        self,
    ) -> None:
        for act in ("after a time", "at the end"):
            app = self.app()
            own = await connected(app)
            stream = await open_stream(app, own)
            await post(app, own, load("s"))
            await asyncio.sleep(0.05)
            self.assertEqual(stream.messages, [])
            if act == "at the end":
                await app.drain(0)
            await eventually(lambda stream=stream: len(stream.messages) == 201)
            texts = [one["params"] for one in stream.messages[:200]]
            texts = [one["update"]["content"]["text"] for one in texts]
            self.assertEqual(texts, [str(number) for number in range(200)])
            self.assertEqual(stream.messages[200]["id"], 2)
            self.assertEqual(stream.ids, list(range(1, 202)))

    async def test_can_be_taken_over_behind_any_event(self) -> None:
        app = self.app()
        own = await connected(app)
        session = {**own, "acp-session-id": "s"}
        first = await open_stream(app, session)
        again = await call(app, "GET", {**EVENTS, **session})
        self.assertEqual(again.status, 409)
        await post(app, own, load("s"))
        await eventually(lambda: len(first.messages) == 201)
        for last in ("0", "150", "201"):
            taken = await open_stream(app, {**session, "last-event-id": last})
            await eventually(lambda first=first: first.task.done())
            await asyncio.sleep(0.02)
            self.assertEqual(taken.ids, list(range(int(last) + 1, 202)), last)
            first = taken
        # What was received is kept no longer.
        gone = await call(app, "GET", {**EVENTS, **session, "last-event-id": "150"})
        self.assertEqual(gone.status, 410)

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

    async def test_that_were_lost_cannot_be_resumed_without_what_was_dropped(
        self,
    ) -> None:
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

    async def test_show_signs_of_life(self) -> None:
        app = self.app(keep_alive=0.02)
        stream = await open_stream(app, await connected(app))
        await asyncio.sleep(0.1)
        self.assertTrue(stream.text.startswith(": open\n\n:\n\n:\n\n"))
        self.assertEqual(stream.headers["acp-event-order"], "connection")
        self.assertIn("no-transform", stream.headers["cache-control"])

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


if __name__ == "__main__":
    unittest.main()
