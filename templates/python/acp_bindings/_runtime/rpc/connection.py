"""A JSON-RPC connection: calls in both directions over one stream."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

from ..json_text import parse_json, print_json
from ..json_values import OBJECT
from .errors import (
    AcpError,
    ConnectionClosedError,
    ErrorCode,
    RequestTimeoutError,
    RpcError,
)
from .inbound import InboundRequests, error_response
from .messages import MessageId, classify, read_id
from .noise import ConnectionStats, Noise
from .outbound import OutboundCalls
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
        self._answers_noise = answers_noise
        self._ids = itertools.count()
        self.stats = ConnectionStats()
        self._calls = OutboundCalls(receiver, self.stats)
        self._noise = Noise(receiver, self.stats)
        self._invalid_in_row = 0
        self._is_closed = False
        self._workers = Workers(self._receive_line)
        self.inbound = InboundRequests(receiver, limits, self._send)
        self._reading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts to read."""
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def wait_closed(self) -> None:
        """Waits for the end of the connection."""
        if self._reading is not None:
            await asyncio.shield(self._reading)

    async def close(self) -> None:
        """Ends the connection: calls fail, and handlers are cancelled."""
        if self._reading is not None and not self._reading.done():
            self._reading.cancel()
            await asyncio.wait([self._reading])

    async def request(self, method: str, params: Any, timeout: float | None) -> Any:
        """Calls a method. Cancelling the task asks the peer to cancel the request."""
        self._refuse_closed(method)
        request_id = next(self._ids)
        self._send({"id": request_id, "method": method, "params": params})
        future = self._calls.add(request_id, method, params)
        try:
            await self._stream.drain()
            await asyncio.wait((future,), timeout=timeout)
        except asyncio.CancelledError:
            self._give_up(request_id)
            raise
        if future.done():
            return future.result()
        self._give_up(request_id)
        text = f"{method} was not answered within {timeout} s"
        raise RequestTimeoutError(text, method)

    def _give_up(self, request_id: int) -> None:
        self._calls.give_up(request_id)
        if not self._is_closed:
            params = {"requestId": request_id}
            self._send({"method": CANCEL_REQUEST, "params": params})

    async def notify(self, method: str, params: Any) -> None:
        """Sends a notification, and waits while the peer does not read."""
        self._refuse_closed(method)
        self._send({"method": method, "params": params})
        await self._stream.drain()

    def _refuse_closed(self, method: str) -> None:
        if self._is_closed:
            raise ConnectionClosedError("the connection is closed", method)

    def _send(self, message: dict[str, Any]) -> None:
        if not self._is_closed:
            text = print_json({"jsonrpc": "2.0", **message})
            self._stream.write(text.encode() + b"\n")

    async def _read(self) -> None:
        lines = LineSplitter(self._limits.max_line_bytes)
        try:
            while chunk := await self._stream.read():
                await self._workers.receive(lines.feed(chunk))
                # A peer that does not read is not read either.
                await self._stream.drain()
            await self._workers.receive(lines.finish())
            # Nothing can answer the calls any more; their handlers may still end well.
            self._fail_calls()
            await self.inbound.settle(self._limits.end_grace)
        except (OSError, AcpError) as error:
            self._receiver.report(error, None)
        finally:
            await self._end()

    async def _end(self) -> None:
        self.inbound.close()
        self._workers.cancel()
        self._fail_calls()
        self._is_closed = True
        self._receiver.closed()
        await self._stream.close()

    def _fail_calls(self) -> None:
        self._calls.fail(getattr(self._stream, "end_reason", ""))

    def _receive_line(self, line: bytes | LongLine) -> Handling | None:
        """Receives a message. Returns what is left to do, if there is a handler for it."""
        if isinstance(line, LongLine):
            self._receive_long(line)
            return None
        try:
            value = parse_json(line)
        except (ValueError, RecursionError) as error:
            self._receive_malformed(line, error)
            return None
        incoming = classify(value, self._null_ids)
        kind = incoming.kind
        if kind == "invalid" and self._is_noise(value):
            self._noise.receive(line)
            return None
        if kind == "invalid":
            self.stats.malformed += 1
            self._refuse(incoming.id, ErrorCode.INVALID_REQUEST, "Invalid request")
            return None
        if kind == "broken":
            self._calls.end_broken(incoming.id)
            return None
        self._invalid_in_row = 0
        if kind == "notification":
            return self._receive_notification(value["method"], value.get("params"))
        if kind == "request":
            method = value["method"]
            return self.inbound.serve(incoming.id, method, value.get("params"))
        self._calls.settle(value, incoming.id)
        return None

    def _receive_malformed(self, line: bytes, error: Exception) -> None:
        """Fails the call of a response that was cut, or counts a line that is not JSON."""
        from .long_lines import read_head

        head = read_head(LongLine(line))
        if head.is_response and head.has_id:
            self.stats.malformed += 1
            self._calls.end_broken(head.id)
            return
        self._noise.receive(line, error)
        if self._answers_noise:
            self._refuse(None, ErrorCode.PARSE_ERROR, "Parse error")

    def _is_noise(self, value: Any) -> bool:
        """Returns whether a value comes from a logger that writes JSON."""
        is_message = isinstance(value, OBJECT) and "jsonrpc" in value
        return not self._answers_noise and not is_message

    def _receive_long(self, line: LongLine) -> None:
        """Refuses a request, or fails the call that waits for a response."""
        from .long_lines import read_head

        self._noise.receive_long(line)
        head = read_head(line)
        if head.is_response and head.has_id:
            self._calls.end_broken(head.id)
        elif head.is_response:
            self._fail_calls()
        elif head.has_id or self._answers_noise:
            own_id = head.id if head.has_id else None
            self._refuse(own_id, ErrorCode.INVALID_REQUEST, "Line too long")

    def _refuse(self, own_id: MessageId, code: ErrorCode, text: str) -> None:
        self._send(error_response(own_id, RpcError(code, text)))
        self._invalid_in_row += 1
        if self._invalid_in_row >= self._limits.max_invalid_in_row:
            raise AcpError(f"{self._invalid_in_row} messages in a row were malformed")

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
        except Exception as error:  # noqa: BLE001
            self._receiver.report(error, method)
        return False
