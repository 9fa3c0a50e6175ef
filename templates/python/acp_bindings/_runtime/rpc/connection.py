"""A JSON-RPC connection: calls in both directions over one stream."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

from ..json_text import parse_json
from ..json_values import OBJECT
from .backlog import Backlog
from .errors import AcpError, ConnectionClosedError
from .inbound import InboundRequests
from .messages import classify, message_line, read_id
from .noise import ConnectionStats, MalformedInput
from .outbound import OutboundCalls, call_message, expire
from .receiver import Limits, Receiver
from .stream import ByteStream, LineSplitter, LongLine
from .workers import Handling, Workers

CANCEL_REQUEST = "$/cancel_request"


class Connection:
    """Sends and receives messages, and pairs calls with their responses."""

    def __init__(
        self,
        stream: ByteStream,
        receiver: Receiver,
        limits: Limits,
        *,
        null_ids: bool,
        answers_noise: bool,
    ) -> None:
        """`answers_noise`: whether lines that are not messages are answered."""
        self._stream = stream
        self._receiver = receiver
        self._limits = limits
        self._null_ids = null_ids
        self._ids = itertools.count()
        self.stats = ConnectionStats()
        self._workers = Workers(self._receive_line)
        self.calls = OutboundCalls(receiver, self.stats, self._workers.hold)
        self._malformed = MalformedInput(
            self.calls,
            self.stats,
            limits.max_invalid_in_row,
            answers_noise=answers_noise,
            answer=self._send,
            report=lambda error: receiver.report(error, None),
        )
        self.is_ended = False
        """Whether the peer has ended its side, so that it can answer nothing more."""
        self._is_ending = self._is_closed = False
        self._failure: Exception | None = None
        self._backlog = Backlog(stream, limits.stall, self._fail)
        self.inbound = InboundRequests(
            receiver, limits, self._send, self._workers, self._backlog
        )
        self._reading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts to read."""
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def wait_closed(self) -> ConnectionClosedError | None:
        """Waits for the end of the connection; returns why, or None after a regular end."""
        reading = self._reading
        if reading is not None:
            await asyncio.wait([reading])
            if not reading.cancelled():
                reading.result()
        error = self._closed_error()
        return error if error.reason else None

    async def close(self) -> None:
        """Ends the connection: calls fail, and handlers are cancelled."""
        if self._reading is not None and not self._reading.done():
            self._stop_reading()
            await asyncio.wait([self._reading])

    async def request(
        self,
        method: str,
        params: Any,
        timeout: float | None,
        since: float | None = None,
    ) -> Any:
        """Calls a method. Cancelling the task asks the peer to cancel the request.

        `since`: the time of the loop from which on the timeout counts, now by default.
        """
        if self.is_ended:
            raise self._closed_error(method)
        request_id = next(self._ids)
        self._send({"id": request_id, **call_message(method, params)})
        future = self.calls.add(request_id, method, params)
        self._receiver.sent(method, params, request_id)
        timer: asyncio.TimerHandle | None = None
        try:
            if timeout is not None:
                loop = asyncio.get_running_loop()
                end = (loop.time() if since is None else since) + timeout
                timer = loop.call_at(end, expire, future, method, timeout)
            return await future
        except asyncio.CancelledError:
            if not future.cancelled() and future.done() and not future.exception():
                self._receiver.unclaimed(method, params, future.result())
            raise
        finally:
            if timer is not None:
                timer.cancel()
            is_given_up = self.calls.give_up(request_id)
            if is_given_up and self._receiver.given_up(method, request_id):
                cancelled = {"requestId": request_id}
                self._send({"method": CANCEL_REQUEST, "params": cancelled})

    def withdraw(self, result_of: Callable[[str, Any], Any]) -> None:
        """Ends calls with results of this side, and asks the peer to cancel them."""
        for request_id in self.calls.withdraw(result_of):
            cancelled = {"requestId": request_id}
            self._send({"method": CANCEL_REQUEST, "params": cancelled})

    async def notify(self, method: str, params: Any) -> None:
        """Sends a notification, and waits while the peer does not read."""
        self.post(method, params)
        failure = None
        try:
            await self._stream.drain()
        except OSError as error:
            failure = error
        if failure is not None or self._is_closed:
            raise self._closed_error(method) from failure or self._failure

    def post(self, method: str, params: Any) -> None:
        """Sends a notification, and waits for nothing."""
        if self._is_closed:
            raise self._closed_error(method)
        self._send(call_message(method, params))
        self._receiver.sent(method, params, None)

    def _closed_error(self, method: str | None = None) -> ConnectionClosedError:
        """Returns the error for a call, with the reason why the connection has ended."""
        failure = self._failure
        reason = getattr(self._stream, "end_reason", "") or str(failure or "")
        error = ConnectionClosedError(method, reason=reason)
        error.__cause__ = failure
        return error

    def _send(self, message: dict[str, Any]) -> None:
        if not self._is_closed:
            data = message_line(message) + b"\n"
            self._stream.write(data)
            self._backlog.add(len(data), is_answer="method" not in message)

    async def _read(self) -> None:
        lines = LineSplitter(self._limits.max_line_bytes)
        try:
            while chunk := await self._stream.read():
                await self._workers.receive(lines.feed(chunk))
            await self._workers.receive(lines.finish())
            # Nothing can answer the calls any more, but what was received is handled.
            self._fail_calls()
            await self._workers.settle(self._limits.end_grace)
        except (OSError, AcpError) as error:
            self._note_failure(error)
        finally:
            await self._end()

    def _fail(self, error: AcpError) -> None:
        """Ends the connection because of an error."""
        if not self._is_ending:
            self._note_failure(error)
            self._stop_reading()

    def _note_failure(self, error: OSError | AcpError) -> None:
        self._failure = error
        # Calls raise it as their cause; the lines of its traceback explain nothing.
        self._receiver.report(error.with_traceback(None), None)

    def _stop_reading(self) -> None:
        if self._reading is not None and not self._is_ending:
            self._is_ending = True
            self._reading.cancel()

    async def _end(self) -> None:
        self._is_ending = True
        self._backlog.close()
        self.inbound.close()
        self._workers.cancel()
        self._fail_calls()
        self._is_closed = True
        work = self._receiver.closed(self._closed_error())
        await self._stream.close()
        await self._workers.settle(self._limits.end_grace, work)

    def _fail_calls(self) -> None:
        self.is_ended = True
        self.calls.fail(self._closed_error)

    def _receive_line(self, line: bytes | LongLine) -> Handling | None:
        """Receives a message. Returns what is left to do, if there is a handler for it."""
        if isinstance(line, LongLine):
            self._malformed.receive_long(line)
            return None
        try:
            value = parse_json(line)
        except (ValueError, RecursionError):
            message = self._malformed.receive_line(line)
            return None if message is None else self._receive_line(message)
        incoming = classify(value, self._null_ids)
        kind = incoming.kind
        if kind in ("invalid", "broken"):
            self._malformed.receive_value(line, value, incoming)
            return None
        self._malformed.in_row = 0
        if kind == "notification":
            return self._receive_notification(value["method"], value.get("params"))
        if kind == "request":
            method, params = value["method"], value.get("params")
            result = self._late_question(method, params)
            if result is not None:
                self._send({"id": incoming.id, "result": result})
                return None
            return self.inbound.serve(incoming.id, method, params)
        self.calls.settle(value, incoming.id)
        return None

    def _late_question(self, method: str, params: Any) -> Any:
        """Returns the result for a question about a call that was given up, which is not asked."""
        given = params.get("requestId") if isinstance(params, OBJECT) else None
        if given is None or not self.calls.is_given_up(read_id(given)):
            return None
        return self._receiver.cancelled_result(method, "turn")

    def _receive_notification(self, method: str, params: Any) -> Handling | None:
        if method == CANCEL_REQUEST:
            given = params.get("requestId") if isinstance(params, OBJECT) else None
            self.inbound.cancel_id(read_id(given))
            return None
        try:
            handler = self._receiver.notification(method, params)
        except AcpError as error:
            # The mistake is in the message, and not in the lines of a traceback.
            self._receiver.report(error.with_traceback(None), method)
            return None
        except Exception as error:  # noqa: BLE001
            self._receiver.report(error, method)
            return None
        return None if handler is None else self._handle(method, handler)

    async def _handle(
        self, method: str, handler: Callable[[], Awaitable[None] | None]
    ) -> bool:
        try:
            ended = handler()
            if ended is not None:
                await ended
        except (asyncio.CancelledError, SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001
            self._receiver.report(error, method)
        return False
