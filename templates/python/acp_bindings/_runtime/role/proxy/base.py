"""A proxy between a client and an agent: its base class, and what its handlers get."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Generic, TypeVar, cast

from ...protocol import Method, Protocol, Side
from ...results import Note
from ...rpc.after_response import AfterResponse, Function
from ...rpc.messages import MessageId
from ...rpc.receiver import Limits
from ...rpc.reports import ErrorLog
from ..options.role_checks import check_hooks, check_limits, check_names
from ..peer import Peer

ClientT = TypeVar("ClientT", bound=Peer)
AgentT = TypeVar("AgentT", bound=Peer)
ParamsT = TypeVar("ParamsT")
ResultT = TypeVar("ResultT")


class BaseProxyContext(Generic[ClientT, AgentT, ParamsT, ResultT]):
    """What a handler of a proxy knows besides its params."""

    def __init__(
        self,
        client: ClientT,
        agent: AgentT,
        method: str,
        request_id: MessageId,
        forward: Callable[[Any], Awaitable[Any]],
        later: AfterResponse | None,
    ) -> None:
        self.client = client
        """The client, whose methods the proxy can call as well."""
        self.agent = agent
        """The agent."""
        self.method = method
        self.request_id = request_id
        """The id of the request; None for a notification."""
        self._forward = forward
        self._later = later

    def after_response(self, run: Function) -> None:
        """Runs a function after the response to the request; see `Context` of roles."""
        if self._later is None:
            raise RuntimeError(f"{self.method} is a notification: it has no response")
        self._later.add(run)

    async def forward(self, params: ParamsT | None = None) -> ResultT:
        """Passes the message on, unchanged or with other params. Returns the result."""
        return cast(ResultT, await self._forward(params))


class BaseProxy:
    """The base class of the generated `Proxy`.

    A subclass sees a message by overriding its method; all others pass unchanged.
    """

    PROTOCOL: Protocol
    intercepts = False
    HANDLERS: ClassVar[dict[tuple[str, str, str], str]]
    """The names of the handlers, by side, kind and name of the method."""
    PEERS: tuple[Callable[[Any, Side], Peer], Callable[[Any, Side], Peer]]
    """The classes of the connected client and agent."""

    def __init__(self, *, limits: Limits | None = None) -> None:
        self.limits = check_limits(limits)
        self._error_log = ErrorLog()
        kind = type(self)
        own = next(base for base in kind.__mro__ if "PROTOCOL" in vars(base))
        names = list(self.HANDLERS.values())
        check_names(kind, names)
        check_hooks(kind, BaseProxy)
        self._handled = {
            name for name in names if getattr(kind, name) is not getattr(own, name)
        }

    def on_error(self, error: BaseException, method: str | None) -> None:
        """Takes errors that neither side must see; see `on_error` of roles."""
        self._error_log.add(error, method or "proxy")

    def on_notes(self, notes: tuple[Note, ...], method: str) -> None:
        """Takes repairs of received messages, and unknown values in them."""

    def change_initialize(self, response: Any, request: Any) -> Any:
        """Changes the agent's response to `initialize`; the version stays the same."""
        return response

    def handler_of(self, method: Method) -> Callable[[Any, Any], Any] | None:
        """Returns the handler of a method, if the subclass has one."""
        name = self.HANDLERS.get((method.side, method.kind, method.name))
        return getattr(self, name) if name in self._handled else None
