"""The requests of a connection over HTTP."""

from __future__ import annotations

import contextlib
import inspect
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from email.utils import parsedate_to_datetime
from typing import Any, Protocol, TypeAlias

from ...rpc.errors import AcpError
from ...rpc.patience import Patience, within
from ..wire import CONNECTION_ID, EVENT_ORDER, EVENT_TYPE, OF_CONNECTION

Headers: TypeAlias = (
    Mapping[str, str]
    | Callable[[], Mapping[str, str]]
    | Callable[[], Awaitable[Mapping[str, str]]]
)
"""Headers, or a function that returns those of the next request, e.g. with a fresh token."""

OnUnauthorized: TypeAlias = Callable[[str], bool | Awaitable[bool]]
"""Takes the value of `WWW-Authenticate`; True sends the request again."""

_POOL_TIME = 5.0
"""How long a request waits for a connection of the client's pool, in seconds."""
_POOL_EMPTY = (
    "the HTTP client has no connection left, and each session needs one: "
    "create it with limits=httpx.Limits(max_connections=None)"
)

_MOST_SHOWN = 500
"""How much of the text of a refusal is read, in bytes."""


class HttpResponse(Protocol):
    """A response of `httpx`."""

    @property
    def status_code(self) -> int:
        """The status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; their names are found in lower case."""
        ...

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """Reads the body."""
        ...


class HttpClient(Protocol):
    """An `httpx.AsyncClient`, or another object with its method `stream`.

    It keeps cookies, by which proxies find the process of a connection.
    """

    def stream(
        self,
        method: str,
        url: str,
        *,
        content: bytes | None,
        headers: Mapping[str, str],
        follow_redirects: bool,
        timeout: tuple[None, None, None, float],
    ) -> AbstractAsyncContextManager[HttpResponse]:
        """Sends a request.

        The last part of `timeout` is how long it may wait for a connection of a pool, in seconds;
        the time for everything else has no limit here.
        """
        ...


class HttpError(AcpError):
    """The server has refused a request, or has not answered as a server of agents does."""

    def __init__(self, status: int, body: str, retry_after: float = 0.0) -> None:
        text = f"the server of the agent has answered {status}"
        super().__init__(f"{text}: {body}" if body else text)
        self.status = status
        self.body = body
        """The beginning of its text."""
        self.retry_after = retry_after
        """How long the server asks to wait before the next request, in seconds; 0 if it does not."""


class HttpRequests:
    """Sends requests with the id and the headers of a connection."""

    def __init__(
        self,
        url: str,
        client: HttpClient,
        headers: Headers | None,
        on_unauthorized: OnUnauthorized | None,
    ) -> None:
        self.connection_id: str | None = None
        """The id of the connection; None before the answer to `initialize`."""
        self._url = url
        self._client = client
        self._headers = headers or {}
        self._on_unauthorized = on_unauthorized
        self._failure: AcpError | None = None
        """That of a function of the program."""

    @contextlib.asynccontextmanager
    async def send(
        self,
        method: str,
        headers: Mapping[str, str],
        content: bytes | None = None,
        *,
        is_expected: Callable[[HttpResponse], bool],
        patience: Patience | None = None,
    ) -> AsyncGenerator[HttpResponse, None]:
        """Sends a request and gives its response, if it is an expected one.

        `patience` is the time that the server has; functions of the program take as long as they
        need. Raises HttpError for another response, AcpError when it cannot be made, so
        that no further attempt helps, and whatever the client raises.
        """
        if self._failure is not None:
            raise self._failure
        patience = patience or Patience(None)
        for is_second in (False, True):
            own = await self._own_headers(patience)
            async with self._stream(method, {**own, **headers}, content) as response:
                if is_expected(response):
                    yield response
                    return
                error = await _read_error(response)
                challenge = response.headers.get("www-authenticate", "")
            if is_second or error.status != 401 or self._on_unauthorized is None:
                raise error
            name = "on_unauthorized"
            if not await self._call(patience, name, self._on_unauthorized, challenge):
                raise error

    @contextlib.asynccontextmanager
    async def _stream(
        self, method: str, headers: Mapping[str, str], content: bytes | None
    ) -> AsyncGenerator[HttpResponse, None]:
        try:
            async with self._client.stream(
                method,
                self._url,
                content=content,
                headers=headers,
                # What follows a redirect would get the headers, too.
                follow_redirects=False,
                timeout=(None, None, None, _POOL_TIME),
            ) as response:
                yield response
        except Exception as error:
            if type(error).__name__ == "PoolTimeout":
                raise AcpError(_POOL_EMPTY) from error
            raise

    async def _own_headers(self, patience: Patience) -> Mapping[str, str]:
        given: Any = self._headers
        if callable(given):
            given = await self._call(patience, "headers", given)
        try:
            own = dict(given)
        except (TypeError, ValueError):
            text = f"headers must be a mapping, not {type(given).__name__}"
            raise AcpError(text) from None
        if self.connection_id is None:
            return own
        return {**own, CONNECTION_ID: self.connection_id}

    async def _call(
        self,
        patience: Patience,
        name: str,
        function: Callable[..., Any],
        *arguments: str,
    ) -> Any:
        """Calls a function of the program. After its exception, nothing is sent any more."""
        patience.pause()
        try:
            given = function(*arguments)
            if inspect.isawaitable(given):
                given = await within(None, given)
        except Exception as error:
            self._failure = AcpError(f"{name} has failed: {reason_of(error)}")
            raise self._failure from error
        patience.renew()
        return given


def is_success(response: HttpResponse) -> bool:
    """Returns whether a request has succeeded."""
    return 200 <= response.status_code < 300


def is_accepted(response: HttpResponse) -> bool:
    """Returns whether a message was taken: a page to sign in has another status."""
    return response.status_code == 202


def is_stream(response: HttpResponse) -> bool:
    """Returns whether a stream of events was opened: a page to sign in has another type."""
    content_type = response.headers.get("content-type", "").lower()
    return is_success(response) and content_type.startswith(EVENT_TYPE)


def reason_of(error: Exception) -> str:
    """Returns the text of an exception, or its name if it has none."""
    return str(error) or type(error).__name__


def announces_order(response: HttpResponse) -> bool:
    """Returns whether a response announces that the ids of events number the messages."""
    return response.headers.get(EVENT_ORDER) == OF_CONNECTION


async def read_all(response: HttpResponse, most: int) -> bytes:
    """Reads a body, up to a limit in bytes, which the last piece may exceed."""
    data = bytearray()
    async for piece in response.aiter_bytes():
        data += piece
        if len(data) >= most:
            break
    return bytes(data)


async def _read_error(response: HttpResponse) -> HttpError:
    body = b""
    # The status alone says enough.
    with contextlib.suppress(Exception):
        body = await read_all(response, _MOST_SHOWN)
    text = body[:_MOST_SHOWN].decode("utf-8", "replace").strip()
    delay = _read_delay(response.headers.get("retry-after", ""))
    return HttpError(response.status_code, text, delay)


def _read_delay(value: str) -> float:
    """Returns the time of `Retry-After`: seconds or a date (RFC 9110, 10.2.3); else 0."""
    if re.fullmatch("[0-9]{1,9}", value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return 0.0
    return max(0.0, date.timestamp() - time.time())
