"""One direction of a proxy: the messages to one of its sides."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from ... import sentences
from ...gates.gates import Gates
from ...json_text import print_json
from ...json_values import OBJECT
from ...protocol import Protocol, Side
from ...rpc.backlog import Backlog
from ...rpc.errors import (
    AcpError,
    ConnectionClosedError,
    broken_response,
    to_rpc_error,
)
from ...rpc.inbound import error_response
from ...rpc.messages import MessageId, message_line
from ...rpc.noise import ConnectionStats, MalformedInput
from ...rpc.outbound import call_message, expire
from ...rpc.reports import report
from ...rpc.stream import ByteStream
from ...session.session_tree import SessionTree
from ..peer import Peer
from ..update_handlers import UpdateHandlers
from .base import BaseProxy


class _Call:
    """A request that the proxy itself has sent."""

    def __init__(self, method: str) -> None:
        self.method = method
        loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = loop.create_future()

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)
            # Nobody has to wait for it.
            self.future.exception()


class Way:
    """The messages to one side, and the requests that the proxy itself has sent to it."""

    def __init__(
        self,
        side: Side,
        source: ByteStream,
        target: ByteStream,
        proxy: BaseProxy,
        stalled: Callable[[AcpError], None],
    ) -> None:
        """`stalled` is called when the target takes nothing for too long."""
        self.side: Side = side
        """The side that handles the messages."""
        self.source = source
        self.target = target
        self.back = self
        """The messages to the other side."""
        self._backlog = Backlog(target, proxy.limits.stall, stalled)
        self.stats = ConnectionStats()
        self.handled: dict[MessageId, asyncio.Task[None]] = {}
        self.prompts: dict[MessageId, Any] = {}
        """The sessions of the prompts among them."""
        """The handlers of requests, by the ids of the requests."""
        self._proxy = proxy
        self._passed: dict[MessageId, None] = {}
        """The ids of requests that were passed on, the oldest first."""
        self._open: dict[MessageId, _Call] = {}
        self.is_closed = False
        self._ids = itertools.count()

    async def request(
        self,
        method: str,
        params: Any,
        timeout: float | None = None,
        own_id: MessageId = None,
    ) -> Any:
        """Sends a request, with the id of the one that it passes on, if it is free."""
        if self.is_closed:
            raise ConnectionClosedError(method)
        request_id = own_id
        if own_id is None or own_id in self._open:
            request_id = f"proxy-{next(self._ids)}"
        call = self._open[request_id] = _Call(method)
        self._send({"id": request_id, **call_message(method, params)})
        timer: asyncio.TimerHandle | None = None
        try:
            await self.target.drain()
            if timeout is not None:
                loop = asyncio.get_running_loop()
                timer = loop.call_later(timeout, expire, call.future, method, timeout)
            return await call.future
        finally:
            if timer is not None:
                timer.cancel()
            # The entry stays, for the response that nobody waits for any more.
            is_open = self._open.get(request_id) is call and not self.is_closed
            # A prompt is cancelled by `session/cancel`.
            if is_open and method != self._proxy.PROTOCOL.named("starts-turn"):
                cancelled = {"requestId": request_id}
                self._send({"method": "$/cancel_request", "params": cancelled})

    async def notify(self, method: str, params: Any) -> None:
        """Sends a notification."""
        self._send(call_message(method, params))
        await self.target.drain()

    @property
    def is_settled(self) -> bool:
        """Returns whether every request that was passed on or handled is answered."""
        return not (self._passed or self.handled)

    def has_sent(self, request_id: MessageId) -> bool:
        """Returns whether the proxy has sent a request with this id."""
        return request_id in self._open

    def expect(self, request_id: MessageId) -> None:
        """Expects the response to a request that is passed on."""
        self._passed[request_id] = None
        if len(self._passed) > self._proxy.limits.max_in_flight:
            del self._passed[next(iter(self._passed))]

    def settle(self, response: dict[str, Any], response_id: MessageId) -> bool:
        """Ends the request of the proxy that a response answers; returns whether there is one."""
        call = self._open.pop(response_id, None)
        if call is None:
            self._passed.pop(response_id, None)
            return False
        if "error" in response:
            call.fail(to_rpc_error(response["error"], call.method))
        elif not call.future.done():
            call.future.set_result(response.get("result"))
        return True

    def end_broken(self, own_id: MessageId, problem: str) -> bool:
        """Fails the request of a response that cannot be used; returns whether there is one."""
        is_passed = own_id is not None and own_id in self._passed
        response = error_response(own_id, broken_response(problem))
        if self.settle(response, own_id):
            return True
        if is_passed:
            self.answer(response)
        return is_passed

    def end_all_broken(self, problem: str) -> bool:
        """Fails all requests, since a response does not say which one it answers."""
        own_ids = [*self._open, *self._passed]
        return sum(self.end_broken(own_id, problem) for own_id in own_ids) > 0

    def ignore(self, own_id: MessageId, problem: str) -> None:
        """Counts and reports a response that no request waits for."""
        self.stats.ignored += 1
        text = sentences.unexpected_response(print_json(own_id)[:200], problem)
        report(self._proxy.on_error, AcpError(text), None)

    def malformed_input(self) -> MalformedInput:
        """Returns what becomes of input of the target that is not a message."""
        return MalformedInput(
            self,
            self.stats,
            self._proxy.limits.max_invalid_in_row,
            answers_noise=self.side == "client",
            answer=self._send,
            report=lambda error: report(self._proxy.on_error, error, None),
        )

    def answer(self, response: dict[str, Any]) -> None:
        """Sends a response back to where the messages come from."""
        self.back._send(response)

    def close(self) -> None:
        """Fails the requests that are not answered."""
        self.is_closed = True
        self._backlog.close()
        self._passed.clear()
        reason: str = getattr(self.target, "end_reason", "")
        for call in self._open.values():
            call.fail(ConnectionClosedError(call.method, reason=reason))

    def write(self, line: bytes) -> None:
        """Writes a message to the target, which need not take it now."""
        self.target.write(line + b"\n")
        self._backlog.add(len(line) + 1, is_answer=False)

    def _send(self, message: dict[str, Any]) -> None:
        self.write(message_line(message))


class ProxyEnd:
    """What a connected side needs of its connection, for the calls of a proxy."""

    def __init__(
        self,
        proxy: BaseProxy,
        way: Way,
        gates: Gates,
        make: Callable[[Any, Side], Peer],
    ) -> None:
        self.role = proxy
        self.protocol: Protocol = proxy.PROTOCOL
        self.gates = gates
        self.rpc = way
        self.is_initialized = True
        self.update_handlers = UpdateHandlers(proxy.limits.cancel_grace)
        # Authentication and the states of sessions are left to the client.
        self.resumptions = self.sign_ins = self.sessions = None
        self.tree = SessionTree()
        self.peer = make(self, way.side)


def version_of(message: Any) -> int:
    """Returns the version of the protocol in an initialize message; 0 if it has none."""
    version = message.get("protocolVersion") if isinstance(message, OBJECT) else None
    return version if isinstance(version, int) else 0
