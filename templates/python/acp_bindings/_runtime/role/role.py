"""Roles: an agent or a client with its handlers."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...nes import PositionEncoding
from ..json_values import LIST, OBJECT
from ..results import Note
from ..rpc.errors import RpcError
from ..rpc.messages import MessageId
from ..rpc.receiver import Limits
from .peer import Peer
from .protocol import Method, Protocol, Side

if TYPE_CHECKING:
    from .role_connection import RoleConnection

PeerT = TypeVar("PeerT", bound=Peer)

_log = logging.getLogger("acp_bindings")
LONGEST_NAME = 200
"""How much of the name of a method an error repeats."""


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
    position_encodings: Sequence[PositionEncoding] = ()
    """The encodings of positions that an agent supports, besides `utf-16`."""

    def __init__(
        self, advertised: dict[str, Any], limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.handled = frozenset(
            method.handler for method in self.PROTOCOL.methods if self._handles(method)
        )
        """The names of the handlers that the subclass has."""
        for method in self.PROTOCOL.methods:
            is_own = method.side == self.SIDE and method.name != "initialize"
            if is_own and method.is_required and method.handler not in self.handled:
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

    def peer_of(self, connection: RoleConnection) -> PeerT:
        raise NotImplementedError

    async def handle_extension(
        self, method: str, params: Any, context: Context[PeerT]
    ) -> Any:
        """Handles a method that the protocol does not have; params are JSON."""
        raise RpcError.method_not_found(f"Method not found: {method[:LONGEST_NAME]}")

    def _handles(self, method: Method) -> bool:
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
            if (
                not is_own
                or method.advertised is None
                or method.handler not in self.handled
            ):
                continue
            holder = result
            for name in gate.path[:-1]:
                holder = holder.setdefault(name, {})
            holder.setdefault(gate.path[-1], method.advertised)
        return result


def _copy(value: Any) -> Any:
    if isinstance(value, OBJECT):
        return {name: _copy(part) for name, part in value.items()}
    return [_copy(item) for item in value] if isinstance(value, LIST) else value
