"""Roles: an agent or a client with its handlers, and its connection to the other side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from ..results import Failure, InvalidValueError, Note
from ..rpc.connection import CancelledBy, Connection, Limits
from ..rpc.errors import AcpError, ErrorCode, RpcError, invalid_part
from ..rpc.messages import MessageId
from ..rpc.stream import ByteStream
from .gates import Gates
from .peer import Peer
from .protocol import Method, Protocol, Side

PeerT = TypeVar("PeerT", bound=Peer)

_log = logging.getLogger("acp_bindings")
_LONGEST_NAME = 200


class Context(Generic[PeerT]):
    """What a handler knows besides its params."""

    def __init__(self, peer: PeerT, method: str, request_id: MessageId) -> None:
        self.peer = peer
        """The other side."""
        self.method = method
        self.request_id = request_id
        """The id of the request; None for a notification."""


class Role(Generic[PeerT]):
    """The base class of the generated classes `Agent` and `Client`.

    A subclass handles a method by overriding it. What it does not override is refused,
    and not advertised.
    """

    PROTOCOL: Protocol
    SIDE: Side

    def __init__(self, advertised: dict[str, Any], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        for method in self.PROTOCOL.methods:
            is_own = method.side == self.SIDE and method.name != "initialize"
            if is_own and method.is_required and not self.handles(method):
                raise TypeError(
                    f"{type(self).__name__} has to handle {method.name}: "
                    f"define {method.handler}"
                )
        self.advertised = self._with_handlers(advertised)

    def on_error(self, error: BaseException, method: str | None) -> None:
        """Takes errors that the peer must not see, and malformed input."""
        _log.warning("%s: %s", method or "connection", error, exc_info=error)

    def on_notes(self, notes: tuple[Note, ...], method: str) -> None:
        """Takes repairs of received messages, and unknown values in them."""

    async def authenticate_again(self, agent: PeerT) -> bool:
        """Authenticates when the agent asks for it. Returns whether to call again."""
        return False

    def _peer_of(self, connection: RoleConnection) -> PeerT:
        raise NotImplementedError

    async def handle_extension(
        self, method: str, params: Any, context: Context[PeerT]
    ) -> Any:
        """Handles a method that the protocol does not have; params are JSON."""
        raise RpcError.method_not_found(f"Method not found: {method[:_LONGEST_NAME]}")

    def handles(self, method: Method) -> bool:
        """Returns whether a subclass handles a method."""
        own = getattr(type(self), method.handler, None)
        bases = [base for base in type(self).__mro__ if "PROTOCOL" in vars(base)]
        return own is not None and own is not getattr(bases[0], method.handler, None)

    def _with_handlers(self, advertised: dict[str, Any]) -> dict[str, Any]:
        """Adds the capabilities of the handlers to what is advertised."""
        result: dict[str, Any] = _copy(advertised)
        result.pop("protocolVersion", None)
        for method in self.PROTOCOL.methods:
            gate = method.gate
            is_own = method.side == self.SIDE == gate.side and gate.kind == "capability"
            if not is_own or method.advertised is None or not self.handles(method):
                continue
            holder = result
            for name in gate.path[:-1]:
                holder = holder.setdefault(name, {})
            holder.setdefault(gate.path[-1], method.advertised)
        return result


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(part) for name, part in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


class RoleConnection:
    """A role that is connected: checks and dispatches what the peer sends."""

    def __init__(self, role: Role[Any], stream: ByteStream) -> None:
        self.role = role
        self.protocol = role.PROTOCOL
        self.gates = Gates()
        self.is_initialized = False
        self._is_used = False
        self._signing_in: asyncio.Future[bool] | None = None
        self.listeners: list[Callable[[str, Any, Any], None]] = []
        """Called with each notification and result: the method, params and result."""
        # A client is not answered by the log of an agent that writes to its output.
        self.rpc = Connection(
            stream,
            self,
            role.limits,
            null_ids=self.protocol.null_ids,
            answers_noise=role.SIDE == "agent",
        )
        self.peer = role._peer_of(self)

    def request(
        self, method: str, params: Any, request_id: MessageId
    ) -> Callable[[], Awaitable[Any]]:
        role = self.role
        if method == "initialize" and role.SIDE == "agent":
            result = self._initialize({} if params is None else params)
            return lambda: _done(result)
        if not self.is_initialized:
            raise RpcError(ErrorCode.INVALID_REQUEST, "initialize comes first")
        self._is_used = True
        context = Context(self.peer, method, request_id)
        found = self.protocol.find(role.SIDE, "request", method)
        if found is None:
            return lambda: role.handle_extension(method, params, context)
        if not role.handles(found) or self.gates.missing(found.gate) is not None:
            text = f"Method not found: {method[:_LONGEST_NAME]}"
            raise RpcError.method_not_found(text)
        given = {} if params is None else params
        decoded = self._decode(found, given)
        if self.gates.missing(found.gate, given) is not None:
            raise invalid_part(method, "params", _gated_pointer(found), "capability")
        place = self.gates.unavailable(found, given)
        if place is not None:
            raise invalid_part(method, "params", place[1], "capability")
        return lambda: self._answer(found, decoded, context)

    def notification(
        self, method: str, params: Any
    ) -> Callable[[], Awaitable[None]] | None:
        if not self.is_initialized:
            text = f"{method} came before initialize was answered and was ignored"
            raise AcpError(text, method)
        role = self.role
        context = Context(self.peer, method, None)
        found = self.protocol.find(role.SIDE, "notification", method)
        if found is None:
            return lambda: self._ignore_unknown(method, params, context)
        given = {} if params is None else params
        decoded = self._decode(found, given)
        if method == "session/cancel":
            self.cancel_turn(given)
        for listener in self.listeners:
            listener(method, decoded, None)
        if not role.handles(found):
            return None
        handler = getattr(role, found.handler)
        return lambda: _awaited(handler(decoded, context))

    def response(self, method: str, params: Any, result: Any) -> None:
        if method == "initialize" and isinstance(result, dict):
            # What follows in the same bytes is handled already.
            if result.get("protocolVersion") == self.protocol.version:
                self.agree(params, result)
        for listener in self.listeners:
            listener(method, params, result)

    def cancelled_result(self, method: str, by: CancelledBy) -> Any:
        if method == "session/request_permission":
            return {"outcome": {"outcome": "cancelled"}}
        is_turn = (
            method == "session/prompt" and self.protocol.version == 1 and by == "turn"
        )
        return {"stopReason": "cancelled"} if is_turn else None

    def report(self, error: BaseException, method: str | None) -> None:
        self.role.on_error(error, method)

    def cancel_turn(self, params: Any) -> None:
        """Ends the prompt of a session, in version 1, and its permission requests."""
        session = params.get("sessionId") if isinstance(params, dict) else None

        def ends(method: str, given: Any) -> bool:
            is_same = isinstance(given, dict) and given.get("sessionId") == session
            return is_same and self.cancelled_result(method, "turn") is not None

        self.rpc.inbound.cancel_turn(ends)

    async def sign_in(self) -> bool:
        """Asks the client to authenticate, once for all calls that need it."""
        if self._signing_in is None:
            attempt = self.role.authenticate_again(self.peer)
            self._signing_in = asyncio.ensure_future(attempt)
        try:
            return await asyncio.shield(self._signing_in)
        finally:
            self._signing_in = None

    def agree(self, client: dict[str, Any], agent: dict[str, Any]) -> None:
        """Completes the handshake with both initialize messages."""
        self.gates.advertised = {"client": client, "agent": agent}
        self.is_initialized = True

    def _initialize(self, params: Any) -> Any:
        """Answers the handshake.

        Version 1 allows to repeat it; later versions only before other requests.
        """
        version = self.protocol.version
        if self._is_used and version > 1:
            raise RpcError(ErrorCode.INVALID_REQUEST, "initialize comes first")
        requested = params.get("protocolVersion") if isinstance(params, dict) else None
        if isinstance(requested, int) and 1 < version and requested < version:
            raise RpcError(
                ErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
                "Unsupported protocol version",
                {"requested": requested, "supported": [version]},
            )
        method = self.protocol.find("agent", "request", "initialize")
        assert method is not None
        self._decode(method, params)
        response = {"protocolVersion": version, **self.role.advertised}
        self.agree(params, response)
        return response

    def _decode(self, method: Method, params: Any) -> Any:
        decoded = self.protocol.schema_of(method.params).decode(params)
        if isinstance(decoded, Failure):
            first = decoded.issues[0]
            raise invalid_part(method.name, "params", first.pointer, first.rule)
        if decoded.notes:
            self.role.on_notes(decoded.notes, method.name)
        return decoded.value

    async def _answer(self, method: Method, params: Any, context: Context[Any]) -> Any:
        result = await _awaited(getattr(self.role, method.handler)(params, context))
        if result is None:
            result = {}
        schema = self.protocol.schema_of(method.result)
        try:
            return schema.encode(schema.parse(result) if result == {} else result)
        except InvalidValueError as error:
            self.role.on_error(error, method.name)
            first = error.issues[0]
            raise invalid_part(
                method.name, "result", first.pointer, first.rule
            ) from None

    async def _ignore_unknown(
        self, method: str, params: Any, context: Context[Any]
    ) -> None:
        try:
            await self.role.handle_extension(method, params, context)
        except RpcError as error:
            if error.code != ErrorCode.METHOD_NOT_FOUND:
                raise


def _gated_pointer(method: Method) -> str:
    """Returns the pointer to the value in the params that selects the capability."""
    paths = [method.gate.key, *method.gate.entry.values()]
    return next(("/" + "/".join(path.split(".")[1:]) for path in paths if path), "")


async def _done(value: Any) -> Any:
    return value


async def _awaited(value: Any) -> Any:
    """Waits for the result of a handler, which may be an ordinary function."""
    return await value if isinstance(value, Awaitable) else value
