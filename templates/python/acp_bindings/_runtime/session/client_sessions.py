"""The sessions that a client has opened on one connection."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from .. import sentences
from ..gates.paths import read
from ..json_values import OBJECT
from ..results import Failure
from ..rpc.errors import AcpError
from .client_turn import state_of, stop_reason_of
from .state import SessionState

if TYPE_CHECKING:
    from ..link import Link
    from ..protocol import Method, Trait
    from .client_turn import Turn

T = TypeVar("T")
MAX_EARLY = 100
"""How many sessions get a state before the answer with their id has come."""

_WORK = ("agent_", "tool_call_")
"""The updates that only work makes, for agents that do not report it as running."""

_QUIET_TIME = 1.0
"""The seconds in which work begins that a prompt has started; one without work has ended."""

_OPENING: Mapping[Trait, str] = {
    "resumes-session": "resume_session",
    "loads-session": "load_session",
}
"""The traits of methods that open a session that exists, and the calls of the peer."""


class _Replays:
    """The histories of a session that are received."""

    # The calls that have requested one, and the histories whose end was not received.
    calls = left = 0
    state: Any = None
    """The last state that was received meanwhile."""


class ClientSessions:
    """The states of sessions, and their turns, as far as this connection has opened them."""

    def __init__(self, connection: Link) -> None:
        self._protocol = connection.protocol
        self._states: dict[str, SessionState] = {}
        self._turns: dict[str, list[Turn[Any, Any]]] = {}
        """The running turns by session: one that is opened again keeps its turns."""
        self._early: dict[str, SessionState] = {}
        self._opening = 0
        self._rests: dict[str, tuple[str | None]] = {}
        """Why sessions ended their work that are idle, and have reported no work since, after version 1."""
        self._replaying: dict[str, _Replays] = {}
        """The sessions whose history is received, after version 1."""
        self._unsent: dict[str, list[Callable[[], None]]] = {}
        """What the refusals of calls do that open a session again, before they were sent."""
        self._refusals: dict[object, Callable[[], None]] = {}
        """The same of calls that were sent, by their ids."""
        self._reopening: dict[str, list[Any]] = {}
        """The lists of sessions that are opened again, as they were when that was asked for."""
        self.closing: dict[object, Any] = {}
        """The sessions that are being closed, by the ids of the requests."""
        self.lost: BaseException | None = None
        """The error of turns that the end of the connection has left without an end."""
        connection.listeners.append(self._listen)
        connection.on_close.append(self._closed)

    def of(self, session_id: str) -> SessionState:
        """Returns the state of a session, which begins now if it is new."""
        state = self._states.get(session_id)
        if state is None:
            state = self._early.pop(session_id, None) or self._create()
            self._states[session_id] = state
        return state

    def find(self, session_id: str) -> SessionState | None:
        """Returns the state of a session that is open."""
        return self._states.get(session_id)

    def options_of(self, session_id: Any) -> Any:
        """Returns the options of an open session as JSON; None if they are not known."""
        update: Any = getattr(self._states.get(session_id), "config", None)
        if update is None:
            return None
        return read(self._protocol.to_json(update), ["configOptions"])

    def check_open(self, session_id: str, method: str) -> None:
        """Raises AcpError for a call in a session that was closed, or is being closed."""
        found = self._protocol.find("agent", "request", method)
        needs_open = found is None or "accepts-closed-session" not in found.traits
        is_open = session_id in self._states and session_id not in self.closing.values()
        if needs_open and not is_open:
            raise AcpError(self._closed_text(session_id, method), method)

    def add(self, session_id: str, turn: Turn[Any, Any]) -> None:
        """Passes the updates of a session on to a turn."""
        self._turns.setdefault(session_id, []).append(turn)

    def remove(self, session_id: str, turn: Turn[Any, Any]) -> None:
        turns = self._turns[session_id]
        turns.remove(turn)
        if not turns:
            del self._turns[session_id]

    def sent(self, method: str, params: Any, request_id: object) -> None:
        """Takes a call of this side."""
        session_id = read(params, ["sessionId"])
        found = self._protocol.find("agent", "request", method)
        if found is not None and "ends-session" in found.traits:
            self.closing[request_id] = session_id
        elif found is not None and any(trait in found.traits for trait in _OPENING):
            waiting = self._unsent.get(session_id)
            if waiting:
                self._refusals[request_id] = waiting.pop(0)
        elif method == self._protocol.named("cancels-turn", "notification"):
            for turn in self._turns.get(session_id, ()):
                turn.cancelled()

    def answered(self, request_id: object, *, is_result: bool) -> None:
        """Takes the answer to a call, before the next message."""
        refused = self._refusals.pop(request_id, None)
        if refused is not None and not is_result:
            refused()

    async def open(self, call: Awaitable[T]) -> T:
        """Waits for the answer that has the id of a new session; updates may come before it."""
        self._opening += 1
        try:
            return await call
        finally:
            self._opening -= 1
            if self._opening == 0:
                self._early.clear()

    async def reopen(self, session_id: str, call: Awaitable[T], replays: bool) -> T:
        """Waits for the answer to `session/load` or `session/resume`.

        A replay begins with an empty state. When the call fails, the state is as before.
        """
        before = self._states.get(session_id)
        state = self._create() if replays or before is None else before
        self._states[session_id] = state
        is_received = replays and self._protocol.version > 1
        histories = self._replaying.get(session_id, _Replays())
        if is_received:
            self._replaying[session_id] = histories
            histories.calls += 1
            histories.left += 1
        methods = filter(None, map(self._protocol.having, _OPENING))
        lists = [one for method in methods for one in state.lists_of(method.name)]
        self._reopening[session_id] = lists

        def refused() -> None:
            """What follows the error belongs to no history."""
            if self._states.get(session_id) is state:
                del self._states[session_id]
                if before is not None:
                    self._states[session_id] = before
            if is_received:
                histories.left = max(0, histories.left - 1)
                if histories.state is not None:
                    # It may have been that of a turn, and nothing repeats it.
                    self._change_state(session_id, histories.state)

        once = functools.cache(refused)
        self._unsent.setdefault(session_id, []).append(once)
        try:
            return await call
        except BaseException:
            once()
            raise
        finally:
            waiting = self._unsent.get(session_id, [])
            if once in waiting:
                waiting.remove(once)
            if not waiting:
                self._unsent.pop(session_id, None)
            if is_received:
                histories.calls -= 1
                if histories.calls == 0:
                    del self._replaying[session_id]
            self._reopening.pop(session_id, None)

    def _create(self) -> SessionState:
        assert self._protocol.state is not None
        return self._protocol.state()

    def _closed_text(self, session_id: str, method: str) -> str:
        calls = [
            call
            for trait, call in _OPENING.items()
            if self._protocol.having(trait) is not None
        ]
        name = json.dumps(session_id[:100])
        return sentences.in_closed_session(method, name, " or ".join(calls))

    def _closed(self, error: BaseException) -> None:
        self.lost = error
        for turn in self._running():
            turn.lose(error)

    def _running(self) -> list[Turn[Any, Any]]:
        return [turn for turns in self._turns.values() for turn in turns]

    def _listen(self, method: Method, params: Any, result: Any) -> None:
        traits = method.traits
        if "updates-session" in traits:
            self._update(params.session_id, params.update)
            return
        session_id = read(params, ["sessionId"])
        if method.side == "client":
            # A request of the agent, such as one about a tool call.
            if isinstance(session_id, str) and session_id in self._states:
                self._fold(self._states[session_id], method, "params", params)
            return
        answer: Any = result if isinstance(result, OBJECT) else {}
        if "creates-session" in traits:
            self._begin_new(method, answer)
        elif "ends-session" in traits:
            self.forget(session_id)
            return
        if "starts-turn" in traits:
            for turn in tuple(self._turns.get(session_id, ())):
                turn.answered(params, answer.get("messageId"))
        if isinstance(session_id, str) and session_id in self._states:
            self._answered(method, params, answer, self._states[session_id])

    def _update(self, session_id: str, update: Any) -> None:
        state = self._states.get(session_id)
        if state is None and self._opening > 0:
            state = self._early_state(session_id)
        if state is not None:
            state.apply(update)
            if getattr(update, "session_update", None) == "subagent_update":
                self.of(update.session_id)
        histories = self._replaying.get(session_id)
        is_history = histories is not None and histories.left > 0
        for turn in tuple(self._turns.get(session_id, ())):
            turn.receive(update, is_history=is_history)
        if histories is not None and is_history:
            # The history, with its end, is not part of a turn.
            if getattr(update, "session_update", None) == "replay_complete":
                histories.left -= 1
            elif state_of(update) is not None:
                histories.state = update
        elif self._protocol.version > 1:
            if state_of(update) is not None:
                self._change_state(session_id, update)
            elif getattr(update, "session_update", "").startswith(_WORK):
                self._rests.pop(session_id, None)

    def _change_state(self, session_id: str, update: Any) -> None:
        turns = tuple(self._turns.get(session_id, ()))
        others: list[str | None] = []
        if getattr(update, "stop_reason", None) == "cancelled":
            # The end of cancelled work precedes new work.
            others = [turn.message_id for turn in turns if turn.is_cancelled]
        last = self._rests.get(session_id)
        rest = self._take_rest(session_id, update)

        def deliver(turn: Turn[Any, Any]) -> None:
            turn.change_state(update, () if turn.is_cancelled else others)

        def deliver_if_quiet(turn: Turn[Any, Any]) -> None:
            if self._rests.get(session_id) is rest:
                deliver(turn)

        for turn in turns:
            if rest is None or rest is not last or turn.may_end_without_work:
                deliver(turn)
            else:
                loop = asyncio.get_running_loop()
                loop.call_later(_QUIET_TIME, deliver_if_quiet, turn)

    def _take_rest(self, session_id: str, update: Any) -> tuple[str | None] | None:
        """Notes a state, and returns the rest of the session: the same object when it repeats it.

        It is then no completion, unless a prompt waits that turns out to start no work.
        """
        last = self._rests.pop(session_id, None)
        if state_of(update) != "idle":
            return None
        reason = stop_reason_of(update)
        is_repeated = last is not None and reason in (None, *last)
        rest = last if is_repeated else (reason,)
        if rest is not None and session_id in self._states:
            self._rests[session_id] = rest
        return rest

    def _answered(
        self, method: Method, params: Any, answer: Any, state: SessionState
    ) -> None:
        """Takes the result of a call in a session, in the order of the wire."""
        self._fold(state, method, "params", params)
        if "forks-session" in method.traits:
            self._begin_new(method, answer)
        else:
            before = self._reopening.get(read(params, ["sessionId"]))
            self._fold(state, method, "result", answer, before)

    def _begin_new(self, method: Method, answer: Any) -> None:
        session_id = answer.get("sessionId")
        if isinstance(session_id, str) and self._opening > 0:
            self._fold(self.of(session_id), method, "result", answer, [])

    def forget(self, session_id: Any) -> None:
        """Drops the state of a session, and ends its turns."""
        state = self._states.pop(session_id, None)
        self._rests.pop(session_id, None)
        for child in getattr(state, "subagents", ()):
            self.forget(child)
        for turn in tuple(self._turns.get(session_id, ())):
            turn.close_session()

    def _fold(
        self,
        state: SessionState,
        method: Method,
        part: str,
        message: Any,
        before: list[Any] | None = None,
    ) -> None:
        """Applies the part of a message that an update would report as well."""

        def typed() -> Any:
            name = method.params if part == "params" else method.result
            decoded = self._protocol.schema_of(name).decode(message)
            return None if isinstance(decoded, Failure) else decoded.value

        state.apply_message(method.name, part, message, self._decode, typed, before)

    def _decode(self, update: dict[str, Any]) -> Any:
        method = self._protocol.having("updates-session", "notification")
        assert method is not None
        schema = self._protocol.schema_of(method.params)
        decoded = schema.decode({"sessionId": "", "update": update})
        return None if isinstance(decoded, Failure) else decoded.value.update

    def _early_state(self, session_id: str) -> SessionState | None:
        if session_id not in self._early and len(self._early) < MAX_EARLY:
            self._early[session_id] = self._create()
        return self._early.get(session_id)
