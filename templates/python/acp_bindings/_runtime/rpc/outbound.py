"""The unanswered calls of this side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from .. import sentences
from ..json_text import print_json
from ..json_values import OBJECT
from ..record import Record
from .errors import AcpError, RequestTimeoutError, broken_response, to_rpc_error
from .messages import MessageId
from .noise import ConnectionStats
from .receiver import Receiver

_MAX_GIVEN_UP = 1000
"""How many ids of calls that were given up are remembered, for late answers."""


class _Call(Record):
    method: str
    params: Any
    future: asyncio.Future[Any]


class OutboundCalls:
    """Pairs calls with their responses."""

    def __init__(
        self, receiver: Receiver, stats: ConnectionStats, settled: Callable[[], None]
    ) -> None:
        """`settled` is called when a response has settled a call."""
        self._receiver = receiver
        self._stats = stats
        self._settled = settled
        self._open: dict[MessageId, _Call] = {}
        self._given_up: dict[MessageId, _Call] = {}
        """The calls whose responses come too late, without their params but the session."""

    def add(self, request_id: int, method: str, params: Any) -> asyncio.Future[Any]:
        """Returns the future for the result of a call."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._open[request_id] = _Call(method, params, future)
        return future

    def give_up(self, request_id: MessageId) -> bool:
        """Forgets a call that nobody waits for any more; returns whether it was open."""
        call = self._open.pop(request_id, None)
        if call is None:
            return False
        params: Any = call.params if isinstance(call.params, OBJECT) else {}
        session = {"sessionId": params.get("sessionId")}
        self._given_up[request_id] = _Call(call.method, session, call.future)
        if len(self._given_up) > _MAX_GIVEN_UP:
            del self._given_up[next(iter(self._given_up))]
        return True

    def withdraw(self, result_of: Callable[[str, Any], Any]) -> list[MessageId]:
        """Ends calls with results of this side; None lets a call continue. Returns their ids."""
        withdrawn: list[MessageId] = []
        for request_id, call in list(self._open.items()):
            result = result_of(call.method, call.params)
            if result is not None and not call.future.done():
                call.future.set_result(result)
                self.give_up(request_id)
                withdrawn.append(request_id)
        return withdrawn

    def is_given_up(self, request_id: MessageId) -> bool:
        """Returns whether a call was given up, and its response has not arrived."""
        return request_id in self._given_up

    def fail(self, error_of: Callable[[str], Exception]) -> None:
        """Fails all calls, because nothing can answer them any more."""
        calls, self._open = self._open, {}
        for call in calls.values():
            _fail(call, error_of(call.method))

    def end_broken(self, own_id: MessageId, problem: str) -> bool:
        """Fails the call of a response that cannot be used; returns whether there is one."""
        call = self._open.pop(own_id, None)
        if call is None:
            return False
        self._receiver.answered(own_id, is_result=False)
        _fail(call, broken_response(problem, call.method))
        self._settled()
        return True

    def end_all_broken(self, problem: str) -> bool:
        """Fails all calls, since a response does not say which one it answers."""
        return sum(self.end_broken(own_id, problem) for own_id in list(self._open)) > 0

    def ignore(self, own_id: MessageId, problem: str) -> None:
        """Counts and reports a response that no call waits for."""
        if own_id in self._given_up:
            del self._given_up[own_id]
            self._receiver.answered(own_id, is_result=True)
        else:
            self._stats.ignored += 1
            text = sentences.unexpected_response(print_json(own_id)[:200], problem)
            self._receiver.report(AcpError(text), None)

    def settle(self, value: dict[str, Any], own_id: MessageId) -> None:
        """Ends the call of a response."""
        call = self._open.pop(own_id, None)
        late = self._given_up.get(own_id)
        if call is None:
            self.ignore(own_id, _text_of(value.get("error")))
        else:
            error: Any = value.get("error")
            code = error.get("code") if isinstance(error, OBJECT) else None
            self._receiver.answered(own_id, is_result="error" not in value, code=code)
            late = call if call.future.done() else None
        if late is not None and "error" not in value:
            self._receiver.unclaimed(late.method, late.params, value.get("result"))
        if call is None or late is not None:
            return
        if "error" in value:
            _fail(call, to_rpc_error(value["error"], call.method))
        else:
            result = value.get("result")
            self._receiver.response(call.method, call.params, result)
            call.future.set_result(result)
        self._settled()


def _text_of(error: Any) -> str:
    if error is None:
        return ""
    return f"{int(error['code'])} {error['message'][:200]}"


def call_message(method: str, params: Any) -> dict[str, Any]:
    """Returns a message without its id; params that are None are left out."""
    if params is None:
        return {"method": method}
    return {"method": method, "params": params}


def expire(future: asyncio.Future[Any], method: str, timeout: float) -> None:
    """Fails a call that was not answered in its time."""
    if not future.done():
        text = sentences.not_answered(method, f"{timeout:g} s")
        future.set_exception(RequestTimeoutError(text, method))


def _fail(call: _Call, error: Exception) -> None:
    if not call.future.done():
        call.future.set_exception(error)
        # Nobody has to wait for a call.
        call.future.exception()
