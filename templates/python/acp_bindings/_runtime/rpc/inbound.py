"""The unanswered requests of the peer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from .. import sentences
from ..results import InvalidValueError
from .after_response import AfterResponse
from .errors import ErrorCode, RpcError, invalid_part, only_rpc_error
from .messages import MessageId
from .workers import Handling, Workers

if TYPE_CHECKING:
    from .backlog import Backlog
    from .receiver import CancelledBy, Limits, Receiver


class _Running:
    """A request whose handler has not ended."""

    def __init__(
        self, request_id: MessageId, method: str, params: Any, later: AfterResponse
    ) -> None:
        self.id = request_id
        self.method = method
        self.params = params
        self.later = later
        self.task = asyncio.current_task()
        self.cancelled: dict[str, Any] | None = None
        """The response when the handler fails after its cancellation, or ignores it."""
        self.grace: asyncio.TimerHandle | None = None
        self.is_accepted = False
        """Whether it cannot be cancelled any more: the turn of a prompt has started (version 2)."""
        self.is_answered = False
        self.answered: asyncio.Future[None] | None = None
        """Done when the request was answered, if somebody waits for it."""


class InboundRequests:
    """Answers each request exactly once."""

    def __init__(
        self,
        receiver: Receiver,
        limits: Limits,
        send: Callable[[dict[str, Any]], None],
        workers: Workers,
        backlog: Backlog,
    ) -> None:
        self._receiver = receiver
        self._limits = limits
        self._send = send
        self._workers = workers
        self._backlog = backlog
        self._running: dict[MessageId, _Running] = {}

    def serve(self, request_id: MessageId, method: str, params: Any) -> Handling | None:
        """Checks a request. Returns what runs its handler, in this task."""
        if request_id in self._running:
            text = sentences.request_id_in_use
            self._refuse(request_id, ErrorCode.INVALID_REQUEST, text)
            return None
        is_full = len(self._running) >= self._limits.max_in_flight
        if is_full or self._backlog.is_full:
            self._refuse(request_id, ErrorCode.TOO_MANY_REQUESTS, "Too many requests")
            return None
        later = AfterResponse(
            lambda error: self._receiver.report(error, method), self._workers.hold
        )
        running = _Running(request_id, method, params, later)
        self._running[request_id] = running
        try:
            handler = self._receiver.request(method, params, request_id, later)
        except Exception as error:  # noqa: BLE001
            self._settle(running, self._failure(running, error))
            return None
        return self._answer(running, handler)

    def find(self, request_id: MessageId) -> _Running | None:
        """Returns the unanswered request with an id."""
        return self._running.get(request_id)

    def cancel_id(self, request_id: MessageId) -> None:
        """Cancels the request with an id, if there is one."""
        running = self._running.get(request_id)
        if running is not None:
            self._cancel(running, "request")

    def cancel_turn(self, matches: Callable[[str, Any], bool]) -> None:
        """Cancels the requests that a predicate of method and params selects."""
        for running in list(self._running.values()):
            if matches(running.method, running.params):
                self._cancel(running, "turn")

    def end_questions(self, matches: Callable[[str, Any], bool]) -> None:
        """Answers the requests that a predicate selects as cancelled, and ends their handlers."""
        for running in list(self._running.values()):
            if matches(running.method, running.params):
                result = self._receiver.cancelled_result(running.method, "turn")
                self._give_up(running, {"id": running.id, "result": result})
                if running.task is not None:
                    running.task.cancel()

    def unanswered(
        self, matches: Callable[[str, Any], bool], before: MessageId
    ) -> list[asyncio.Future[None]]:
        """Returns the ends of requests that a predicate selects, up to that with an id."""
        found: list[asyncio.Future[None]] = []
        for running in self._running.values():
            if running.id == before:
                break
            if matches(running.method, running.params):
                if running.answered is None:
                    loop = asyncio.get_running_loop()
                    running.answered = loop.create_future()
                found.append(running.answered)
        return found

    def close(self) -> None:
        """Answers no request any more, because the connection has ended."""
        running, self._running = self._running, {}
        for one in running.values():
            if one.grace is not None:
                one.grace.cancel()

    async def _answer(
        self, running: _Running, handler: Callable[[], Awaitable[Any]]
    ) -> bool:
        try:
            response = {"id": running.id, "result": await handler()}
        except asyncio.CancelledError:
            response = _cancelled(running)
        except (SystemExit, KeyboardInterrupt) as error:
            self._settle(running, self._failure(running, error))
            raise
        except BaseException as error:  # noqa: BLE001
            # Test frameworks end a handler with errors that are no Exception.
            response = self._failure(running, error)
        self._settle(running, response)
        return True

    def _failure(self, running: _Running, error: BaseException) -> dict[str, Any]:
        expected = only_rpc_error(error)
        if expected is not None:
            return error_response(running.id, expected)
        # The text of another error may contain data that the peer must not see.
        self._receiver.report(error, running.method)
        return error_response(running.id, RpcError.internal("Internal error"))

    def _cancel(self, running: _Running, by: CancelledBy) -> None:
        if running.is_accepted:
            return
        is_first = running.cancelled is None
        result = self._receiver.cancelled_result(running.method, by)
        if result is not None:
            running.cancelled = {"id": running.id, "result": result}
        elif is_first:
            running.cancelled = _cancelled(running)
        if not is_first:
            return
        running.grace = asyncio.get_running_loop().call_later(
            self._limits.cancel_grace,
            lambda: self._give_up(running, _cancelled(running)),
        )
        if running.task is not None:
            running.task.cancel()

    def _give_up(self, running: _Running, response: dict[str, Any]) -> None:
        """Answers for a handler that ignores its cancellation."""
        self._settle(running, response)
        if running.task is not None:
            self._workers.release(running.task)

    def _settle(self, running: _Running, response: dict[str, Any]) -> None:
        if self._running.get(running.id) is not running:
            return
        del self._running[running.id]
        running.is_answered = True
        if running.grace is not None:
            running.grace.cancel()
        cancelled = running.cancelled
        sent = response if cancelled is None else _after_cancel(cancelled, response)
        try:
            self._send(sent)
        except InvalidValueError as error:
            # JSON cannot hold the result.
            self._receiver.report(error, running.method)
            sent = unsendable_response(running.id, running.method, error)
            self._send(sent)
        if running.answered is not None:
            running.answered.set_result(None)
        running.later.end("result" in sent)

    def _refuse(self, request_id: MessageId, code: ErrorCode, text: str) -> None:
        self._send(error_response(request_id, RpcError(code, text)))


def error_response(request_id: MessageId, error: RpcError) -> dict[str, Any]:
    """Returns the response that carries an error."""
    return {"id": request_id, "error": error.to_object()}


def unsendable_response(
    request_id: MessageId, method: str, error: InvalidValueError
) -> dict[str, Any]:
    """Returns the response for a result that JSON cannot hold."""
    first = error.issues[0]
    part = invalid_part(method, error.definition, first.pointer, first.rule)
    return error_response(request_id, part)


def _cancelled(running: _Running) -> dict[str, Any]:
    if running.cancelled is not None:
        return running.cancelled
    return error_response(running.id, RpcError.request_cancelled())


def _after_cancel(
    cancelled: dict[str, Any], response: dict[str, Any]
) -> dict[str, Any]:
    """Returns the response to a cancelled request, which may still have succeeded."""
    if "error" in response:
        return cancelled
    if "error" in cancelled:
        return response
    return {**response, "result": {**response["result"], **cancelled["result"]}}
