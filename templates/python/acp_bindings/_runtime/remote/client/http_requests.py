"""The requests of a connection over HTTP."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeAlias

from ...rpc.errors import AcpError
from ..wire import CONNECTION_ID, EVENT_ORDER, OF_CONNECTION

Headers: TypeAlias = (
    Mapping[str, str]
    | Callable[[], Mapping[str, str]]
    | Callable[[], Awaitable[Mapping[str, str]]]
)
"""Headers, or a function that returns those of the next request, e.g. with a fresh token."""

OnUnauthorized: TypeAlias = Callable[[str], bool | Awaitable[bool]]
"""Takes the value of `WWW-Authenticate`; True sends the request again."""

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
        timeout: None,
    ) -> AbstractAsyncContextManager[HttpResponse]:
        """Sends a request."""
        ...


class HttpError(AcpError):
    """The server has refused a request."""

    def __init__(self, status: int, body: str) -> None:
        text = f"the server of the agent has answered {status}"
        super().__init__(f"{text}: {body}" if body else text)
        self.status = status
        self.body = body
        """The beginning of its text."""


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

    @contextlib.asynccontextmanager
    async def send(
        self, method: str, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncGenerator[HttpResponse, None]:
        """Sends a request and gives its response.

        Raises HttpError when it is refused, and whatever the client raises.
        """
        for is_second in (False, True):
            async with self._client.stream(
                method,
                self._url,
                content=content,
                headers={**await self._own_headers(), **headers},
                # What follows a redirect would get the headers, too.
                follow_redirects=False,
                timeout=None,
            ) as response:
                if 200 <= response.status_code < 300:
                    yield response
                    return
                error = await _read_error(response)
                challenge = response.headers.get("www-authenticate", "")
            if is_second or not await self._is_authorized_now(error, challenge):
                raise error

    async def _own_headers(self) -> Mapping[str, str]:
        given: Any = self._headers() if callable(self._headers) else self._headers
        if inspect.isawaitable(given):
            given = await given
        if self.connection_id is None:
            return dict(given)
        return {**given, CONNECTION_ID: self.connection_id}

    async def _is_authorized_now(self, error: HttpError, challenge: str) -> bool:
        if error.status != 401 or self._on_unauthorized is None:
            return False
        is_authorized = self._on_unauthorized(challenge)
        if inspect.isawaitable(is_authorized):
            return await is_authorized
        return is_authorized


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
    return HttpError(response.status_code, text)
