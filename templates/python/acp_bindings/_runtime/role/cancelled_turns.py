"""The sessions of a client whose turn was cancelled: the agent may not ask in them."""

from __future__ import annotations

import time
from typing import Any, Literal

from ..gates.paths import read
from ..json_values import OBJECT
from ..rpc.messages import MessageId
from ..session.session_tree import SessionTree

_MAX_SESSIONS = 1000
_MAX_PROMPTS = 1000


class _Cancelled:
    """A session since its cancellation."""

    def __init__(
        self,
        prompts: set[MessageId],
        *,
        has_ended: bool,
        deadline: float,
        ends_twice: bool = False,
    ) -> None:
        self.prompts = prompts
        """The prompts that were not answered at the cancellation."""
        self._has_ended = has_ended
        self._deadline = deadline
        """The time at which the end is no longer waited for, in seconds of `time.monotonic()`."""
        self.is_prompted = False
        """Whether the client has sent another prompt since."""
        self._ends_twice = ends_twice
        """Whether it also ends a prompt that was sent when an earlier one was still ending."""

    @property
    def has_ended(self) -> bool:
        """Whether the turn has ended, or counts as ended."""
        return self._has_ended or time.monotonic() >= self._deadline

    def end(self) -> None:
        """Takes the end of the turn."""
        self._has_ended = True

    def begins_again(self) -> bool:
        """Returns whether work that begins now is cancelled as well, after version 1."""
        is_again = self._ends_twice and not self.is_prompted
        self._ends_twice, self._has_ended = False, self._has_ended and not is_again
        return is_again


class CancelledTurns:
    """Knows in which sessions questions are answered as cancelled, without the handler.

    It begins with `session/cancel`. It ends when the turn has ended and another prompt was
    sent, in whatever order. A turn ends in version 1 when all prompts that were open at the
    cancellation are answered, later when the session is idle as well; there it also begins again
    when the agent reports work in the session. An agent that does not end it within the grace
    period counts as having ended it, as for the caller of the prompt. Memory is bounded.

    A cancellation reaches the subagents of the session.

    `grace` is the time that a cancelled turn has to end, in seconds.
    """

    def __init__(self, version: int, grace: float, tree: SessionTree) -> None:
        self._tree = tree
        self._version = version
        self._grace = grace
        self._cancelled: dict[str, _Cancelled] = {}
        self._sessions: dict[MessageId, str] = {}
        """The sessions of the prompts that are not answered, by the ids of the requests."""
        self._busy: dict[str, Literal["prompted", "running"]] = {}
        """The sessions that are going to report the end of a turn, after version 1."""

    def __contains__(self, session_id: object) -> bool:
        """Returns whether the questions of a session are answered as cancelled."""
        if not isinstance(session_id, str):
            return False
        return any(map(self._holds, self._tree.path(session_id)))

    def _holds(self, session_id: str) -> bool:
        cancelled = self._cancelled.get(session_id)
        if cancelled is not None:
            self._reopen(session_id, cancelled)
        return session_id in self._cancelled

    def cancel(self, params: Any) -> None:
        """Takes a `session/cancel` of the client."""
        session_id = _session_of(params)
        if session_id is None:
            return
        prompts = {key for key, one in self._sessions.items() if one == session_id}
        is_busy = bool(prompts) or session_id in self._busy
        earlier = self._cancelled.pop(session_id, None)
        self._cancelled[session_id] = _Cancelled(
            prompts,
            has_ended=not is_busy,
            deadline=time.monotonic() + self._grace,
            ends_twice=earlier is not None
            and earlier.is_prompted
            and not earlier.has_ended,
        )
        _bound(self._cancelled, _MAX_SESSIONS)

    def prompt(self, request_id: MessageId, params: Any) -> None:
        """Takes a prompt of the client."""
        session_id = _session_of(params)
        if session_id is None:
            return
        self._sessions[request_id] = session_id
        if len(self._sessions) > _MAX_PROMPTS:
            self.answered(next(iter(self._sessions)), is_result=True)
        if self._version > 1:
            self._busy.setdefault(session_id, "prompted")
            _bound(self._busy, _MAX_SESSIONS)
        cancelled = self._cancelled.get(session_id)
        if cancelled is not None:
            cancelled.is_prompted = True
            self._reopen(session_id, cancelled)

    def answered(self, request_id: MessageId, *, is_result: bool) -> None:
        """Takes the answer to a request, which may be a prompt."""
        session_id = self._sessions.pop(request_id, None)
        if session_id is None:
            return
        cancelled = self._cancelled.get(session_id)
        if cancelled is not None:
            cancelled.prompts.discard(request_id)
        is_running = self._busy.get(session_id) == "running"
        is_prompted = session_id in self._sessions.values()
        is_refused = not is_result and not is_running and not is_prompted
        if is_refused or session_id not in self._busy:
            self._become_idle(session_id)

    def update(self, params: Any) -> None:
        """Takes a `session/update` of the agent, after version 1."""
        update = read(params, ["update"])
        tag, session_id = read(update, ["sessionUpdate"]), _session_of(params)
        if session_id is None:
            return
        if tag == "user_message" and session_id in self._sessions.values():
            # The work on a message follows its report.
            self._busy.setdefault(session_id, "prompted")
        if tag != "state_update":
            return
        state = update.get("state")
        if state == "idle":
            self._become_idle(session_id)
            return
        self._busy[session_id] = "running"
        _bound(self._busy, _MAX_SESSIONS)
        cancelled = self._cancelled.get(session_id)
        if (
            cancelled is not None
            and cancelled.has_ended
            and not cancelled.begins_again()
        ):
            del self._cancelled[session_id]

    def forget(self, params: Any) -> None:
        """Forgets a session that was closed or deleted."""
        session_id = _session_of(params)
        # In version 1, work can ask until its prompt is answered.
        can_ask = self._version == 1 and session_id in self._sessions.values()
        if session_id is not None and not can_ask:
            self._cancelled.pop(session_id, None)
            self._busy.pop(session_id, None)

    def _become_idle(self, session_id: str) -> None:
        self._busy.pop(session_id, None)
        cancelled = self._cancelled.get(session_id)
        # A prompt that was not answered may still begin work.
        if cancelled is not None and not cancelled.prompts:
            cancelled.end()
            self._reopen(session_id, cancelled)

    def _reopen(self, session_id: str, cancelled: _Cancelled) -> None:
        if cancelled.has_ended and cancelled.is_prompted:
            del self._cancelled[session_id]


def _session_of(params: Any) -> str | None:
    found = params.get("sessionId") if isinstance(params, OBJECT) else None
    return found if isinstance(found, str) else None


def _bound(sessions: dict[str, Any], limit: int) -> None:
    if len(sessions) > limit:
        del sessions[next(iter(sessions))]
