"""One stream of events of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from ...rpc.errors import AcpError
from ...rpc.patience import Patience
from ..wire import EVENT_TYPE, LAST_EVENT_ID, NO_EVENT, SESSION_ID
from .events import Event, EventSplitter
from .http_requests import (
    HttpError,
    HttpRequests,
    HttpResponse,
    announces_order,
    is_stream,
    reason_of,
)
from .retry import Retry


class StreamOwner(Protocol):
    """The connection that a stream belongs to."""

    requests: HttpRequests
    max_message_bytes: int
    reconnect: float
    max_silence: float
    is_ordered: bool
    """Whether the server numbers the messages of the connection."""

    async def can_read(self) -> None:
        """Waits until more may be read."""
        ...

    def receive(self, event: Event, session: str | None, *, is_ordered: bool) -> None:
        """Takes an event; `is_ordered` is whether its id numbers its message."""
        ...

    def refused(self, session: str | None, error: Exception) -> None:
        """Called when a stream was not opened."""
        ...

    def lost(self, session: str | None, error: Exception | None) -> None:
        """Called when a stream has ended for good; without an error for a regular end."""
        ...


class EventStream:
    """The stream of a session, or that of the connection, which is opened again when lost.

    It continues behind the last event, where the events have ids. `on_open` is called before
    its first event.
    """

    def __init__(
        self,
        owner: StreamOwner,
        session: str | None,
        on_open: Callable[[], None] | None = None,
    ) -> None:
        self._owner = owner
        self._session = session
        self._on_open = on_open
        self._retry = Retry(owner.reconnect)
        self._last_id: str | None = None
        self._is_first = True
        self._is_regular = False
        """Whether the server itself has ended the stream."""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the server has accepted the stream; its exception is a refusal."""
        self.task = asyncio.ensure_future(self._follow())

    async def _follow(self) -> None:
        owner = self._owner
        problem: Exception | None = None
        while True:
            try:
                patience = Patience(owner.max_silence if owner.is_ordered else None)
                await patience.wait_for(self._read(patience))
                problem = None
            except Exception as error:  # noqa: BLE001
                problem = error
            can_resume = owner.is_ordered or self._last_id is not None
            if _is_final(problem) or not can_resume:
                break
            if not await self._retry.wait(problem):
                self._is_regular = False
                problem = _explain_loss(problem)
                break
        if not self.opened.done():
            refusal = problem or AcpError("the stream was not opened")
            owner.refused(self._session, refusal)
            self.opened.set_exception(refusal)
            # Who does not wait for the stream need not know.
            self.opened.exception()
        else:
            # The server may have ended the connection, and then knows it no longer.
            owner.lost(self._session, None if self._is_regular else problem)

    async def _read(self, patience: Patience) -> None:
        """Reads until the stream ends."""
        headers = {"accept": EVENT_TYPE}
        if self._session is not None:
            headers[SESSION_ID] = self._session
        if not self._is_first:
            headers[LAST_EVENT_ID] = self._last_id or NO_EVENT
        self._is_first = False
        was_ordered = self._owner.is_ordered
        async with self._owner.requests.send(
            "GET", headers, is_expected=is_stream, patience=patience
        ) as response:
            is_ordered = announces_order(response)
            self._owner.is_ordered |= is_ordered
            self._is_regular = False
            self._retry.succeeded()
            if not self.opened.done():
                if self._on_open is not None:
                    self._on_open()
                self.opened.set_result(None)
            patience.limit = self._owner.max_silence if is_ordered else None
            await self._read_events(response, patience, is_ordered or was_ordered)
            self._is_regular = True

    async def _read_events(
        self, response: HttpResponse, patience: Patience, is_ordered: bool
    ) -> None:
        owner = self._owner
        events = EventSplitter(owner.max_message_bytes)
        async for chunk in response.aiter_bytes():
            patience.renew()
            found = events.feed(chunk)
            if not found:
                continue
            # The server need not say more before this program reads.
            patience.pause()
            await owner.can_read()
            patience.renew()
            self._retry.progressed()
            for event in found:
                self._last_id = event.id or self._last_id
                owner.receive(event, self._session, is_ordered=is_ordered)


def _explain_loss(cause: Exception | None) -> AcpError:
    """Returns the error for a server that was not reached again in time."""
    reason = "" if cause is None else f": {reason_of(cause)}"
    error = AcpError(f"the server cannot be reached any more{reason}")
    error.__cause__ = cause
    return error


def _is_final(problem: Exception | None) -> bool:
    """Returns whether no further attempt can help."""
    if isinstance(problem, HttpError):
        return problem.status < 500
    return isinstance(problem, AcpError)
