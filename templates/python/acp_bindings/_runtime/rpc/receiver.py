"""What a connection asks of the role that it belongs to, and its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Literal, Protocol, TypeAlias

from ..record import Record
from .after_response import AfterResponse
from .errors import ConnectionClosedError
from .messages import MessageId
from .stream import LINE_LIMIT

CancelledBy: TypeAlias = Literal["request", "turn"]
"""What was cancelled: the request itself, or the turn of its session."""


class Limits(Record):
    """Limits of a connection, far above what a regular peer reaches."""

    max_in_flight: int = 4096
    """Further unanswered requests of the peer are answered with -32029, without their handlers.

    So are those of a peer that reads none of 64 MiB of answers.
    """
    max_invalid_in_row: int = 1000
    """After so many malformed messages the connection ends."""
    max_line_bytes: int = LINE_LIMIT
    """Longer lines are skipped, and answered with -32600."""
    cancel_grace: float = 30.0
    """Seconds that a cancelled request may still take."""
    end_grace: float = 1.0
    """Seconds in which handlers may still end after the peer has ended its side.

    Then they are cancelled, as at the end by this side, and have so long again to end.
    """
    stall: float = 60.0
    """Seconds in which a peer may read nothing while more than 1 MiB is unsent.

    After that, or with 256 MiB unsent, the connection ends. `math.inf` lets it wait, as for a
    peer that is stopped in a debugger.
    """


class Receiver(Protocol):
    """Handles incoming messages. Both methods run in the order of the wire."""

    def request(
        self, method: str, params: Any, request_id: MessageId, later: AfterResponse
    ) -> Callable[[], Awaitable[Any]]:
        """Checks a request and returns its handler. Raises RpcError to refuse it."""
        ...

    def notification(
        self, method: str, params: Any
    ) -> Callable[[], Awaitable[None] | None] | None:
        """Checks a notification and returns its handler, if there is one."""
        ...

    def cancelled_result(self, method: str, by: CancelledBy) -> Any:
        """Returns the result of a cancelled request; None for the error -32800."""
        ...

    def report(self, error: BaseException, method: str | None) -> None:
        """Takes an error that cannot be answered."""
        ...

    def response(self, method: str, params: Any, result: Any) -> None:
        """Takes the result of a call, before what waits for it continues."""
        ...

    def given_up(self, method: str, request_id: MessageId) -> bool:
        """Takes a call that nobody waits for any more.

        Returns whether it is cancelled by its id, and not in a way of its own.
        """
        ...

    def unclaimed(self, method: str, params: Any, result: Any) -> None:
        """Takes the result of a call that nobody waits for any more."""
        ...

    def sent(self, method: str, params: Any, request_id: MessageId) -> None:
        """Takes a call of this side after it was sent."""
        ...

    def answered(
        self, request_id: MessageId, *, is_result: bool, code: object = None
    ) -> None:
        """Takes the answer to a call, of whatever kind, and even if it comes too late.

        `code`: that of an error.
        """
        ...

    def closed(self, error: ConnectionClosedError) -> Iterable[asyncio.Task[None]]:
        """Called when the connection has ended, and all calls have failed.

        `error` is the one of turns whose prompt was answered. Returns further tasks of
        handlers, which were cancelled.
        """
        ...
