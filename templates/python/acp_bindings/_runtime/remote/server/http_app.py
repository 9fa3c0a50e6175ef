"""A server of agents."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import uuid4

from ... import sentences
from ...rpc.messages import classify
from ...rpc.reports import LOGGED
from ...settings import check_counts, check_functions, check_times
from ..wire import (
    CONNECTION_ID,
    EVENT_ORDER,
    EVENT_TYPE,
    JSON_TYPE,
    LAST_EVENT_ID,
    MAX_ID,
    MAX_MESSAGE_BYTES,
    MESSAGE_NUMBER,
    OF_CONNECTION,
    SESSION_ID,
    read_message,
    read_number,
    session_of,
)
from .admission import LOOPBACK, Admission, Admitted, Allowed, Authenticate
from .asgi import (
    Receive,
    Reply,
    Request,
    Scope,
    Send,
    deny_socket,
    encode_headers,
    read_request,
    send_reply,
    wait_for_end,
)
from .body import BodyBudget, read_body
from .connection import Caller, HttpConnection, RemoteStream, Settings
from .event_queue import EventReader
from .socket_connection import SocketConnection

Serve: TypeAlias = Callable[[RemoteStream], Awaitable[object]]
"""Serves an agent over a stream until the connection ends."""

_RETRY_AFTER = {"retry-after": "5"}
_BUSY = {"retry-after": "1"}

# Clients show it as the reason.
_UNKNOWN = Reply(
    404,
    "Unknown Acp-Connection-Id: the server was restarted, or the connection ended",
)

_POLL = 0.02
"""The time between two looks at what is left of a server that drains, in seconds."""
_FAREWELL = 1.0
"""How long the ends of connections may take when a server drains, in seconds."""
_LEARN_TIME = 0.2
"""How long clients may come back to learn that their connection has ended, in seconds."""

_log = logging.getLogger("acp_bindings")


class HttpApp:
    """A server of agents over HTTP and WebSocket, as an ASGI application for one path.

    ```python
    app = HttpApp(lambda stream: serve(agent, stream))
    ```

    Unless options say more, only programs on this machine may call.
    """

    def __init__(
        self,
        serve: Serve,
        *,
        authenticate: Authenticate | None = None,
        challenge: str = "Bearer",
        allowed_hosts: Allowed = LOOPBACK,
        allowed_origins: Allowed = (),
        max_connections: int = 1000,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        max_buffered_bytes: int = 16 * 1024 * 1024,
        replay_bytes: int = 1024 * 1024,
        idle_timeout: float = 60.0,
        keep_alive: float = 15.0,
        connection_id: Callable[[], str] = lambda: str(uuid4()),
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        """`serve` is called for each connection; `stream.caller` tells who has opened it.

        `authenticate` is called for every request. It returns the name of the caller, or None
        to refuse it with 401 and `challenge`, the value of `WWW-Authenticate`; a connection
        belongs to the caller that has opened it. Without it, whoever reaches the server may
        call.

        `allowed_hosts` are the accepted values of `Host`, with or without a port, by default
        the names of this machine. `allowed_origins` are the origins of pages that may call,
        besides those of the server itself, such as `https://app.example`. `"*"` allows any,
        the origin `null` excepted, without cookies.

        An agent waits while its client has not read `max_buffered_bytes`. `replay_bytes` of
        sent messages are kept for clients that lose a stream. A connection ends that has no
        stream, or reads nothing, for `idle_timeout` seconds; `keep_alive` is the time between
        two signs of life. `connection_id` creates the id of a connection. `on_error` takes
        exceptions of `serve` and `authenticate`, of which callers see no text; by default, the
        first ones are logged. Raises TypeError or ValueError for a setting that cannot be kept.
        """
        check_functions(
            serve=serve,
            authenticate=authenticate,
            connection_id=connection_id,
            on_error=on_error,
        )
        check_counts(
            max_connections=max_connections,
            max_message_bytes=max_message_bytes,
            max_buffered_bytes=max_buffered_bytes,
        )
        check_times(
            replay_bytes=replay_bytes, idle_timeout=idle_timeout, keep_alive=keep_alive
        )
        self._serve = serve
        self._admission = Admission(
            authenticate, challenge, allowed_hosts, allowed_origins
        )
        self._settings = Settings(
            max_message_bytes,
            max_buffered_bytes,
            replay_bytes,
            idle_timeout,
            keep_alive,
        )
        self._bodies = BodyBudget(max_message_bytes)
        self._max_connections = max_connections
        self._connection_id = connection_id
        self._on_error = on_error or _Log().add
        self._connections: dict[str, HttpConnection] = {}
        self._streams: dict[
            HttpConnection | SocketConnection, asyncio.Task[None] | None
        ] = {}
        """Those of all agents that have not ended, with the tasks that serve them."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_draining = False
        self._learned = 0.0
        """When the clients of connections that a drain has closed know it, in the loop's time."""

    @property
    def size(self) -> int:
        """The number of connections."""
        return len(self._streams)

    async def drain(self, max_time: float = 10.0) -> None:
        """Accepts no new connections, and closes all when their clients have their answers.

        It waits until no request is running, and until clients that have lost a stream are back
        and have received what was sent. It ends after `max_time` seconds at the latest: at most
        one second of them, and at most a quarter, is for the ends of the connections, with which
        requests that still run end as well.
        """
        self._is_draining = True
        end = asyncio.get_running_loop().time() + max_time
        await _wait_while(
            lambda: not all(one.is_settled for one in self._streams),
            end - min(_FAREWELL, max_time / 4),
        )
        await self._close_all(end)

    async def _close_all(self, end: float) -> None:
        """Closes all connections. Agents that have not ended in half of the time are cancelled."""
        now = asyncio.get_running_loop().time
        for stream in list(self._streams):
            if not stream.is_closed:
                stream.end()
                self._learned = now() + _LEARN_TIME
        await _wait_while(lambda: len(self._streams) > 0, (now() + end) / 2)
        for task in self._streams.values():
            if task is not None:
                task.cancel()
        await _wait_while(lambda: len(self._streams) > 0 or now() < self._learned, end)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles a request of a web server."""
        if scope["type"] == "http":
            await self._handle(read_request(scope), receive, send)
        elif scope["type"] == "websocket":
            await self._handle_socket(read_request(scope), receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            raise ValueError(f"HttpApp does not handle {scope['type']!r}")

    async def _live(self, receive: Receive, send: Send) -> None:
        event = {"type": ""}
        while event["type"] != "lifespan.shutdown":
            event = dict(await receive())
            if event["type"] == "lifespan.shutdown":
                self._is_draining = True
                await self._close_all(asyncio.get_running_loop().time() + _FAREWELL)
            await send({"type": f"{event['type']}.complete"})

    # ---- HTTP

    async def _handle(self, request: Request, receive: Receive, send: Send) -> None:
        headers = {}
        try:
            reply: Reply | EventReader
            admitted = await self._admission.admit(request)
            if isinstance(admitted, Reply):
                reply = admitted
            else:
                headers = dict(admitted.headers)
                reply = await self._answer(request, admitted, receive)
        except Exception as error:  # noqa: BLE001
            self._on_error(error)
            reply = Reply(500)
        if isinstance(reply, EventReader):
            await reply.run(receive, send, headers)
        else:
            merged = {**reply.headers, **headers}
            await send_reply(send, Reply(reply.status, reply.text, merged))

    async def _answer(
        self, request: Request, admitted: Admitted, receive: Receive
    ) -> Reply | EventReader:
        if len(request.headers.get(SESSION_ID, "")) > MAX_ID:
            return Reply(400, "Acp-Session-Id is too long")
        found = self._find(request, admitted)
        if isinstance(found, Reply):
            return found
        if request.method == "POST":
            if found is None:
                return await self._open(request, admitted, receive)
            return await self._receive(request, found, receive)
        if request.method not in ("GET", "DELETE"):
            return Reply(405, "Method not allowed", {"allow": "GET, POST, DELETE"})
        if found is None:
            return Reply(400, "Missing Acp-Connection-Id")
        if request.method == "GET":
            return _open_stream(request, found)
        found.end()
        return Reply(202)

    def _find(
        self, request: Request, admitted: Admitted
    ) -> HttpConnection | Reply | None:
        """Returns the connection that a request names; None when it names none."""
        connection_id = request.headers.get(CONNECTION_ID)
        if connection_id is None:
            return None
        found = self._connections.get(connection_id)
        # A connection of somebody else does not exist.
        if (
            found is None
            or found.is_closed
            or found.caller.principal != admitted.principal
        ):
            return _UNKNOWN
        return found

    def _refusal(self) -> Reply | None:
        if self._is_draining:
            return Reply(503, sentences.server_ends, _RETRY_AFTER)
        if self.size >= self._max_connections:
            return Reply(503, "Too many connections", _RETRY_AFTER)
        return None

    async def _open(
        self, request: Request, admitted: Admitted, receive: Receive
    ) -> Reply:
        """Handles the first request of a client, whose response is the answer of the agent."""
        if refusal := self._refusal():
            return refusal
        body = await read_body(
            request, receive, self._settings.max_message_bytes, self._bodies
        )
        if isinstance(body, Reply):
            return body
        if classify(body.message, null_ids=False).kind != "request":
            return Reply(
                400, "Missing Acp-Connection-Id, or a first request with an id"
            )
        if refusal := self._refusal():
            return refusal
        caller = self._caller(request, admitted)
        connection = HttpConnection(caller, self._settings)
        self._connections[caller.connection_id] = connection
        connection.receive(body.text, body.message, None)
        self._start(connection)
        answer = await _first_answer(connection, receive)
        if answer is None:
            return Reply(503)
        headers = {"content-type": JSON_TYPE}
        if "error" in read_message(answer):
            connection.end()
        else:
            headers[CONNECTION_ID] = caller.connection_id
            headers[EVENT_ORDER] = OF_CONNECTION
        return Reply(200, answer.decode(), headers)

    async def _receive(
        self, request: Request, connection: HttpConnection, receive: Receive
    ) -> Reply:
        """Handles any further message."""
        header = request.headers.get(MESSAGE_NUMBER)
        number = read_number(header)
        if header is not None and not number:
            return Reply(400, "Acp-Message-Number is not a number from 1 on")
        if not await connection.is_ready():
            return Reply(503, "The agent has not read what came before", _BUSY)
        body = await read_body(
            request, receive, self._settings.max_message_bytes, self._bodies
        )
        if isinstance(body, Reply):
            return body
        if connection.is_closed:
            return _UNKNOWN
        named = request.headers.get(SESSION_ID)
        session = session_of(body.message)
        if session is not None and len(session) > MAX_ID:
            return Reply(400, sentences.session_id_too_long)
        if session is not None and named is not None and session != named:
            return Reply(400, "Mismatched Acp-Session-Id")
        if connection.is_new(number):
            connection.receive(body.text, body.message, named)
        return Reply(202)

    # ---- WebSocket

    async def _handle_socket(
        self, request: Request, receive: Receive, send: Send
    ) -> None:
        await receive()
        caller = await self._admit_socket(request)
        if isinstance(caller, Reply):
            await deny_socket(request.scope, send, caller)
            return
        connection = SocketConnection(caller, self._settings, receive, send)
        self._streams[connection] = None
        try:
            headers = encode_headers({CONNECTION_ID: caller.connection_id})
            await send({"type": "websocket.accept", "headers": headers})
        except BaseException:
            connection.end()
            del self._streams[connection]
            raise
        task = self._start(connection)
        try:
            await asyncio.wait((task,))
        finally:
            task.cancel()
            await asyncio.wait((task,), timeout=_FAREWELL)

    async def _admit_socket(self, request: Request) -> Caller | Reply:
        try:
            admitted = await self._admission.admit(request)
            if isinstance(admitted, Reply):
                return admitted
            return self._refusal() or self._caller(request, admitted)
        except Exception as error:  # noqa: BLE001
            self._on_error(error)
            return Reply(500)

    # ---- Agents

    def _caller(self, request: Request, admitted: Admitted) -> Caller:
        return Caller(request, admitted.principal, self._connection_id())

    def _start(
        self, connection: HttpConnection | SocketConnection
    ) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self._run(connection))
        self._streams[connection] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, connection: HttpConnection | SocketConnection) -> None:
        """Serves an agent until its connection has ended."""
        try:
            await self._serve(connection)
        except Exception as error:  # noqa: BLE001
            self._on_error(error)
        finally:
            connection.end()
            self._streams.pop(connection, None)
            self._connections.pop(connection.caller.connection_id, None)
            await connection.close()


def _open_stream(request: Request, connection: HttpConnection) -> Reply | EventReader:
    if EVENT_TYPE not in request.headers.get("accept", ""):
        return Reply(406, f"Accept {EVENT_TYPE}")
    header = request.headers.get(LAST_EVENT_ID)
    last = read_number(header)
    if header is not None and last is None:
        return Reply(400, "Last-Event-ID is not a number of this server")
    return connection.open(request.headers.get(SESSION_ID), last)


async def _first_answer(connection: HttpConnection, receive: Receive) -> bytes | None:
    """Waits for the first answer of an agent; None when it or its client has ended."""
    leaving = asyncio.ensure_future(wait_for_end(receive))
    try:
        await asyncio.wait(
            (connection.answer, leaving), return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        leaving.cancel()
        if not connection.answer.done():
            connection.end()
    return connection.answer.result()


async def _wait_while(condition: Callable[[], bool], end: float) -> None:
    """Waits while a condition is true, until a time of the loop at the latest."""
    now = asyncio.get_running_loop().time
    while condition() and (left := end - now()) > 0:
        await asyncio.sleep(min(left, _POLL))


class _Log:
    """Logs exceptions, the first ones only: strangers may cause any number of them."""

    def __init__(self) -> None:
        self._count = 0

    def add(self, error: Exception) -> None:
        self._count += 1
        if self._count <= LOGGED:
            _log.error("a request has failed", exc_info=error)
