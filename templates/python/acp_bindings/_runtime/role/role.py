"""Roles: an agent or a client with its handlers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from ...nes import PositionEncoding
from .. import sentences
from ..json_values import LIST, OBJECT
from ..protocol import Method, Protocol, Side
from ..results import Note
from ..rpc.after_response import AfterResponse, Function
from ..rpc.errors import RpcError
from ..rpc.messages import MessageId
from ..rpc.receiver import Limits
from ..rpc.reports import ErrorLog
from .busy import WhileBusy
from .intercept import Call, Proceed
from .options.extensions import extensions_of
from .options.role_checks import (
    check_advertised,
    check_choice,
    check_handlers,
    check_hooks,
    check_limits,
    check_settings,
    check_store,
    check_unknown,
)
from .peer import Peer

if TYPE_CHECKING:
    from ..link import Link
    from .prompt_retries import PromptMessages

PeerT = TypeVar("PeerT", bound=Peer)

UnknownValues: TypeAlias = Literal["keep", "reject"]

LONGEST_NAME = 200
"""How much of the name of a method an error repeats."""


class Context(Generic[PeerT]):
    """The context of a handler call."""

    def __init__(
        self,
        peer: PeerT,
        method: str,
        request_id: MessageId,
        params: Any = None,
        later: AfterResponse | None = None,
    ) -> None:
        self.peer = peer
        """The other side."""
        self.method = method
        self.request_id = request_id
        """The id of the request; None for a notification."""
        self._params = params
        self._later = later

    def after_response(self, run: Function) -> None:
        """Runs a function, which may be async, right after the response to the request.

        Several run in the order of these calls, before anything else that was received.
        They do not run when the request is answered with an error. Raises RuntimeError in
        the handler of a notification.
        """
        if self._later is None:
            raise RuntimeError(f"{self.method} is a notification: it has no response")
        self._later.add(run)

    @property
    def _connection(self) -> Any:
        peer: Any = self.peer
        return peer._connection

    @property
    def session_id(self) -> str:
        """The id of the session that the params name."""
        found = getattr(self._params, "session_id", None)
        if found is None and isinstance(self._params, OBJECT):
            found = self._params.get("sessionId")
        if not isinstance(found, str):
            raise LookupError(  # noqa: TRY004 - the params are of the right type
                f"the params of {self.method} name no session: "
                "use context.peer.session(session_id)"
            )
        return found


class Role(Generic[PeerT]):
    """The base class of the generated classes `Agent` and `Client`.

    A subclass handles a method by overriding it. What it does not override is refused,
    and not advertised.
    """

    PROTOCOL: Protocol
    SIDE: Side
    CONTEXT: type[Context[Any]] = Context
    unknown: UnknownValues | Mapping[str, UnknownValues] = "keep"
    """Whether requests that have unknown variants or values are kept, or rejected.

    Of all methods, or by method: `{"session/prompt": "reject"}`.
    """
    position_encodings: Sequence[PositionEncoding] = ()
    """The encodings of positions that an agent supports, besides `utf-16`."""
    while_busy: WhileBusy = "parallel"
    """What becomes of a prompt while another one of its session is running.

    Of an agent: `parallel` runs its handler at once, `queue` after the other has been
    answered, and `refuse` answers it with an error.
    """
    session_store: PromptMessages | None = None
    """The store of an agent's sessions. After version 1, it remembers each prompt that has an `idempotencyKey`.

    Another connection or process then recognizes a retry as well; without a store, each
    connection remembers its own.
    """

    def __init__(
        self, advertised: dict[str, Any], limits: Limits | None = None
    ) -> None:
        info = self.PROTOCOL.info[self.SIDE]
        if info and advertised.get(info) is None:
            raise TypeError(sentences.missing_setting("info", self.SIDE))
        self.limits = check_limits(limits)
        self._error_log = ErrorLog()
        self.handled = frozenset(
            method.handler for method in self.PROTOCOL.methods if self._handles(method)
        )
        """The names of the handlers that the subclass has."""
        self.intercepts = "intercept" in overridden(type(self))
        """Whether the subclass has a function around all calls."""
        self.extensions = extensions_of(type(self), self.PROTOCOL)
        """The handlers of extensions by method; see `extension`."""
        kind, protocol, side = type(self), self.PROTOCOL, self.SIDE
        check_handlers(kind, protocol, side, self.handled)
        settings = [name for name in vars(Role) if not name.startswith("_")]
        check_settings(kind, overridden(kind), settings)
        check_hooks(kind, Role)
        check_store(f"{kind.__name__}.session_store", self.session_store)
        check_unknown(kind, protocol, side, self.unknown)
        check_choice(
            f"{kind.__name__}.while_busy",
            self.while_busy,
            ("parallel", "queue", "refuse"),
        )
        self.advertised = self._with_handlers(advertised)
        check_advertised(kind, protocol, side, self.handled, self.advertised)

    def on_error(self, error: BaseException, method: str | None) -> None:
        """Takes errors that the peer must not see, and malformed input.

        By default it logs them, and of malformed input only the beginning.
        """
        self._error_log.add(error, method or "connection")

    def on_notes(self, notes: tuple[Note, ...], method: str) -> None:
        """Takes repairs of received messages, and unknown values in them."""

    async def authenticate_again(self, agent: PeerT) -> bool:
        """Authenticates when the agent asks for it. Returns whether to call again."""
        return False

    def peer_of(self, connection: Link) -> PeerT:
        raise NotImplementedError

    async def intercept(self, call: Call, proceed: Proceed) -> Any:
        """Runs around the calls of both directions, for logs, metrics and traces.

        Override it to observe calls, or to change them: `await proceed()` runs the call
        and returns its result, `await proceed(params)` does so with other params.
        """
        return await proceed()

    async def handle_extension(
        self, method: str, params: Any, context: Context[PeerT]
    ) -> Any:
        """Handles a method that neither the protocol nor an `extension` has.

        Params and result are JSON.
        """
        raise RpcError.method_not_found(sentences.unknown_method(method[:LONGEST_NAME]))

    def _handles(self, method: Method) -> bool:
        own = getattr(type(self), method.handler, None)
        return own is not None and method.handler in overridden(type(self))

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
        marks = {
            name: mark
            for one in self.extensions.values()
            for name, mark in one.advertise.items()
        }
        if marks:
            capabilities = result.setdefault(self.PROTOCOL.capabilities[self.SIDE], {})
            capabilities["_meta"] = {**marks, **(capabilities.get("_meta") or {})}
        return result


def overridden(role: type) -> set[str]:
    """Returns the names that the subclasses of a generated class define."""
    bases = [base for base in role.__mro__ if "PROTOCOL" in vars(base)]
    own = role.__mro__[: role.__mro__.index(bases[0])]
    return {name for kind in own for name in vars(kind)}


def _copy(value: Any) -> Any:
    if isinstance(value, OBJECT):
        return {name: _copy(part) for name, part in value.items()}
    return [_copy(item) for item in value] if isinstance(value, LIST) else value
