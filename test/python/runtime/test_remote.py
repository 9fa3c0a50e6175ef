"""Conversations over HTTP and WebSocket, with the web servers and clients that people use."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import logging
import sys
import time
import unittest
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from email.utils import formatdate
from typing import Any
from unittest import mock

from acp_bindings import (
    AcpError,
    ByteStream,
    ConnectionClosedError,
    RequestTimeoutError,
    RpcError,
    connect,
    serve,
)
from acp_bindings._runtime.remote.client.events import Event, EventSplitter
from acp_bindings._runtime.remote.client.message_order import MessageOrder
from acp_bindings._runtime.remote.client import http_requests
from acp_bindings._runtime.remote.client.retry import Retry
from acp_bindings.remote import HttpApp, HttpError, HttpStream, WebSocketStream
from acp_bindings.v1 import Agent, Client
from remote_work import (
    INFO,
    Editor,
    Served,
    Worker,
    new_session,
    served,
    work,
    working_app,
)

PACKAGES = ("httpx", "uvicorn", "websockets", "fastapi")
IS_INSTALLED = all(map(importlib.util.find_spec, PACKAGES))

Opener = Callable[[Served], Any]


@contextlib.asynccontextmanager
async def over_http(server: Served) -> AsyncGenerator[ByteStream, None]:
    import httpx

    async with httpx.AsyncClient() as http:
        yield HttpStream(server.url, http)


@contextlib.asynccontextmanager
async def over_websocket(server: Served) -> AsyncGenerator[ByteStream, None]:
    import websockets

    async with websockets.connect(server.socket_url) as socket:
        yield WebSocketStream(socket)


OPENERS: dict[str, Opener] = {"HTTP": over_http, "WebSocket": over_websocket}


def numbers(count: int) -> list[str]:
    return [str(number) for number in range(count)]


@unittest.skipUnless(IS_INSTALLED, "needs httpx, uvicorn, websockets and fastapi")
class Conversations(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        # Debugging makes the loop several times slower.
        asyncio.get_event_loop().set_debug(False)

    async def test_sessions_with_ids_that_fit_no_header_have_turns(self) -> None:
        async with served(working_app()) as server, over_http(server) as stream:
            editor = Editor()
            async with connect(editor, stream) as agent:
                for session in ("日本", "a\r\nx: y", " ", "x" * 1024):
                    editor.texts.clear()
                    turn = await work(agent, session, chunks=10, questions=1)
                    self.assertEqual(turn.stop_reason, "end_turn")
                    self.assertEqual(editor.texts, numbers(10))

    async def test_a_client_learns_that_a_drained_server_has_ended(self) -> None:
        for kind, opener in OPENERS.items():
            with self.subTest(kind):
                async with contextlib.AsyncExitStack() as ends:
                    async with served(working_app()) as server:
                        stream = await ends.enter_async_context(opener(server))
                        connection = connect(Editor(), stream)
                        agent = await ends.enter_async_context(connection)
                        await server.app.drain()
                    await asyncio.wait_for(agent.wait_closed(), 3)

    async def test_tokens_are_renewed_and_cookies_returned(self) -> None:
        seen: list[tuple[str | None, str | None]] = []
        valid = ["first"]

        def authenticate(request: Any) -> str | None:
            token = request.headers.get("authorization")
            seen.append((token, request.headers.get("cookie")))
            return "ana" if token == valid[0] else None

        app = working_app(authenticate=authenticate, challenge="Bearer realm=x")
        with_cookie = Around(app)
        tokens = ["first"]
        challenges: list[str] = []

        async def renew(challenge: str) -> bool:
            challenges.append(challenge)
            tokens[0] = valid[0]
            return True

        async with served(app, with_cookie) as server:
            stream = HttpStream(
                server.url,
                headers=lambda: {"authorization": tokens[0]},
                on_unauthorized=renew,
            )
            async with connect(Editor(), stream) as agent:
                session = await new_session(agent)
                valid[0] = "second"
                await work(agent, session, chunks=1)
            self.assertEqual(challenges, ["Bearer realm=x"])
            self.assertEqual(seen[0], ("first", None))
            self.assertEqual(seen[-1], ("second", "node=a"))
            refused = HttpStream(server.url)
            with self.assertRaisesRegex(ConnectionClosedError, "401") as raised:
                async with connect(Editor(), refused):
                    pass
            cause = raised.exception.__cause__
            assert isinstance(cause, HttpError)
            self.assertEqual((cause.status, cause.body), (401, "Unauthorized"))

    async def test_a_pool_without_a_connection_left_is_an_error(self) -> None:
        import httpx

        limits = httpx.Limits(max_connections=2)
        async with (
            served(working_app()) as server,
            httpx.AsyncClient(limits=limits) as http,
        ):
            stream = HttpStream(server.url, http)
            with (
                mock.patch.object(http_requests, "_POOL_TIME", 0.1),
                self.assertRaisesRegex(ConnectionClosedError, "limits="),
            ):
                async with connect(Editor(), stream, timeout=5) as agent:
                    await work(agent, await new_session(agent), chunks=1)

    async def test_who_leaves_fills_no_log(self) -> None:
        for kind, opener in OPENERS.items():
            app = HttpApp(lambda stream: serve(Logging(), stream))
            with self.subTest(kind), self.assertNoLogs("acp_bindings"):
                async with served(app) as server:
                    async with opener(server) as stream:
                        async with connect(Undecided(), stream) as agent:
                            session = await new_session(agent)
                            turn = asyncio.ensure_future(
                                work(agent, session, questions=1)
                            )
                            await asyncio.sleep(0.1)
                        with self.assertRaises(ConnectionClosedError):
                            await turn
                    while server.app.size > 0:
                        await asyncio.sleep(0.01)

    async def test_an_application_has_its_place_in_fastapi(self) -> None:
        import fastapi
        from starlette.routing import Route, WebSocketRoute

        app = working_app()
        api = fastapi.FastAPI()
        api.router.routes += [Route("/acp", app), WebSocketRoute("/acp", app)]
        async with served(app, api) as server:
            for opener in OPENERS.values():
                async with opener(server) as stream, connect(Editor(), stream) as agent:
                    session = await new_session(agent)
                    await work(agent, session, chunks=10, questions=1)


class Logging(Worker):
    """Logs its errors."""

    on_error = Agent.on_error


class Undecided(Editor):
    """Answers no question."""

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        await asyncio.Event().wait()


class Around:
    """A proxy that sets a cookie."""

    def __init__(self, app: HttpApp) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def send_with_cookie(event: dict[str, Any]) -> None:
            if event["type"] == "http.response.start":
                cookie = (b"set-cookie", b"node=a; Path=/; HttpOnly")
                event = {**event, "headers": [*event["headers"], cookie]}
            await send(event)

        await self._app(scope, receive, send_with_cookie)


class Response:
    """A response of an HTTP client that was written for a test."""

    def __init__(
        self, status: int, headers: dict[str, str], *pieces: bytes | None
    ) -> None:
        """After a piece that is None, nothing comes any more."""
        self.status_code = status
        self.headers = headers
        self._pieces = pieces

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            if piece is None:
                await asyncio.Event().wait()
            else:
                yield piece

    async def __aenter__(self) -> Response:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


class Http:
    """An HTTP client that answers with what a test gives."""

    def __init__(self, answer: Callable[[str, dict[str, str], Any], Response]) -> None:
        self._answer = answer
        self.requests: list[tuple[str, dict[str, str]]] = []

    def stream(self, method: str, _url: str, **options: Any) -> Response:
        self.requests.append((method, options["headers"]))
        assert options["follow_redirects"] is False
        response = self._answer(method, options["headers"], options["content"])
        if method == "GET":
            response.headers = {"content-type": "text/event-stream", **response.headers}
        return response


def answering(result: dict[str, Any], *events: bytes | None) -> Callable[..., Response]:
    """Answers `initialize` with a result, and streams with events."""

    def answer(method: str, headers: dict[str, str], content: Any) -> Response:
        if method == "GET":
            return Response(200, {}, *events)
        message = json.loads(content)
        if message["method"] != "initialize":
            return Response(202, {})
        text = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return Response(200, {"acp-connection-id": "c"}, json.dumps(text).encode())

    return answer


class Silent(Response):
    """A response that never begins."""

    def __init__(self) -> None:
        super().__init__(200, {})

    async def __aenter__(self) -> Response:
        await asyncio.Event().wait()
        return self


class Broken(Response):
    """A response that ends with an exception of the HTTP client."""

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        yield b": open\n\n"
        raise RuntimeError("cut off")


class Queued(Response):
    """A response of a server that numbers its messages, with what a queue has."""

    def __init__(self, pieces: asyncio.Queue[bytes]) -> None:
        super().__init__(200, ORDERED)
        self._queue = pieces

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        while True:
            yield await self._queue.get()


ORDERED = {"acp-event-order": "connection"}
WELCOME = {"protocolVersion": 1, "agentCapabilities": {}}


def welcome(content: bytes) -> Response:
    """Answers `initialize` as a server that numbers its messages."""
    text = {"jsonrpc": "2.0", "id": json.loads(content)["id"], "result": WELCOME}
    headers = {**ORDERED, "acp-connection-id": "c"}
    return Response(200, headers, json.dumps(text).encode())


def now() -> float:
    return asyncio.get_running_loop().time()


class Clients(unittest.IsolatedAsyncioTestCase):
    async def connect(self, answer: Callable[..., Response], **options: Any) -> None:
        stream = HttpStream("http://x", Http(answer), **options)
        async with connect(Editor(), stream, timeout=5):
            pass

    async def test_name_a_server_that_is_no_agent(self) -> None:
        with self.assertRaisesRegex(ConnectionClosedError, "JSON"):
            await self.connect(lambda *_: Response(200, {}, b"<html>"))
        for body in (
            b'{"ok":true}',
            b'{"id":0}',
            b'{"jsonrpc":"2.0","id":7,"result":{}}',
            b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
            b'{"jsonrpc":"2.0","id":0,"method":"x"}',
            b"null",
            b"[]",
        ):
            with self.assertRaisesRegex(ConnectionClosedError, "has not answered"):
                await self.connect(lambda *_, body=body: Response(200, {}, body))
        nameless = b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}'
        with self.assertRaisesRegex(ConnectionClosedError, "acp-connection-id"):
            await self.connect(lambda *_: Response(200, {}, nameless))
        with self.assertRaisesRegex(ConnectionClosedError, "404: Not here"):
            await self.connect(lambda *_: Response(404, {}, b"Not here"))
        with self.assertRaisesRegex(ConnectionClosedError, "307"):
            await self.connect(lambda *_: Response(307, {"location": "http://y"}))

        def fail(*_: object) -> Response:
            raise ValueError("no route")

        with self.assertRaisesRegex(ConnectionClosedError, "no route") as raised:
            await self.connect(fail)
        cause = raised.exception.__cause__
        assert isinstance(cause, AcpError)
        self.assertIsInstance(cause.__cause__, ValueError)

    async def test_leave_while_something_arrives(self) -> None:
        for turns in range(6):
            pieces: asyncio.Queue[bytes] = asyncio.Queue()

            def answer(
                method: str, _: object, content: Any, pieces: Any = pieces
            ) -> Response:
                if method == "POST":
                    return welcome(content)
                return Queued(pieces) if method == "GET" else Response(202, {})

            stream = HttpStream("http://x", Http(answer))
            async with connect(Editor(), stream, timeout=5):
                await asyncio.sleep(0.01)
                pieces.put_nowait(b": still here\n\n")
                for _ in range(turns):
                    await asyncio.sleep(0)
                closing = asyncio.ensure_future(stream.close())
                await asyncio.wait((closing,), timeout=2)
                self.assertTrue(closing.done(), turns)

    async def test_do_not_wait_for_a_server_that_is_silent(self) -> None:
        start = now()
        stream = HttpStream("http://x", Http(lambda *_: Silent()))
        with self.assertRaises(RequestTimeoutError):
            async with connect(Editor(), stream, timeout=0.1):
                pass
        self.assertLess(now() - start, 1)
        stream = HttpStream("http://x", Http(lambda *_: Silent()), max_silence=0.1)
        with self.assertRaisesRegex(ConnectionClosedError, "nothing came"):
            async with connect(Editor(), stream):
                pass
        is_dark = False

        def answer(method: str, _: object, content: Any) -> Response:
            if method == "GET":
                return Queued(asyncio.Queue())
            return Silent() if is_dark else welcome(content)

        stream = HttpStream("http://x", Http(answer))
        async with connect(Editor(), stream, timeout=5) as agent:
            is_dark = True
            calling = asyncio.ensure_future(agent.call_extension("_x", {}))
            await asyncio.sleep(0.01)
            start = now()
        self.assertLess(now() - start, 4)
        self.assertIsInstance(calling.exception(), ConnectionClosedError)

    async def test_open_a_stream_again_when_one_is_or_falls_silent(self) -> None:
        opened: list[dict[str, str]] = []

        def answer(method: str, headers: dict[str, str], content: Any) -> Response:
            if method == "POST":
                return welcome(content)
            if method == "DELETE":
                return Response(202, {})
            opened.append(headers)
            lost = (
                Response(200, ORDERED),
                Silent(),
                Response(200, ORDERED, b":\n\n", None),
            )
            return (
                lost[len(opened) - 1] if len(opened) <= 3 else Queued(asyncio.Queue())
            )

        stream = HttpStream("http://x", Http(answer), max_silence=0.05)
        async with connect(Editor(), stream, timeout=5):
            while len(opened) < 4:
                await asyncio.sleep(0.01)

    async def test_open_a_stream_again_unless_it_is_refused_for_good(self) -> None:
        for status in (500, 502, 503, 504, 400, 403, 404, 499):
            with self.subTest(status=status):
                if status >= 500:
                    self.assertEqual(await self.call_behind(status), {})
                else:
                    with self.assertRaises(ConnectionClosedError):
                        await self.call_behind(status)

    async def test_an_unknown_session_fails_its_call_alone(self) -> None:
        pieces: asyncio.Queue[bytes] = asyncio.Queue()
        waiting: list[Any] = []

        def answer(method: str, headers: dict[str, str], content: Any) -> Response:
            if "acp-session-id" in {name.lower() for name in headers}:
                return Response(404, {})
            if method == "GET":
                return Queued(pieces)
            if method == "DELETE":
                return Response(202, {})
            message = json.loads(content)
            if message["method"] == "initialize":
                return welcome(content)
            if message["method"] == "session/load":
                return Response(404, {})
            waiting.append(message["id"])
            return Response(202, {})

        stream = HttpStream("http://x", Http(answer))
        async with connect(Editor(), stream, timeout=5) as agent:
            call = asyncio.ensure_future(agent.call_extension("_x", {}))
            params = {"sessionId": "s0", "cwd": "/", "mcpServers": []}
            await agent.notify("session/cancel", {"sessionId": "s0"})
            with self.assertRaisesRegex(RpcError, "404"):
                await agent.request("session/load", params, ignore_capabilities=True)
            text = {"jsonrpc": "2.0", "id": waiting[0], "result": {}}
            pieces.put_nowait(b"id: 1\ndata: %s\n\n" % json.dumps(text).encode())
            self.assertEqual(await call, {})

    async def test_load_a_session_once_without_its_header(self) -> None:
        pieces: asyncio.Queue[bytes] = asyncio.Queue()
        sent: list[str | None] = []

        def answer(method: str, headers: dict[str, str], content: Any) -> Response:
            names = {name.lower(): value for name, value in headers.items()}
            session = names.get("acp-session-id")
            if method == "GET":
                return Queued(pieces) if session is None else Response(404, {})
            if method == "DELETE":
                return Response(202, {})
            message = json.loads(content)
            if message["method"] == "initialize":
                return welcome(content)
            sent.append(session)
            if session is not None:
                return Response(404, {})
            text = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
            pieces.put_nowait(b"id: 1\ndata: %s\n\n" % json.dumps(text).encode())
            return Response(202, {})

        stream = HttpStream("http://x", Http(answer))
        async with connect(Editor(), stream, timeout=5) as agent:
            params = {"sessionId": "s", "cwd": "/", "mcpServers": []}
            await agent.request("session/load", params, ignore_capabilities=True)
        self.assertEqual(sent, ["s", None])

    async def test_do_not_ask_a_server_that_is_busy_for_longer_than_they_wait(self) -> None:
        posted = 0

        def answer(method: str, _: object, content: Any) -> Response:
            nonlocal posted
            if method == "GET":
                return Queued(asyncio.Queue())
            posted += method == "POST"
            if posted == 1:
                return welcome(content)
            return Response(202 if method == "DELETE" else 503, {"retry-after": "60"})

        async with connect(Editor(), HttpStream("http://x", Http(answer))) as agent:
            with self.assertRaisesRegex(RpcError, "503"):
                await agent.call_extension("_x", {})
        self.assertEqual(posted, 2)

    async def test_wait_as_long_as_the_server_asks(self) -> None:
        dates = (formatdate(time.time() + 1000, usegmt=True), "yesterday", "")
        for value, least in (("7", 7.0), *zip(dates, (900.0, 0.0, 0.0))):
            response = Response(503, {"retry-after": value})
            error = await http_requests._read_error(response)
            self.assertGreaterEqual(error.retry_after, least)
            self.assertLessEqual(error.retry_after, least + 100)
        refusal = HttpError(503, "", 7.0)
        delays: list[float] = []

        async def sleep(delay: float) -> None:
            delays.append(delay)

        with mock.patch("asyncio.sleep", sleep):
            self.assertTrue(await Retry(30.0).wait(refusal))
            self.assertFalse(await Retry(5.0).wait(refusal))
        self.assertEqual(delays, [7.0])

    async def call_behind(self, status: int) -> Any:
        """Calls an agent while its stream is lost and once refused with a status."""
        opened = 0
        pieces: asyncio.Queue[bytes] = asyncio.Queue()

        def answer(method: str, _: object, content: Any) -> Response:
            nonlocal opened
            if method == "GET":
                opened += 1
                lost = Response(200, dict(ORDERED)), Response(status, {})
                return lost[opened - 1] if opened <= 2 else Queued(pieces)
            if method == "DELETE":
                return Response(202, {})
            message = json.loads(content)
            if message["method"] == "initialize":
                return welcome(content)
            text = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
            pieces.put_nowait(b"id: 1\ndata: %s\n\n" % json.dumps(text).encode())
            return Response(202, {})

        stream = HttpStream("http://x", Http(answer))
        async with connect(Editor(), stream, timeout=5) as agent:
            return await agent.call_extension("_x", {})

    async def test_end_with_an_exception_of_the_program(self) -> None:
        def fail(_: object = None) -> Any:
            raise PermissionError("revoked")

        async def fail_later(_: object = None) -> Any:
            fail()

        async def be_cancelled(_: object = None) -> Any:
            raise asyncio.CancelledError

        for function, text in (
            (fail, "revoked"),
            (fail_later, "revoked"),
            (be_cancelled, "cancelled"),
        ):
            for name in ("headers", "on_unauthorized"):
                await self.end_with(name, function, text)

    async def end_with(self, name: str, function: Any, text: str) -> None:
        """Lets a function fail that a client calls for its second message."""
        is_welcome = False
        calls = 0

        def answer(method: str, _: object, content: Any) -> Response:
            nonlocal is_welcome
            if method == "GET":
                return Queued(asyncio.Queue())
            if is_welcome:
                return Response(401, {})
            is_welcome = True
            return welcome(content)

        def call(*arguments: Any) -> Any:
            nonlocal calls
            calls += is_welcome
            # The stream is opened with headers, too.
            if name == "headers" and calls < 2:
                return {}
            return function(*arguments)

        options: dict[str, Any] = {name: call}
        stream = HttpStream("http://x", Http(answer), **options)
        with self.assertRaisesRegex(ConnectionClosedError, text) as raised:
            async with connect(Editor(), stream, timeout=5) as agent:
                await agent.call_extension("_x", {})
        self.assertIn(name, str(raised.exception))
        self.assertEqual(calls, 2 if name == "headers" else 1)

    async def test_log_no_traceback_of_a_server_that_they_do_not_reach(self) -> None:
        def fail(*_: object) -> Response:
            raise ValueError("no route")

        class Terminal(Client):
            async def session_request_permission(
                self, params: Any, context: Any
            ) -> Any: ...

        with (
            self.assertLogs("acp_bindings", logging.WARNING) as logs,
            self.assertRaises(ConnectionClosedError),
        ):
            async with connect(Terminal(info=INFO), HttpStream("http://x", Http(fail))):
                pass
        self.assertEqual([record.exc_info for record in logs.records], [None])

    async def test_show_why_a_stream_was_lost(self) -> None:
        def answer(method: str, _: object, content: Any) -> Response:
            if method == "GET":
                return Broken(200, {})
            found = welcome(content)
            found.headers = {"acp-connection-id": "c"}
            return found

        stream = HttpStream("http://x", Http(answer))
        with self.assertRaisesRegex(ConnectionClosedError, "cut off"):
            async with connect(Editor(), stream, timeout=5) as agent:
                await agent.call_extension("_x", {})

    async def test_take_a_page_to_sign_in_for_a_refusal(self) -> None:
        page = Response(200, {"content-type": "text/html"}, b"Sign in")
        for hidden in ("GET", "POST"):
            is_first = True

            def answer(
                method: str, _: object, content: Any, hidden: str = hidden
            ) -> Response:
                nonlocal is_first
                if method == "POST" and is_first:
                    is_first = False
                    return welcome(content)
                return page if method == hidden else Queued(asyncio.Queue())

            with self.assertRaisesRegex(AcpError, "200: Sign in"):
                async with connect(
                    Editor(), HttpStream("http://x", Http(answer)), timeout=5
                ) as agent:
                    await agent.call_extension("_x", {})

    async def test_end_with_an_event_that_is_too_long(self) -> None:
        result = {"protocolVersion": 1, "agentCapabilities": {}}
        answer = answering(result, b"data: ", b"x" * 2000)
        http = Http(answer)
        stream = HttpStream("http://x", http, max_message_bytes=1000)
        with self.assertRaisesRegex(ConnectionClosedError, "too long"):
            async with connect(Editor(), stream) as agent:
                await agent.call_extension("_x", {})
        streams = [headers for method, headers in http.requests if method == "GET"]
        self.assertEqual(len(streams), 1)

    async def test_open_no_streams_for_answers_that_nobody_waits_for(self) -> None:
        result = {"protocolVersion": 1, "agentCapabilities": {}}
        made = b'data: {"jsonrpc":"2.0","id":%d,"result":{"sessionId":"s%d"}}\n\n'
        answer = answering(result, *(made % (n, n) for n in range(5, 100)), None)
        http = Http(answer)
        with contextlib.suppress(AcpError):
            async with connect(Editor(), HttpStream("http://x", http)):
                await asyncio.sleep(0.05)
        streams = [headers for method, headers in http.requests if method == "GET"]
        self.assertEqual(len(streams), 1)

    async def test_say_what_is_missing_without_httpx(self) -> None:
        with (
            mock.patch.dict(sys.modules, {"httpx": None}),
            self.assertRaisesRegex(ImportError, "HttpStream needs an HTTP client"),
        ):
            HttpStream("http://x")

    async def test_take_ids_of_other_servers_for_opaque(self) -> None:
        result = {"protocolVersion": 1, "agentCapabilities": {}}
        hello = b'{"jsonrpc":"2.0","method":"_hello"}'
        events = b"".join(b"id: 7\r\ndata: %b\r\n\r\n" % hello for _ in range(3))
        received: list[str] = []

        class Listener(Editor):
            async def handle_extension(
                self, method: str, params: Any, context: Any
            ) -> Any:
                received.append(method)

        http = Http(answering(result, events[:20], events[20:]))
        stream = HttpStream("http://x", http)
        with contextlib.suppress(AcpError):
            async with connect(Listener(), stream):
                await asyncio.sleep(0.15)
        self.assertEqual(received[:3], ["_hello"] * 3)
        again = [headers for method, headers in http.requests if method == "GET"][1]
        self.assertEqual(again["last-event-id"], "7")


class Parts(unittest.TestCase):
    def test_messages_come_once_and_after_those_before_them(self) -> None:
        order = MessageOrder()
        taken = [order.take(number, b"%d" % number) for number in (2, 2, 3, 1, 1, 4)]
        self.assertEqual(taken, [[], [], [], [b"1", b"2", b"3"], [], [b"4"]])

    def test_messages_that_wait_for_one_that_never_comes_are_bounded(self) -> None:
        order = MessageOrder()
        with self.assertRaisesRegex(AcpError, "leaves out"):
            for number in range(2, 500_000):
                order.take(number, b"x")
        with self.assertRaisesRegex(AcpError, "leaves out"):
            MessageOrder().take(2, b"x" * 2**25)
        order = MessageOrder()
        for _ in range(500_000):
            order.take(1, b"x")

    def test_events_are_read_however_they_are_cut(self) -> None:
        text = b": open\n\nid: 1\r\ndata: a\r\ndata:b\r\n\r\ndata:  c\nretry: 5\n\ndata: no end"
        expected = [Event(b"a\nb", "1"), Event(b" c", None)]
        for size in range(1, len(text) + 1):
            splitter = EventSplitter(100)
            found: list[Event] = []
            for start in range(0, len(text), size):
                found += splitter.feed(text[start : start + size])
            self.assertEqual(found, expected, size)

    def test_events_are_bounded_however_they_are_cut(self) -> None:
        for chunks in ([b"data: " + b"x" * 100], [b"data:\n"] * 100, [b"x"] * 101):
            splitter = EventSplitter(100)
            with self.assertRaisesRegex(AcpError, "too long"):
                for chunk in chunks:
                    splitter.feed(chunk)


if __name__ == "__main__":
    unittest.main()
