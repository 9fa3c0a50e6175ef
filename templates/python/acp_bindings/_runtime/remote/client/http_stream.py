"""A connection to an agent over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

from ...json_text import parse_json, print_json
from ...rpc.errors import AcpError, RpcError
from ...rpc.inbound import error_response
from ...rpc.messages import classify, read_id
from ...rpc.patience import Patience, within
from ...settings import check_counts, check_functions, check_times
from ..backlog import Inbox, Outbox
from ..open_calls import OpenCalls
from ..wire import (
    CONNECTION_ID,
    JSON_TYPE,
    MAX_ID,
    MAX_MESSAGE_BYTES,
    MESSAGE_NUMBER,
    SESSION_ID,
    created_by,
    is_response,
    read_message,
    read_number,
    session_of,
)
from .event_stream import EventStream
from .events import Event
from .http_requests import (
    Headers,
    HttpClient,
    HttpError,
    HttpRequests,
    OnUnauthorized,
    announces_order,
    is_accepted,
    is_success,
    read_all,
    reason_of,
)
from .message_order import MessageOrder
from .retry import Retry

_LIMIT = 1024 * 1024
"""Senders wait, and nothing is read, while more bytes than this wait."""
_FAREWELL = 2.0
"""How long each step of the end may wait for the server, in seconds."""
_LEAVING = 1.0
"""How long a server that cannot be reached is told again that the connection has ended."""

_FINAL = (401, 403, 404, 410)
"""Statuses that end the connection: the server knows it no longer, or refuses its client."""
_STREAMLESS = (404, 429)
"""Statuses of a refused stream without which a session can do."""
_PASSING = (429, 502, 503, 504)
"""Statuses of proxies and of busy servers, after which a message is sent again."""

_SHOWN = 200
"""How much of an answer that is none is a part of the error, in bytes."""
_NO_AGENT = "is this the address of an agent?"

_HEADER_VALUE = re.compile(r"[!-~](?:[ -~]*[!-~])?")


class _OwnClient(HttpClient, Protocol):
    """A client that ends with its stream."""

    async def aclose(self) -> None: ...


class HttpStream:
    """A connection over HTTP: messages are requests, and those of the agent come in streams.

    ```python
    stream = HttpStream("https://agents.example/acp")
    async with connect(client, stream) as agent: ...
    ```

    A lost stream is opened again, and a message whose response was lost is sent again, with
    servers that number their messages; with others, the connection ends.
    """

    def __init__(
        self,
        url: str,
        client: HttpClient | None = None,
        *,
        headers: Headers | None = None,
        on_unauthorized: OnUnauthorized | None = None,
        reconnect: float = 30.0,
        max_silence: float = 60.0,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
    ) -> None:
        """`client` sends the requests; without one, a new `httpx.AsyncClient` does.

        Each session has a connection of the client for as long as it is open, so that one with
        a pool needs `limits=httpx.Limits(max_connections=None)`.

        `headers` are those of every request, or a function that returns them. `on_unauthorized`
        is called when the server answers 401, with the value of `WWW-Authenticate`, and returns
        whether the request is sent once more. An exception of either ends the connection.

        What is lost is tried again for `reconnect` seconds. A stream on which nothing arrives for
        `max_silence` seconds is lost; the first request has to be answered in that time, too.
        Raises ValueError for numbers that cannot be kept, and TypeError for what is no function.
        """
        check_counts(max_message_bytes=max_message_bytes)
        check_times(reconnect=reconnect, max_silence=max_silence)
        check_functions(on_unauthorized=on_unauthorized)
        self._own_client: _OwnClient | None = None
        if client is None:
            client = self._own_client = _create_client()
        self.requests = HttpRequests(url, client, headers, on_unauthorized)
        self.reconnect = reconnect
        self.max_silence = max_silence
        self.max_message_bytes = max_message_bytes
        self.is_ordered = False
        self._order = MessageOrder()
        self._inbox = Inbox(_LIMIT)
        self._outbox = Outbox(_LIMIT, self._send, self._fail)
        self._streams: dict[str | None, EventStream] = {}
        self._asked = OpenCalls()
        """The requests of the agent, for the headers of their answers."""
        self._calls = OpenCalls()
        """The requests of the client."""
        self._count = 0
        self._is_closing = False

    # ---- The client's side

    async def read(self) -> bytes:
        """Waits for messages of the agent; none at the end. Raises why the server was lost."""
        return await self._inbox.read()

    def write(self, data: bytes) -> None:
        """Queues messages for the agent."""
        if not self._is_closing:
            self._outbox.write(data)

    @property
    def unsent(self) -> int:
        """The bytes that are queued and not sent."""
        return self._outbox.unsent

    async def drain(self) -> None:
        """Waits while too many bytes are queued."""
        await self._outbox.drain()

    async def close(self) -> None:
        """Ends the connection, after everything that was queued."""
        if self._is_closing:
            return
        self._is_closing = True
        is_connected = self.requests.connection_id is not None
        try:
            # A server that has not answered the first message takes no other one.
            if is_connected:
                await self._outbox.flush(_FAREWELL)
        finally:
            takes_nothing = is_connected and self._outbox.unsent > 0
            tasks = self._end(None)
        if tasks:
            await asyncio.wait(tasks, timeout=_FAREWELL)
        # The server may be gone.
        with contextlib.suppress(Exception):
            if is_connected:
                await within(_LEAVING if takes_nothing else _FAREWELL, self._leave())
        with contextlib.suppress(Exception):
            if self._own_client is not None:
                await within(_FAREWELL, self._own_client.aclose())

    async def _leave(self) -> None:
        """Tells the server, which otherwise keeps the agent until it has been idle for long."""
        retry = Retry(_LEAVING)
        while True:
            try:
                async with self.requests.send("DELETE", {}, is_expected=is_success):
                    return
            except AcpError:
                raise
            except Exception:
                if not await retry.wait():
                    raise

    def _end(self, error: Exception | None) -> list[asyncio.Task[None]]:
        """Ends both directions, and returns the tasks that it cancels."""
        self._inbox.end(error)
        tasks = [stream.task for stream in self._streams.values()]
        for task in tasks:
            task.cancel()
        return tasks + self._outbox.end()

    def _fail(self, error: Exception) -> None:
        self._end(_explain(error))

    # ---- Messages of the agent

    async def can_read(self) -> None:
        """Waits until more may be read."""
        await self._inbox.has_room()

    def receive(self, event: Event, session: str | None, *, is_ordered: bool) -> None:
        """Takes an event of a stream."""
        # All others are notifications.
        if b'"id"' in event.data:
            self._follow(read_message(event.data), session)
        number = read_number(event.id) if is_ordered else None
        due = self._order.take(number, event.data) if number else [event.data]
        for message in due:
            self._inbox.put(message)

    def _follow(self, message: Mapping[str, Any], session: str | None) -> None:
        """Notes what a message means for streams."""
        if not is_response(message):
            self._asked.add(message, session_of(message) or session)
        elif message in self._calls:
            self._calls.take(message)
            created = created_by(message)
            # At once: what the agent sent before this answer is in the stream.
            if created is not None and _is_header_value(created):
                self._open(created)

    def refused(self, session: str | None, error: Exception) -> None:
        """Called when a stream was not opened."""
        self._streams.pop(session, None)
        # A session can do without one that the server refuses, and it may be opened later.
        if not isinstance(error, HttpError):
            self._fail(error)

    def lost(self, session: str | None, error: Exception | None) -> None:
        """Called when a stream has ended for good; without an error for a regular end."""
        self._streams.pop(session, None)
        if error is not None:
            self._fail(error)
        elif not self._can_do_without(session):
            self._end(None)

    def _can_do_without(self, session: str | None) -> bool:
        """Returns whether the connection goes on after the regular end of a stream.

        A server that numbers its messages ends them all, and each has its last messages; others
        end that of a closed session.
        """
        if self.is_ordered:
            return len(self._streams) > 0
        return session is not None and not self._calls.name(session)

    # ---- Messages of the client

    async def _send(self, line: bytes) -> None:
        if self.requests.connection_id is None:
            await self._initialize(line)
            return
        message = read_message(line)
        session = session_of(message)
        is_call = False
        if is_response(message):
            session = self._asked.take(message)
        else:
            self._calls.add(message, session)
            is_call = message in self._calls
        try:
            await self._post(line, session, is_call=is_call)
        except HttpError as error:
            # A session that the server does not know is not a connection that it does not know.
            is_of_session = error.status == 404 and session is not None
            if not is_of_session and (error.status in _FINAL or not is_call):
                raise
            if not is_call:
                return
            # Only this request has failed.
            self._calls.take(message)
            data = {"status": error.status, "body": error.body}
            response = error_response(
                message["id"], RpcError.internal(str(error), data)
            )
            text = print_json({"jsonrpc": "2.0", **response})
            self._inbox.put(text.encode())

    async def _initialize(self, line: bytes) -> None:
        """Sends the first request, whose response is its answer."""
        patience = Patience(self.max_silence)
        answer = await patience.wait_for(self._ask_first(line, patience))
        deliver = functools.partial(self._inbox.put, answer)
        if self.requests.connection_id is None:
            deliver()
        else:
            await asyncio.shield(self._open(None, deliver))

    async def _ask_first(self, line: bytes, patience: Patience) -> bytes:
        headers = {"content-type": JSON_TYPE}
        async with self.requests.send(
            "POST", headers, line, is_expected=is_success, patience=patience
        ) as response:
            answer = await read_all(response, self.max_message_bytes)
            is_ordered = announces_order(response)
            connection_id = response.headers.get(CONNECTION_ID)
        _check_first_answer(answer, read_message(line), connection_id)
        self.is_ordered = is_ordered
        self.requests.connection_id = connection_id
        return answer

    async def _post(self, line: bytes, session: str | None, *, is_call: bool) -> None:
        headers = {"content-type": JSON_TYPE}
        if session is not None and _is_header_value(session):
            headers[SESSION_ID] = session
            await self._open_for(session)
        if self.is_ordered:
            self._count += 1
            headers[MESSAGE_NUMBER] = str(self._count)
        try:
            await self._persist(line, headers)
        except HttpError as error:
            # Some servers look for the session of the header before they read that it is to be
            # loaded.
            is_refused = is_call and error.status == 404
            if not is_refused or headers.pop(SESSION_ID, None) is None:
                raise
            await self._persist(line, headers)

    async def _persist(self, line: bytes, headers: Mapping[str, str]) -> None:
        """Sends a message again whose response was lost, where the server takes it once."""
        retry = Retry(self.reconnect)
        while True:
            try:
                patience = Patience(self.max_silence if self.is_ordered else None)
                await patience.wait_for(self._post_once(line, headers, patience))
                return
            except Exception as error:
                is_passing = not isinstance(error, AcpError) or (
                    isinstance(error, HttpError) and error.status in _PASSING
                )
                # A server that numbers messages takes one that is sent again only once.
                can_wait = is_passing and self.is_ordered and not self._is_closing
                if not can_wait or not await retry.wait(error):
                    raise

    async def _post_once(
        self, line: bytes, headers: Mapping[str, str], patience: Patience
    ) -> None:
        async with self.requests.send(
            "POST", headers, line, is_expected=is_accepted, patience=patience
        ):
            pass

    def _open(
        self, session: str | None, on_open: Callable[[], None] | None = None
    ) -> asyncio.Future[None]:
        """Opens the stream of a session, or that of the connection."""
        stream = self._streams.get(session)
        if stream is None:
            stream = self._streams[session] = EventStream(self, session, on_open)
        return stream.opened

    async def _open_for(self, session: str) -> None:
        """Opens the stream of a session.

        Some servers know one only after the session was loaded, and all have a limit: messages
        of further sessions come in the stream of the connection.
        """
        try:
            await asyncio.shield(self._open(session))
        except HttpError as error:
            if error.status not in _STREAMLESS:
                raise


def _is_header_value(session: str) -> bool:
    """Returns whether a header can name a session."""
    return len(session) <= MAX_ID and _HEADER_VALUE.fullmatch(session) is not None


def _check_first_answer(
    answer: bytes, call: Mapping[str, Any], connection_id: str | None
) -> None:
    """Raises AcpError for a response that does not answer the first call: nothing else will."""
    try:
        value = parse_json(answer)
    except ValueError:
        text = f"the server has not answered with JSON: {_NO_AGENT}"
        raise AcpError(text) from None
    incoming = classify(value, null_ids=True)
    is_answer = incoming.kind in ("response", "broken")
    if not is_answer or incoming.id != read_id(call.get("id")):
        shown = answer[:_SHOWN].decode("utf-8", "replace")
        text = f"the server has not answered {call.get('method')}, but sent {shown}"
        raise AcpError(f"{text}: {_NO_AGENT}")
    if "result" in value and connection_id is None:
        text = "the server has not named the connection: its answer lacks "
        raise AcpError(f"{text}{CONNECTION_ID}")


def _explain(error: Exception) -> Exception:
    """Returns the error of a connection for that of an HTTP client."""
    if isinstance(error, (AcpError, OSError)):
        return error
    explained = AcpError(f"the server cannot be reached: {reason_of(error)}")
    explained.__cause__ = error
    return explained


def _create_client() -> _OwnClient:
    try:
        # Type checkers of programs without it do not look for it.
        httpx = import_module("httpx")
    except ImportError as error:
        text = "install httpx, or pass a client with its method `stream`"
        raise ImportError(f"HttpStream needs an HTTP client: {text}") from error
    # Each session has a stream that stays open.
    limits = httpx.Limits(max_connections=None)
    client: _OwnClient = httpx.AsyncClient(limits=limits)
    return client
