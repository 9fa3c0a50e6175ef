"""The other side of a connection, as programs call it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...nes import PositionEncoding
from ..json_values import OBJECT
from ..results import Failure
from ..rpc.errors import (
    AuthRequiredError,
    CapabilityError,
    NotInitializedError,
    RpcError,
    invalid_part,
)
from .nes import agreed_encoding, cut_suggestion
from .protocol import Method, Side

if TYPE_CHECKING:
    from .role_connection import RoleConnection

_BEFORE_AUTHENTICATION = ("initialize", "authenticate", "auth/login", "logout")


class Peer:
    """The base class of the generated peers, which have a method for each call."""

    def __init__(self, connection: RoleConnection, side: Side) -> None:
        self._connection = connection
        self._side: Side = side

    def supports(self, path: str) -> bool:
        """Returns whether the peer advertised a capability.

        The path has dots, e.g. `agentCapabilities.loadSession`.
        """
        value: Any = self._connection.gates.advertised.get(self._side)
        for name in path.split("."):
            value = value.get(name) if isinstance(value, OBJECT) else None
        return value is not None and value is not False

    @property
    def position_encoding(self) -> PositionEncoding:
        """The unit of `character` in positions, on which both sides have agreed.

        Raises ValueError if the agent has chosen what the client does not offer.
        """
        return agreed_encoding(
            self._capabilities("client"), self._capabilities("agent")
        )

    def _capabilities(self, side: Side) -> Any:
        connection = self._connection
        message = connection.gates.advertised.get(side, {})
        return message.get(connection.protocol.capabilities[side])

    async def call_extension(
        self, method: str, params: Any, *, timeout: float | None = None
    ) -> Any:
        """Calls a method of an extension with JSON values."""
        return await self._connection.rpc.request(method, params, timeout)

    async def notify_extension(self, method: str, params: Any) -> None:
        """Sends a notification of an extension with a JSON value."""
        await self._connection.rpc.notify(method, params)

    async def _call(self, name: str, params: Any, timeout: float | None) -> Any:
        method, sent = self._prepare("request", name, params)
        rpc = self._connection.rpc
        try:
            result = await rpc.request(name, sent, timeout)
        except AuthRequiredError:
            if name in _BEFORE_AUTHENTICATION:
                raise
            if not await self._connection.sign_in():
                raise
            result = await rpc.request(name, sent, timeout)
        return self._read_result(method, result)

    async def _notify(self, name: str, params: Any) -> None:
        _, sent = self._prepare("notification", name, params)
        if name == "session/cancel":
            self._connection.cancel_turn(sent)
        await self._connection.rpc.notify(name, sent)

    def _prepare(self, kind: str, name: str, params: Any) -> tuple[Method, Any]:
        """Encodes params. Raises CapabilityError for what the peer cannot take."""
        connection = self._connection
        method = connection.protocol.find(self._side, kind, name)
        if method is None:
            raise RpcError.method_not_found(f"The protocol has no {kind} {name}")
        if not connection.is_initialized and name != "initialize":
            text = f"{name} cannot be called before initialize has been answered"
            raise NotInitializedError(text, name)
        sent = connection.protocol.schema_of(method.params).encode(params)
        if name == "nes/suggest":
            sent = cut_suggestion(sent, self._capabilities("agent"))
        missing = connection.gates.missing(method.gate, sent)
        if missing is not None:
            raise CapabilityError(name, missing)
        place = connection.gates.unavailable(method, sent)
        if place is not None and place[0].gate.strength == "must":
            raise CapabilityError(name, ".".join(place[0].gate.path), place[1])
        connection.gates.sessions.learn(method, sent)
        return method, sent

    def _read_result(self, method: Method, result: Any) -> Any:
        schema = self._connection.protocol.schema_of(method.result)
        decoded = schema.decode({} if result is None else result)
        if isinstance(decoded, Failure):
            first = decoded.issues[0]
            raise invalid_part(method.name, "result", first.pointer, first.rule)
        if decoded.notes:
            self._connection.role.on_notes(decoded.notes, method.name)
        return decoded.value
