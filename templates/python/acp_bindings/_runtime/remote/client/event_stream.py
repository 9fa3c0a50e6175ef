"""One stream of events of a server."""

from __future__ import annotations

import asyncio
from typing import Protocol

from ...rpc.errors import AcpError
from ..wire import EVENT_TYPE, LAST_EVENT_ID, NO_EVENT, SESSION_ID
from .events import Event, EventSplitter
from .http_requests import HttpError, HttpRequests, HttpResponse, announces_order
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

    def refused(self, session: str | None) -> None:
        """Called when a stream was not opened."""
        ...

    def lost(self, session: str | None, error: Exception | None) -> None:
        """Called when a stream has ended for good; without an error for a regular end."""
        ...


class EventStream:
    """The stream of a session, or that of the connection, which is opened again when lost.

    It continues behind the last event, where the events have ids.
    """

    def __init__(self, owner: StreamOwner, session: str | None) -> None:
        self._owner = owner
        self._session = session
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
                await self._read()
                problem = None
            except Exception as error:  # noqa: BLE001
                problem = error
            can_resume = owner.is_ordered or self._last_id is not None
            if _is_final(problem) or not can_resume:
                break
            if not await self._retry.wait():
                self._is_regular = False
                cause, problem = (
                    problem,
                    AcpError("the server cannot be reached any more"),
                )
                problem.__cause__ = cause
                break
        if not self.opened.done():
            owner.refused(self._session)
            self.opened.set_exception(problem or AcpError("the stream was not opened"))
            # Who does not wait for the stream need not know.
            self.opened.exception()
        else:
            # The server may have ended the connection, and then knows it no longer.
            owner.lost(self._session, None if self._is_regular else problem)

    async def _read(self) -> None:
        """Reads until the stream ends."""
        headers = {"accept": EVENT_TYPE}
        if self._session is not None:
            headers[SESSION_ID] = self._session
        if not self._is_first:
            headers[LAST_EVENT_ID] = self._last_id or NO_EVENT
        self._is_first = False
        was_ordered = self._owner.is_ordered
        async with self._owner.requests.send("GET", headers) as response:
            is_ordered = announces_order(response)
            self._owner.is_ordered |= is_ordered
            self._is_regular = False
            self._retry.succeeded()
            if not self.opened.done():
                self.opened.set_result(None)
            patience = self._owner.max_silence if is_ordered else None
            await self._read_events(response, patience, is_ordered or was_ordered)
            self._is_regular = True

    async def _read_events(
        self, response: HttpResponse, patience: float | None, is_ordered: bool
    ) -> None:
        owner = self._owner
        events = EventSplitter(owner.max_message_bytes)
        chunks = aiter(response.aiter_bytes())
        while (
            chunk := await asyncio.wait_for(anext(chunks, None), patience)
        ) is not None:
            found = events.feed(chunk)
            if not found:
                continue
            await owner.can_read()
            self._retry.progressed()
            for event in found:
                self._last_id = event.id or self._last_id
                owner.receive(event, self._session, is_ordered=is_ordered)


def _is_final(problem: Exception | None) -> bool:
    """Returns whether no further attempt can help."""
    if isinstance(problem, HttpError):
        return problem.status < 500
    return isinstance(problem, AcpError)
