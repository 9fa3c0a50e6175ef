"""Conversations over HTTP and WebSocket, with the web servers and clients that people use."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import logging
import sys
import unittest
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any
from unittest import mock

from acp_bindings import (
    AcpError,
    ByteStream,
    ConnectionClosedError,
    RequestTimeoutError,
    connect,
    serve,
)
from acp_bindings._runtime.remote.client import http_requests
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


@unittest.skipUnless(IS_INSTALLED, "needs httpx, uvicorn, websockets and fastapi")
class Conversations(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        # Debugging makes the loop several times slower.
        asyncio.get_event_loop().set_debug(False)

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

    def __init__(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.status_code = status
        self.headers = headers
        self._body = body

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        yield self._body

    async def __aenter__(self) -> Response:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


class Http:
    """An HTTP client that answers with what a test gives."""

    def __init__(self, answer: Callable[[str, dict[str, str], Any], Response]) -> None:
        self._answer = answer

    def stream(self, method: str, _url: str, **options: Any) -> Response:
        assert options["follow_redirects"] is False
        response = self._answer(method, options["headers"], options["content"])
        if method == "GET":
            response.headers = {"content-type": "text/event-stream", **response.headers}
        return response


class Silent(Response):
    """A response that never begins."""

    def __init__(self) -> None:
        super().__init__(200, {})

    async def __aenter__(self) -> Response:
        await asyncio.Event().wait()
        return self


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


class Clients(unittest.IsolatedAsyncioTestCase):
    async def test_name_a_server_that_is_no_agent(self) -> None:
        for body, reason in (
            (b'{"id":0}', "has not answered"),
            (b'{"jsonrpc":"2.0","id":0,"method":"x"}', "has not answered"),
            (b'{"jsonrpc":"2.0","id":0,"result":{}}', "acp-connection-id"),
        ):
            http = Http(lambda *_, body=body: Response(200, {}, body))
            with self.assertRaisesRegex(ConnectionClosedError, reason):
                async with connect(Editor(), HttpStream("http://x", http), timeout=5):
                    pass

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
        stream = HttpStream("http://x", Http(lambda *_: Silent()), max_silence=0.1)
        with self.assertRaisesRegex(ConnectionClosedError, "nothing came"):
            async with connect(Editor(), stream):
                pass
        stream = HttpStream("http://x", Http(lambda *_: Silent()))
        with self.assertRaises(RequestTimeoutError):
            async with connect(Editor(), stream, timeout=0.1):
                pass

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
            self.assertRaisesRegex(ConnectionClosedError, "no route") as raised,
        ):
            async with connect(Terminal(info=INFO), HttpStream("http://x", Http(fail))):
                pass
        cause = raised.exception.__cause__
        assert isinstance(cause, AcpError)
        self.assertIsInstance(cause.__cause__, ValueError)
        self.assertEqual([record.exc_info for record in logs.records], [None])

    async def test_say_what_is_missing_without_httpx(self) -> None:
        with (
            mock.patch.dict(sys.modules, {"httpx": None}),
            self.assertRaisesRegex(ImportError, "HttpStream needs an HTTP client"),
        ):
            HttpStream("http://x")
