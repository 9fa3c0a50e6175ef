"""The connection of a role to the other side."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

from .. import sentences
from ..gates.gates import Gates
from ..gates.paths import path_text, read
from ..json_values import OBJECT
from ..protocol import INITIALIZE, Method, Place
from ..results import Failure
from ..rpc.after_response import AfterResponse
from ..rpc.connection import CANCEL_REQUEST, Connection
from ..rpc.errors import (
    AcpError,
    CapabilityError,
    ConnectionClosedError,
    ErrorCode,
    RpcError,
    invalid_part,
)
from ..rpc.messages import MessageId, read_id
from ..rpc.receiver import CancelledBy
from ..rpc.reports import give_notes, report
from ..rpc.stream import ByteStream
from ..session.session_tree import SessionTree
from .busy import prompts_before
from .handlers import Handlers
from .handshake import answer_handshake
from .role import LONGEST_NAME, Role
from .sent_rules import wrong_item
from .update_handlers import UpdateHandlers

# What only one side or version needs is loaded with its first connection.
if TYPE_CHECKING:
    from ..session.client_sessions import ClientSessions
    from ..session.turns import SessionTurns
    from .cancelled_turns import CancelledTurns
    from .prompt_retries import PromptRetries
    from .resumptions import Resumptions
    from .sign_ins import SignIns


class RoleConnection:
    """A role that is connected: checks and dispatches what the peer sends."""

    def __init__(self, role: Role[Any], stream: ByteStream) -> None:
        if "limits" not in vars(role):
            text = f"{type(role).__name__}.__init__ does not call super().__init__(info=...)"
            raise TypeError(text)
        self.role = role
        self.protocol = role.PROTOCOL
        self.gates = Gates(role.PROTOCOL)
        self._prompt = role.PROTOCOL.named("starts-turn")
        self._cancel = role.PROTOCOL.named("cancels-turn", "notification")
        self._update = role.PROTOCOL.named("updates-session", "notification")
        self.tree = SessionTree()
        self.is_initialized = False
        self.is_used = False
        self._releasing: set[asyncio.Future[None]] = set()
        self.listeners: list[Callable[[Method, Any, Any], None]] = []
        """Called with each notification and result: the method, params and result."""
        self.on_close: list[Callable[[BaseException], None]] = []
        """Called when the connection has ended."""
        # A client is not answered by the log of an agent that writes to its output.
        self.rpc = Connection(
            stream,
            self,
            role.limits,
            null_ids=self.protocol.null_ids,
            answers_noise=role.SIDE == "agent",
        )
        self.peer = role.peer_of(self)
        self.update_handlers = UpdateHandlers(role.limits.cancel_grace)
        self._handlers = Handlers(self)
        self._cancelled_turns: CancelledTurns | None = None
        self.sign_ins: SignIns | None = None
        self.retries: PromptRetries | None = None
        self.resumptions: Resumptions | None = None
        version = self.protocol.version
        if role.SIDE == "client":
            from .cancelled_turns import CancelledTurns
            from .sign_ins import SignIns

            grace = role.limits.cancel_grace
            self._cancelled_turns = CancelledTurns(version, grace, self.tree)
            self.sign_ins = SignIns(self)
        elif version > 1:
            from .prompt_retries import PromptRetries
            from .resumptions import Resumptions

            self.retries = PromptRetries(self)
            self.resumptions = Resumptions(
                self, lambda session_id: self.turns.report_state(session_id)
            )

    @functools.cached_property
    def sessions(self) -> ClientSessions:
        """The states of the sessions that this side has opened."""
        from ..session.client_sessions import ClientSessions

        return ClientSessions(self)

    @functools.cached_property
    def turns(self) -> SessionTurns:
        """The turns of this side's sessions, in version 2."""
        from ..session.turns import SessionTurns

        return SessionTurns(self)

    def request(
        self, method: str, params: Any, request_id: MessageId, later: AfterResponse
    ) -> Callable[[], Awaitable[Any]]:
        role = self.role
        if method == INITIALIZE and role.SIDE == "agent":
            result = answer_handshake(self, {} if params is None else params)
            return lambda: _done(result)
        if not self.is_initialized:
            # A program that sends back what it receives gives its user this answer.
            is_echo = method == INITIALIZE
            text = (
                sentences.initialize_returned if is_echo else sentences.initialize_first
            )
            raise RpcError(ErrorCode.INVALID_REQUEST, text)
        self.is_used = True
        found = self.protocol.find(role.SIDE, "request", method)
        if found is None:
            notification = self.protocol.find(role.SIDE, "notification", method)
            if notification is not None:
                return self._refuse_id(notification, params)
            return self._handlers.extension(
                "request", method, params, request_id, later
            )
        if (
            found.handler not in role.handled
            or self.gates.missing(found.gate) is not None
        ):
            text = sentences.unknown_method(method[:LONGEST_NAME])
            raise RpcError.method_not_found(text)
        given: Any = {} if params is None else params
        decoded = self.decode(found, given)
        if self.gates.missing(found.gate, given) is not None:
            raise invalid_part(method, "params", found.gate.pointer, "capability")
        place = self.gates.unavailable(found.places, given)
        if place is not None:
            raise invalid_part(method, "params", place[1], "capability")
        wrong = wrong_item(given, self.protocol.version)
        if wrong is not None:
            raise invalid_part(method, "params", wrong.pointer, wrong.rule)
        self.gates.sessions.learn(found, given)
        for listener in tuple(self.listeners):
            listener(found, given, None)
        if self._is_of_cancelled_turn(method, given):
            return lambda: _done(found.cancelled_result)
        context = role.CONTEXT(self.peer, method, request_id, decoded, later)
        earlier = prompts_before(self, found, given, request_id)

        def handle() -> Awaitable[Any]:
            return self._handlers.answer(found, given, decoded, context, earlier)

        answer: Callable[[], Awaitable[Any]] = handle
        if self.resumptions is not None and "resumes-session" in found.traits:
            answer = self.resumptions.follow(given, later, handle)
        elif self.retries is not None and "starts-turn" in found.traits:
            answer = functools.partial(self.retries.run, given, later, handle)
            if self.resumptions is not None:
                answer = functools.partial(self.resumptions.answer, given, answer)
        return self.update_handlers.follow(read(given, ["sessionId"]), answer)

    def _is_of_cancelled_turn(self, method: str, params: Any) -> bool:
        turns = self._cancelled_turns
        if turns is None or self.cancelled_result(method, "turn") is None:
            return False
        return read(params, ["sessionId"]) in turns

    def _refuse_id(
        self, notification: Method, params: Any
    ) -> Callable[[], Awaitable[Any]]:
        """Refuses a notification that was sent as a request; it takes effect all the same."""
        method = notification.name
        handler: Callable[[], Awaitable[None] | None] | None = None
        if "cancels-turn" in notification.traits:
            handler = self.notification(method, params)
        elif method == CANCEL_REQUEST:
            self.rpc.inbound.cancel_id(read_id(read(params, ["requestId"])))

        async def refuse() -> Any:
            if handler is not None and (ended := handler()) is not None:
                await ended
            raise RpcError(ErrorCode.INVALID_REQUEST, sentences.sent_with_id(method))

        return refuse

    def notification(
        self, method: str, params: Any
    ) -> Callable[[], Awaitable[None] | None] | None:
        if not self.is_initialized:
            raise AcpError(sentences.before_initialize(method), method)
        role = self.role
        found = self.protocol.find(role.SIDE, "notification", method)
        if found is None:
            if self.protocol.find(role.SIDE, "request", method) is not None:
                self.rpc.stats.malformed += 1
                raise AcpError(sentences.sent_without_id(method), method)
            return self._handlers.extension("notification", method, params, None)
        given: Any = {} if params is None else params
        decoded = self.decode(found, given)
        self._report_unavailable(found, found.places, given)
        self.gates.sessions.learn(found, given)
        if "cancels-turn" in found.traits:
            self.cancel_prompts(given)
        elif self._cancelled_turns is not None and "updates-session" in found.traits:
            self.tree.update(given)
            if self.protocol.version > 1:
                self._cancelled_turns.update(given)
        if self.listeners:
            for listener in tuple(self.listeners):
                listener(found, decoded, None)
        if found.handler not in role.handled and not role.intercepts:
            return None
        context = role.CONTEXT(self.peer, method, None, decoded)
        handler = self._handlers.notification(found, decoded, context)
        if "updates-session" in found.traits:
            return self.update_handlers.watch(given["sessionId"], handler)
        return handler

    def sent(self, method: str, params: Any, request_id: MessageId) -> None:
        turns = self._cancelled_turns
        if turns is None:
            if method == self._update:
                self.tree.update(params)
            return
        if method == self._prompt:
            turns.prompt(request_id, params)
        elif method == self._cancel:
            turns.cancel(params)
            self.rpc.inbound.end_questions(self._is_of_cancelled_turn)
        if self.sign_ins is not None:
            self.sign_ins.sent(method, params)
        if "sessions" in vars(self):
            self.sessions.sent(method, params, request_id)

    def answered(
        self, request_id: MessageId, *, is_result: bool, code: object = None
    ) -> None:
        if self._cancelled_turns is not None:
            self._cancelled_turns.answered(request_id, is_result=is_result)
        if "sessions" in vars(self):
            # A call that needs a login may be sent again.
            may_repeat = code == ErrorCode.AUTHENTICATION_REQUIRED
            self.sessions.answered(request_id, is_result=is_result or may_repeat)
        self._end_request(request_id)

    def given_up(self, method: str, request_id: MessageId) -> bool:
        self._end_request(request_id)
        return method != self._prompt

    def _end_request(self, request_id: MessageId) -> None:
        """Ends the questions about a request of a client that is over."""
        if self._cancelled_turns is None:
            return
        if "sessions" in vars(self):
            self.sessions.closing.pop(request_id, None)
            self.sessions.answered(request_id, is_result=True)

        def belongs(method: str, params: Any) -> bool:
            is_same = read(params, ["requestId"]) == request_id
            return is_same and self.cancelled_result(method, "turn") is not None

        self.rpc.inbound.end_questions(belongs)

    def response(self, method: str, params: Any, result: Any) -> None:
        is_handshake = method == INITIALIZE and isinstance(result, OBJECT)
        if is_handshake and result.get("protocolVersion") == self.protocol.version:
            # What follows in the same bytes is handled already. A capability of a wrong type is absent.
            self.agree(params, self.protocol.initialize("agent").repair(result))
        found = self.protocol.find(self.peer._side, "request", method)
        if found is None:
            return
        self._report_unavailable(found, found.result_places, result)
        self.gates.sessions.learn(found, params, result)
        if self._cancelled_turns is not None and "cancels-turn" in found.traits:
            self._cancelled_turns.forget(params)
        for listener in tuple(self.listeners):
            listener(found, params, result)

    def unclaimed(self, method: str, params: Any, result: Any) -> None:
        """Closes or releases what a result has created, because its caller has gone."""
        found = self.protocol.find(self.peer._side, "request", method)
        traits = () if found is None else found.traits
        if "creates-terminal" in traits:
            ending = self.protocol.having("releases-terminal")
            key, given = "terminalId", {"sessionId": read(params, ["sessionId"])}
        elif "creates-session" in traits or "forks-session" in traits:
            ending, key, given = self.protocol.find_close(), "sessionId", {}
        else:
            return
        if ending is not None:
            given[key] = read(result, [key])
            ended = asyncio.ensure_future(self._release(ending.name, given))
            self._releasing.add(ended)
            ended.add_done_callback(self._releasing.discard)

    async def _release(self, method: str, params: Any) -> None:
        try:
            await self.peer._call(method, params, self.role.limits.cancel_grace)
        except (CapabilityError, ConnectionClosedError):
            # Not every agent can close a session.
            pass
        except Exception as error:  # noqa: BLE001
            self.report(error, method)

    def _report_unavailable(
        self, method: Method, places: tuple[Place, ...], message: Any
    ) -> None:
        """Reports a received value that needs what this side has not advertised."""
        found = self.gates.unavailable(places, message)
        side = self.role.SIDE
        if found is None or found[0].gate.side != side:
            return
        is_result = places is method.result_places
        sent = sentences.result_of(method.name) if is_result else method.name
        path = path_text(found[0].gate.path)
        text = sentences.received_unadvertised(
            self.peer._side, sent, found[1], path, side
        )
        self.report(AcpError(text, method.name), method.name)

    def cancelled_result(self, method: str, by: CancelledBy) -> Any:
        found = self.protocol.find(self.role.SIDE, "request", method)
        if found is None:
            return None
        # Another question is a general request, which `$/cancel_request` ends with an error.
        is_ended = by == "turn" or "requests-permission" in found.traits
        return found.cancelled_result if is_ended else None

    def report(self, error: BaseException, method: str | None) -> None:
        # A peer that has left while a handler waited for its answer is not a mistake in it.
        is_quiet = isinstance(error, ConnectionClosedError) and not error.reason
        if not is_quiet or not self.rpc.is_ended:
            report(self.role.on_error, error, method)

    def closed(self, error: ConnectionClosedError) -> Iterable[asyncio.Task[None]]:
        error.method = self._prompt
        for callback in tuple(self.on_close):
            callback(error)
        if self.sign_ins is not None:
            return self.sign_ins.close(error.reason)
        return self.turns.cancel(lambda _: True) if "turns" in vars(self) else ()

    def cancel_prompts(
        self, params: Any, *, is_closing: bool = False
    ) -> list[asyncio.Task[None]]:
        """Ends the prompts of a session in version 1, and its turns in later versions.

        So do those of its subagents, and the questions of the agent, except for those of listed
        background work if the session stays open. Returns the tasks that end with the turns.
        """
        session: Any = read(params, ["sessionId"])

        def is_reached(one: Any) -> bool:
            if not isinstance(one, str):
                return False
            return session in self.tree.path(one, is_closing=is_closing)

        def withdrawn(method: str, given: Any) -> Any:
            one: Any = read(given, ["sessionId"])
            question = self.protocol.find("client", "request", method)
            if question is None or not is_reached(one):
                return None
            has_background = len(self.tree.background(one)) > 0
            return (
                None if has_background and not is_closing else question.cancelled_result
            )

        def ends(method: str, given: Any) -> bool:
            if not is_reached(read(given, ["sessionId"])):
                return False
            # A prompt that has not started a turn fails.
            has_result = self.cancelled_result(method, "turn") is not None
            return has_result or method == self._prompt

        self.rpc.withdraw(withdrawn)
        self.rpc.inbound.cancel_turn(ends)
        return self.turns.cancel(is_reached) if "turns" in vars(self) else []

    def has_turn(self, session_id: str) -> bool:
        """Returns whether a turn of a session runs or waits, after version 1."""
        return "turns" in vars(self) and self.turns.has(session_id)

    def agree(self, client: dict[str, Any], agent: dict[str, Any]) -> None:
        """Completes the handshake with both initialize messages."""
        self.gates.advertised = {"client": client, "agent": agent}
        self.is_initialized = True

    def decode(self, method: Method, params: Any) -> Any:
        unknown: Any = "keep"
        if method.kind == "request":
            unknown = self.role.unknown
            if not isinstance(unknown, str):
                unknown = unknown.get(method.name, "keep")
        schema = self.protocol.schema_of(method.params)
        decoded = schema.decode(params, unknown=unknown)
        if isinstance(decoded, Failure):
            first = decoded.issues[0]
            raise invalid_part(method.name, "params", first.pointer, first.rule)
        give_notes(self.role, decoded.notes, method.name)
        return decoded.value


async def _done(value: Any) -> Any:
    return value
