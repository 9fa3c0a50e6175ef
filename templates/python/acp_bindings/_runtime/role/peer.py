"""The other side of a connection, as programs call it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ...nes import PositionEncoding
from .. import sentences
from ..diagnosis.did_you_mean import did_you_mean
from ..gates.paths import path_names, path_text, read
from ..protocol import INITIALIZE, Method, Side
from ..results import InvalidValueError
from ..rpc.errors import (
    AcpError,
    CapabilityError,
    ConnectionClosedError,
    NotInitializedError,
    RequestTimeoutError,
    RpcError,
)
from ..rpc.noise import ConnectionStats
from .intercept import Call, Kind, proceeding
from .nes import agreed_encoding, cut_suggestion
from .received_results import read_result
from .sent_rules import check_option, check_sent, wrong_item

if TYPE_CHECKING:
    from ..link import Link

_AFTER_UPDATES = frozenset(("starts-turn", "loads-session", "resumes-session"))
"""The traits of requests whose responses come after updates that belong to them."""


class Peer:
    """The base class of the generated peers, which have a method for each call."""

    def __init__(self, connection: Link, side: Side) -> None:
        self._connection = connection
        self._side: Side = side
        self._stopping: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        messages = self._connection.gates.advertised
        info: Any = read(
            messages.get(self._side), [self._connection.protocol.info[self._side]]
        )
        name = read(info, ["name"])
        return (
            f"<{type(self).__name__} {name!r}>" if name else f"<{type(self).__name__}>"
        )

    def supports(self, *path: str) -> bool:
        """Returns whether the peer advertised a capability.

        The path has dots, as in `agentCapabilities.loadSession`, or is given as several
        names; `agent_capabilities.load_session` is the same. Raises ValueError for a
        capability that the protocol does not have. A vendor's capability is below `_meta`:
        `agentCapabilities._meta["example.org"].reindex`.
        """
        names = path_names(path[0]) if len(path) == 1 else list(path)
        return self._connection.gates.supports(self._side, names)

    async def wait_closed(self) -> ConnectionClosedError | None:
        """Waits until the connection has ended; returns why, or None after a regular end."""
        return await self._connection.rpc.wait_closed()

    @property
    def stats(self) -> ConnectionStats:
        """What was received and could not be used, e.g. the lines that an agent prints."""
        return self._connection.rpc.stats

    @property
    def position_encoding(self) -> PositionEncoding:
        """The unit of `character` in positions, on which both sides have agreed.

        Raises ValueError if the agent has chosen what the client does not offer.
        """
        return agreed_encoding(
            self._capabilities("client"), self._capabilities("agent")
        )

    def _handshake(self) -> Any:
        """Returns the initialize message of the peer.

        Raises NotInitializedError before it has come.
        """
        connection = self._connection
        message = connection.gates.advertised.get(self._side)
        if message is None:
            raise NotInitializedError(sentences.not_initialized(INITIALIZE), INITIALIZE)
        return connection.protocol.initialize(self._side).parse(message)

    def _capabilities(self, side: Side) -> Any:
        connection = self._connection
        message = connection.gates.advertised.get(side, {})
        return message.get(connection.protocol.capabilities[side])

    async def request(
        self,
        method: str,
        params: Any = None,
        *,
        timeout: float | None = None,
        ignore_capabilities: bool = False,
    ) -> Any:
        """Calls a method by its name, and returns its result.

        Params of a method of the protocol are of its class, or JSON; they are checked,
        and the result is decoded. Those of an extension, whose name begins with `_`, are
        JSON. `ignore_capabilities` also calls what the peer did not advertise.
        """
        given: Any = {} if params is None else params
        if self._finds("request", method):
            return await self._call(
                method, given, timeout, ignore_capabilities=ignore_capabilities
            )
        return await self.call_extension(method, params, timeout=timeout)

    async def notify(
        self, method: str, params: Any = None, *, ignore_capabilities: bool = False
    ) -> None:
        """Sends a notification by its name; see `request`."""
        given: Any = {} if params is None else params
        if self._finds("notification", method):
            await self._notify(method, given, ignore_capabilities=ignore_capabilities)
        else:
            await self.notify_extension(method, params)

    def _finds(self, kind: Kind, method: str) -> bool:
        """Returns whether a method is one of the protocol; raises TypeError if it looks so."""
        protocol = self._connection.protocol
        if protocol.find(self._side, kind, method) is not None:
            return True
        if method.startswith("_"):
            return False
        names = [
            one.name
            for one in protocol.methods
            if one.side in (self._side, "protocol") and one.kind == kind
        ]
        hint = did_you_mean(method, names)
        raise TypeError(
            f"{sentences.not_handled(method, kind, self._side, hint)}; "
            "call_extension and notify_extension take methods outside the protocol"
        )

    async def call_extension(
        self, method: str, params: Any, *, timeout: float | None = None
    ) -> Any:
        """Calls a method outside the protocol, with JSON values and without checks."""
        self._check_extension(method)
        rpc = self._connection.rpc
        return await self._through(
            "request", method, params, lambda sent: rpc.request(method, sent, timeout)
        )

    async def notify_extension(self, method: str, params: Any) -> None:
        """Sends a notification outside the protocol, with a JSON value and without checks."""
        self._check_extension(method)
        rpc = self._connection.rpc
        await self._through(
            "notification", method, params, lambda sent: rpc.notify(method, sent)
        )

    def _check_extension(self, method: str) -> None:
        if any(one.name == method for one in self._connection.protocol.methods):
            raise TypeError(sentences.not_an_extension(method, sentences.call_by_name))

    async def _through(
        self,
        kind: Kind,
        method: str,
        params: Any,
        run: Callable[[Any], Awaitable[Any]],
    ) -> Any:
        """Runs a call through the role's function for all calls, if it has one."""
        role = self._connection.role
        if not role.intercepts:
            return await run(params)
        call = Call("outgoing", kind, method, params)
        return await role.intercept(call, proceeding(call, run))

    def _call(
        self,
        name: str,
        params: Any,
        timeout: float | None,
        *,
        ignore_capabilities: bool = False,
        on_sent: Callable[[Any], None] | None = None,
    ) -> Awaitable[Any]:
        """Calls a method of the protocol.

        `on_sent` takes the params as they are sent, which the response comes back with; the
        call then does not wait for the handlers of updates.
        """
        is_gated = not ignore_capabilities

        def run(given: Any) -> Awaitable[Any]:
            return self._call_now(name, given, timeout, is_gated, on_sent)

        if not self._connection.role.intercepts:
            return run(params)
        return self._through("request", name, params, run)

    async def _call_now(
        self,
        name: str,
        params: Any,
        timeout: float | None,
        is_gated: bool,
        on_sent: Callable[[Any], None] | None,
    ) -> Any:
        method, sent = self._prepare("request", name, params, is_gated)
        if on_sent is not None:
            on_sent(sent)
        handlers = self._connection.update_handlers
        mark = handlers.mark

        async def handled() -> None:
            if on_sent is None and not _AFTER_UPDATES.isdisjoint(method.traits):
                await handlers.ended(sent["sessionId"], mark, handlers.mark)

        if not _AFTER_UPDATES.isdisjoint(method.traits):
            handlers.pass_on()
        try:
            result = await self._request(method, sent, timeout)
        except (asyncio.CancelledError, RequestTimeoutError):
            if "starts-turn" in method.traits:
                # Agents that do not know `$/cancel_request` stop as well.
                self._stop_prompt(sent)
            raise
        except AcpError:
            await handled()
            raise
        await handled()
        return self._read_result(method, result, sent)

    async def _request(self, method: Method, sent: Any, timeout: float | None) -> Any:
        sign_ins, name = self._connection.sign_ins, method.name
        comes_first = name == INITIALIZE or "changes-authentication" in method.traits
        if sign_ins is None or comes_first:
            return await self._connection.rpc.request(name, sent, timeout)
        return await sign_ins.request(method, sent, timeout)

    def _stop_prompt(self, prompt: Any) -> None:
        cancel = self._connection.protocol.named("cancels-turn", "notification")

        async def stop() -> None:
            with contextlib.suppress(AcpError):
                params = {"sessionId": prompt["sessionId"]}
                await self._notify(cancel, params)

        self._stopping = asyncio.ensure_future(stop())

    def _notify(
        self, name: str, params: Any, *, ignore_capabilities: bool = False
    ) -> Awaitable[None]:
        is_gated = not ignore_capabilities
        if not self._connection.role.intercepts:
            return self._notify_now(name, params, is_gated)
        return self._through(
            "notification",
            name,
            params,
            lambda given: self._notify_now(name, given, is_gated),
        )

    async def _notify_now(self, name: str, params: Any, is_gated: bool) -> None:
        method, sent = self._prepare("notification", name, params, is_gated)
        resumptions = self._connection.resumptions
        if resumptions is not None and "updates-session" in method.traits:
            await resumptions.send(name, sent)
        else:
            await self._connection.rpc.notify(name, sent)

    def _prepare(
        self, kind: Kind, name: str, params: Any, is_gated: bool
    ) -> tuple[Method, Any]:
        """Encodes params. Raises CapabilityError for what the peer cannot take."""
        connection = self._connection
        method = connection.protocol.find(self._side, kind, name)
        if method is None:
            raise RpcError.method_not_found(f"The protocol has no {kind} {name}")
        if not connection.is_initialized and name != INITIALIZE:
            raise NotInitializedError(sentences.not_initialized(name), name)
        schema = connection.protocol.schema_of(method.params)
        if is_gated and "sets-config-option" in method.traits:
            given, sessions = schema.to_json(params), connection.sessions
            # A proxy has no states of sessions.
            if sessions is not None:
                options = sessions.options_of(read(given, ["sessionId"]))
                check_option(method, given, options)
        sent = schema.encode(params)
        check_sent(method, "params", sent)
        wrong = wrong_item(sent, connection.protocol.version)
        if wrong is not None:
            raise InvalidValueError(method.params, (wrong,))
        if "suggests-edits" in method.traits:
            sent = cut_suggestion(sent, self._capabilities("agent"))
        if is_gated:
            self._check_gates(method, sent)
        connection.gates.sessions.learn(method, sent)
        return method, sent

    def _check_gates(self, method: Method, sent: Any) -> None:
        gates, gate = self._connection.gates, method.gate
        name = method.name
        call = "request" if method.kind == "request" else "notify"
        cure = sentences.send_anyway(f"`peer.{call}` with ignore_capabilities=True")
        missing = gates.missing(gate, sent) if gate.strength == "must" else None
        if missing is not None:
            reason = sentences.not_advertised(missing, gate.side)
            if gates.is_excluded(gate, sent):
                reason, cure = sentences.terminal_login(name), ""
            elif gate.kind == "entry":
                reason = sentences.not_listed(gate.side, missing)
            raise CapabilityError(name, missing, gate.pointer, reason, cure)
        place = gates.unavailable(method.places, sent)
        if place is not None:
            path = path_text(place[0].gate.path)
            reason = sentences.not_advertised(path, place[0].gate.side)
            raise CapabilityError(name, path, place[1], reason, cure)
        if self._side == "agent" and self._connection.tree.is_refused(method, sent):
            reason = sentences.subagent_refuses
            raise CapabilityError(name, "capabilities", "/sessionId", reason, cure)

    def _read_result(self, method: Method, result: Any, sent: Any = None) -> Any:
        return read_result(self._connection, method, result, sent)
