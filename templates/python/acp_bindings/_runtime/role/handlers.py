"""Runs the handlers of a role, with interception and checks of results."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import sentences
from ..elicitation import unfit_content
from ..gates.paths import path_text
from ..protocol import Method
from ..results import InvalidValueError
from ..rpc.after_response import AfterResponse
from ..rpc.errors import CapabilityError, ErrorCode, RpcError, invalid_part
from ..rpc.messages import MessageId
from .intercept import Call, Kind, proceeding
from .sent_rules import check_sent

if TYPE_CHECKING:
    from ..link import Link
    from .role import Context

Handler: TypeAlias = Callable[[Any, Any], Any]


class Handlers:
    """The handlers of a role, as one connection calls them."""

    def __init__(self, connection: Link) -> None:
        self._connection = connection
        self._role = connection.role
        self._protocol = connection.protocol

    async def answer(
        self,
        method: Method,
        given: Any,
        params: Any,
        context: Context[Any],
        earlier: Sequence[asyncio.Future[None]],
    ) -> Any:
        """Runs the handler of a request, after earlier ones. Returns its result as JSON."""
        if earlier:
            await asyncio.wait(earlier)
        if "cancels-turn" in method.traits:
            # Closing a session cancels its work; its turns end before the session does.
            workers = self._connection.cancel_prompts(given, is_closing=True)
            if workers:
                await asyncio.wait(workers)
        handler = getattr(self._role, method.handler)
        if self._role.intercepts:
            result = await self._intercept("request", handler, params, context)
        else:
            result = await awaited(handler(params, context))
        if result is None:
            result = {}
        schema = self._protocol.schema_of(method.result)
        gates = self._connection.gates
        try:
            sent = schema.encode(schema.parse(result) if result == {} else result)
            check_sent(method, "result", sent)
            unfit = unfit_content(given, sent)
            if unfit is not None:
                raise InvalidValueError(method.result, (unfit,))
            place = gates.unavailable(method.result_places, sent)
            if place is not None:
                path = path_text(place[0].gate.path)
                reason = sentences.not_advertised(path, place[0].gate.side)
                cure = sentences.leave_out(f"context.peer.supports({path!r})")
                raise CapabilityError(method.name, path, place[1], reason, cure)
        except (InvalidValueError, CapabilityError) as error:
            self._connection.report(error, method.name)
            pointer, rule = _place_of(error)
            part = f"result of the {self._role.SIDE}"
            raise invalid_part(method.name, part, pointer, rule) from None
        gates.sessions.learn(method, given, sent)
        if self._connection.retries is not None:
            self._connection.retries.handled(method, given)
        return sent

    def notification(
        self, method: Method, params: Any, context: Context[Any]
    ) -> Callable[[], Awaitable[None] | None]:
        """Returns the handler of a notification, as it is called."""
        is_handled = method.handler in self._role.handled
        handler = getattr(self._role, method.handler) if is_handled else _ignore
        if self._role.intercepts:
            return lambda: self._intercept("notification", handler, params, context)
        return functools.partial(handler, params, context)

    def extension(
        self,
        kind: Kind,
        method: str,
        params: Any,
        request_id: MessageId,
        later: AfterResponse | None = None,
    ) -> Callable[[], Awaitable[Any]]:
        """Returns the handler of a method that the protocol does not have."""
        role = self._role
        context = role.CONTEXT(self._connection.peer, method, request_id, params, later)
        found = role.extensions.get(method)

        async def handle(params: Any, context: Context[Any]) -> Any:
            if found is not None:
                return await awaited(getattr(role, found.handler)(params, context))
            try:
                own = role.handle_extension(method, params, context)
                return await awaited(own)
            except RpcError as error:
                if kind == "request" or error.code != ErrorCode.METHOD_NOT_FOUND:
                    raise

        if role.intercepts:
            return lambda: self._intercept(kind, handle, params, context)
        return lambda: handle(params, context)

    async def _intercept(
        self, kind: Kind, handler: Handler, params: Any, context: Context[Any]
    ) -> Any:
        async def run(given: Any) -> Any:
            return await awaited(handler(given, context))

        call = Call("incoming", kind, context.method, params, context.request_id)
        return await self._role.intercept(call, proceeding(call, run))


def _place_of(error: InvalidValueError | CapabilityError) -> tuple[str, str]:
    if isinstance(error, CapabilityError):
        return error.pointer, "capability"
    return error.issues[0].pointer, error.issues[0].rule


def _ignore(params: Any, context: Any) -> None:
    """Handles a notification that only `intercept` sees."""


async def awaited(value: Any) -> Any:
    """Waits for the result of a handler, or of a function of a role, which may be an ordinary function."""
    return await value if inspect.isawaitable(value) else value
