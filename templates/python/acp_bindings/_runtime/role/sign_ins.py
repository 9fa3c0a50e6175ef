"""The sign-ins of a client, for the calls that the agent answers with -32000."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .. import sentences
from ..gates.paths import read
from ..rpc.errors import (
    AcpError,
    AuthRequiredError,
    ConnectionClosedError,
    RequestTimeoutError,
)
from .handlers import awaited

if TYPE_CHECKING:
    from ..link import Link
    from ..protocol import Method

_inside: ContextVar[asyncio.Task[bool] | None] = ContextVar("inside", default=None)
"""The sign-in that the running code is part of."""


class SignIns:
    """Asks the client to authenticate, once for all calls that need it."""

    def __init__(self, connection: Link) -> None:
        self._connection = connection
        self._running: asyncio.Task[bool] | None = None
        self._count = 0
        """The times that the client has authenticated for a call."""
        self._calls: dict[asyncio.Future[AcpError | None], tuple[str, Any]] = {}
        """The methods of calls, and the sessions of prompts, by what ends the wait for a sign-in:
        with an error, or with the answer of the agent."""

    async def request(self, method: Method, sent: Any, timeout: float | None) -> Any:
        """Sends a request, and sends it again if the client authenticates for it."""
        rpc, name, before = self._connection.rpc, method.name, self._count
        loop = asyncio.get_running_loop()
        start = loop.time()
        stopped: asyncio.Future[AcpError | None] = loop.create_future()
        is_prompt = "starts-turn" in method.traits
        self._calls[stopped] = name, sent["sessionId"] if is_prompt else None
        timer: asyncio.TimerHandle | None = None
        try:
            try:
                return await rpc.request(name, sent, timeout)
            except AuthRequiredError:
                if timeout is not None:
                    text = sentences.not_answered(name, f"{timeout:g} s")
                    late = RequestTimeoutError(text, name)
                    timer = loop.call_at(start + timeout, _stop, stopped, late)
                if not await self._may_repeat(stopped, before):
                    raise
            return await rpc.request(name, sent, timeout, start)
        finally:
            del self._calls[stopped]
            if timer is not None:
                timer.cancel()

    def sent(self, method: str, params: Any) -> None:
        """Takes a call of this side: nobody signs in for a prompt that it ends."""
        protocol = self._connection.protocol
        found = protocol.find("agent", "request", method)
        is_closing = found is not None and "ends-session" in found.traits
        if is_closing or method == protocol.named("cancels-turn", "notification"):
            session = read(params, ["sessionId"])
            for stopped, (name, own) in self._calls.items():
                if own is not None and own == session:
                    error = AcpError(sentences.closed_in_turn, name)
                    _stop(stopped, error if is_closing else None)

    def close(self, reason: str) -> list[asyncio.Task[Any]]:
        """Ends the waits, and returns the sign-in, which was cancelled."""
        for stopped, (name, _) in self._calls.items():
            _stop(stopped, ConnectionClosedError(name, reason=reason))
        if self._running is None:
            return []
        self._running.cancel()
        return [self._running]

    async def _may_repeat(
        self, stopped: asyncio.Future[AcpError | None], before: int
    ) -> bool:
        """Lets the client sign in, unless it has done so since there were so many sign-ins."""
        running = self._running
        if not stopped.done() and self._count == before:
            if running is None:
                running = self._running = asyncio.ensure_future(self._sign_in())
                running.add_done_callback(self._end)
            elif running is _inside.get():
                # What is called to sign in cannot wait for that.
                return False
            both: set[asyncio.Future[Any]] = {running, stopped}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            if (error := stopped.result()) is not None:
                raise error
            return False
        if self._count > before or running is None:
            return True
        try:
            return running.result()
        except ConnectionClosedError as error:
            name, _ = self._calls[stopped]
            raise ConnectionClosedError(name, reason=error.reason) from error

    async def _sign_in(self) -> bool:
        _inside.set(asyncio.current_task())
        connection = self._connection
        return bool(await awaited(connection.role.authenticate_again(connection.peer)))

    def _end(self, running: asyncio.Task[bool]) -> None:
        self._running = None
        # The calls that wait for it may all have been given up.
        if not running.cancelled() and running.exception() is None and running.result():
            self._count += 1


def _stop(stopped: asyncio.Future[AcpError | None], error: AcpError | None) -> None:
    if not stopped.done():
        stopped.set_result(error)
