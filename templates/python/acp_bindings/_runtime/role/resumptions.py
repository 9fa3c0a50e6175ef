"""The resumptions of sessions that an agent has not answered, after version 1."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .. import sentences
from ..rpc.after_response import AfterResponse
from ..rpc.errors import AcpError

if TYPE_CHECKING:
    from ..link import Link

_END = "replay_complete"
"""The update that ends a history."""

_MAX_HELD = 1000
"""How many live updates of a session can be held before their senders wait."""


class _Resumption:
    """A request that resumes a session and is not answered."""

    def __init__(self, session_id: str, is_replay: bool) -> None:
        self.session_id = session_id
        self.is_replay = is_replay
        """Whether the client has asked for the history, and its end was not sent."""
        self.state: Any = None
        """The last state that the handler has sent in its replay."""
        self.needs_state = True
        """Whether no state was sent since the history."""


class _Held:
    """The updates of a session that are held."""

    def __init__(self) -> None:
        self.updates: list[tuple[str, Any]] = []
        self.released = asyncio.Event()


_current: ContextVar[_Resumption | None] = ContextVar("acp_resumption", default=None)
"""The resumption in whose handler a task runs, or that has started the task."""


class Resumptions:
    """Completes what the handlers of resumed sessions send.

    With `replayFrom`, the updates that the handler sends are the history. The end of the
    history and the current state are sent before the response when the handler has not sent
    them. Until the history has ended, updates that are not sent by the handler are held.
    """

    def __init__(
        self, connection: Link, report_state: Callable[[str], Awaitable[None]]
    ) -> None:
        self._connection = connection
        self._report_state = report_state
        self._open: list[_Resumption] = []
        self._held: dict[str, _Held] = {}

    def follow(
        self, params: Any, later: AfterResponse, handle: Callable[[], Awaitable[Any]]
    ) -> Callable[[], Awaitable[Any]]:
        """Returns the handler of a request that was received, with what it has to send."""
        resumption = _Resumption(
            params["sessionId"], params.get("replayFrom") is not None
        )
        self._open.append(resumption)
        later.at_end = functools.partial(self._close, resumption)
        return functools.partial(self._run, resumption, handle)

    async def _run(
        self, resumption: _Resumption, handle: Callable[[], Awaitable[Any]]
    ) -> Any:
        session_id = resumption.session_id
        _current.set(resumption)
        try:
            result = await handle()
            if resumption.is_replay:
                await self._send_update(session_id, {"sessionUpdate": _END})
            if resumption.needs_state and resumption.state is not None:
                await self._send_update(session_id, resumption.state)
            if resumption.needs_state:
                await self._report_state(session_id)
            return result
        finally:
            _current.set(None)

    async def answer(self, params: Any, handle: Callable[[], Awaitable[Any]]) -> Any:
        """Handles a prompt, whose answer waits for its message while that is held."""
        result = await handle()
        held = self._held.get(params["sessionId"])
        if held is not None:
            await held.released.wait()
        return result

    def leave(self) -> None:
        """Separates the current task from the handler that has started it."""
        _current.set(None)

    def _close(self, resumption: _Resumption) -> None:
        """Sends what is still held, since the history has failed: it is not part of it."""
        self._open.remove(resumption)
        self._release(resumption.session_id)

    async def _send_update(self, session_id: str, update: Any) -> None:
        peer, protocol = self._connection.peer, self._connection.protocol
        method = protocol.named("updates-session", "notification")
        await peer._notify(method, {"sessionId": session_id, "update": update})

    async def send(self, method: str, params: Any) -> None:
        """Sends an update, or holds it while the history of its session is sent.

        Raises AcpError for the end of a history that was not requested, or has ended.
        """
        session_id, update = params["sessionId"], params["update"]
        tag, rpc = update.get("sessionUpdate"), self._connection.rpc
        current = _current.get()
        own = current if current in self._of(session_id) else None
        if tag == _END:
            if own is None or not own.is_replay:
                raise AcpError(sentences.unrequested_end(_END), method)
            await rpc.notify(method, params)
            own.is_replay = False
            self._release(session_id)
        elif own is None and self._is_replaying(session_id):
            held = self._held.setdefault(session_id, _Held())
            held.updates.append((method, params))
            # Senders do not wait, since the handler may wait for them, unless too much is held.
            if len(held.updates) > _MAX_HELD:
                await held.released.wait()
        else:
            self._sent(session_id, update, own)
            await rpc.notify(method, params)

    def _of(self, session_id: str) -> list[_Resumption]:
        return [one for one in self._open if one.session_id == session_id]

    def _is_replaying(self, session_id: str) -> bool:
        return any(one.is_replay for one in self._of(session_id))

    def _release(self, session_id: str) -> None:
        if self._is_replaying(session_id):
            return
        held = self._held.pop(session_id, None)
        if held is None:
            return
        for method, params in held.updates:
            self._sent(session_id, params["update"], None)
            # The connection may have ended.
            with suppress(AcpError):
                self._connection.rpc.post(method, params)
        held.released.set()

    def _sent(self, session_id: str, update: Any, own: _Resumption | None) -> None:
        """A state before the end of the history is part of it, and is sent again behind it."""
        if update.get("sessionUpdate") != "state_update":
            return
        if own is not None and own.is_replay:
            own.state = update
            return
        for one in self._of(session_id):
            one.needs_state = one.needs_state and one.is_replay
