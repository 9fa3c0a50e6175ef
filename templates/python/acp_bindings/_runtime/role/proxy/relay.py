"""Passes the messages between a client and an agent on, through the handlers of a proxy."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from ... import sentences
from ...gates.gates import Gates
from ...gates.paths import read
from ...json_text import parse_json
from ...json_values import OBJECT
from ...protocol import INITIALIZE, Method
from ...results import Failure, InvalidValueError
from ...rpc.after_response import AfterResponse
from ...rpc.errors import AcpError, ErrorCode, RpcError, invalid_part, only_rpc_error
from ...rpc.inbound import error_response, unsendable_response
from ...rpc.messages import Incoming, MessageId, classify, read_id
from ...rpc.noise import MalformedInput
from ...rpc.reports import give_notes, report
from ...rpc.stream import ByteStream, LineSplitter, LongLine
from ...rpc.workers import let_continue
from ...stdio.stdio import stdio
from .base import BaseProxy, BaseProxyContext
from .way import ProxyEnd, Way, version_of

_POLL = 0.005
"""How often it is looked whether everything is answered at the end, in seconds."""


async def serve_proxy(
    proxy: BaseProxy, agent: ByteStream, client: ByteStream | None = None
) -> None:
    """Passes messages between an agent and a client on, until one of them ends.

    The client is on standard input and output by default. Messages that the proxy does not
    handle keep their bytes, their ids and their order. What is not a message is not passed on.
    """
    relay = Relay(proxy, client or stdio(), agent)
    try:
        await relay.run()
    finally:
        await relay.close()


class Relay:
    """A proxy that is connected to a client and an agent."""

    def __init__(self, proxy: BaseProxy, client: ByteStream, agent: ByteStream) -> None:
        self._proxy = proxy
        self._protocol = proxy.PROTOCOL
        self._gates = Gates(proxy.PROTOCOL)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stalled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Fails when a side takes nothing of what is sent to it."""
        self._to_agent = Way("agent", client, agent, proxy, self._stall)
        self._to_client = Way("client", agent, client, proxy, self._stall)
        self._to_agent.back, self._to_client.back = self._to_client, self._to_agent
        make_client, make_agent = proxy.PEERS
        self._client = ProxyEnd(proxy, self._to_client, self._gates, make_client).peer
        self._agent = ProxyEnd(proxy, self._to_agent, self._gates, make_agent).peer

    async def run(self) -> None:
        """Passes messages on until one side ends.

        When the client has ended its side, its requests may still be answered for
        `Limits.end_grace` seconds.
        """
        ways = (self._to_agent, self._to_client)
        pumps = [asyncio.ensure_future(self._pump(way)) for way in ways]
        ends: list[asyncio.Future[None]] = [*pumps, self._stalled]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if not any(one.done() and one.exception() for one in ends):
                await self._settle(pumps[1])
        finally:
            for one in ends:
                one.cancel()
            for ended in await asyncio.gather(*ends, return_exceptions=True):
                if isinstance(ended, Exception):
                    report(self._proxy.on_error, ended, None)

    def _stall(self, error: AcpError) -> None:
        if not self._stalled.done():
            self._stalled.set_exception(error)

    async def _settle(self, of_agent: asyncio.Future[None]) -> None:
        """Waits for the answers to the client, as long as there can be any."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._proxy.limits.end_grace
        while not self._to_agent.is_settled and loop.time() < end:
            if of_agent.done():
                # Handlers may still answer in its place.
                self._to_agent.close()
            await asyncio.sleep(_POLL)

    async def close(self) -> None:
        """Ends both sides."""
        for task in tuple(self._tasks):
            task.cancel()
        for way in (self._to_agent, self._to_client):
            way.close()
            await way.target.close()

    async def _pump(self, way: Way) -> None:
        lines = LineSplitter(self._proxy.limits.max_line_bytes)
        malformed = way.back.malformed_input()
        is_open = True
        while is_open:
            chunk = await way.source.read()
            is_open = chunk != b""
            for line in lines.feed(chunk) if is_open else lines.finish():
                if isinstance(line, LongLine):
                    malformed.receive_long(line)
                    continue
                became = self._receive(way, line, malformed)
                if became == "settled":
                    await let_continue()
                elif became == "handled":
                    # Handlers start before the next message passes.
                    await asyncio.sleep(0)
            # Nobody stops reading because of its own output.
            await asyncio.sleep(0)

    def _receive(
        self, way: Way, line: bytes, malformed: MalformedInput
    ) -> Literal["passed", "handled", "settled"]:
        """Passes a message on, unless the proxy handles it or waits for it."""
        try:
            value = parse_json(line)
        except (ValueError, RecursionError):
            message = malformed.receive_line(line)
            if message is None:
                return "settled"
            return self._receive(way, message, malformed)
        incoming = classify(value, self._protocol.null_ids)
        if incoming.kind in ("invalid", "broken"):
            malformed.receive_value(line, value, incoming)
            return "settled"
        malformed.in_row = 0
        if incoming.kind == "response":
            if way.back.settle(value, incoming.id):
                return "settled"
        elif self._takes(way, incoming, value):
            return "handled"
        elif incoming.kind == "request":
            way.expect(incoming.id)
        way.write(line)
        return "passed"

    def _takes(self, way: Way, incoming: Incoming, value: dict[str, Any]) -> bool:
        """Returns whether the proxy handles a call by itself."""
        method, params = value["method"], value.get("params")
        if method == "$/cancel_request":
            return self._cancels(way, params)
        found = self._protocol.find(way.side, incoming.kind, method)
        if found is None:
            return False
        if "cancels-turn" in found.traits:
            self._cancel_prompts(way, read(params, ["sessionId"]))
        handler = self._proxy.handler_of(found)
        if handler is None and method != INITIALIZE:
            return False
        later = AfterResponse(
            lambda error: report(self._proxy.on_error, error, method), lambda: None
        )

        async def run() -> Any:
            if handler is None or method == INITIALIZE:
                return await self._initialize(found, params)
            return await self._handle(way, found, handler, params, incoming, later)

        self._start(way, found, params, incoming, run, later)
        return True

    def _cancels(self, way: Way, params: Any) -> bool:
        """Cancels the handler of a request, unless the next side has to answer it."""
        own_id = read_id(
            params.get("requestId") if isinstance(params, OBJECT) else None
        )
        task = way.handled.get(own_id)
        if task is None or way.has_sent(own_id):
            return False
        task.cancel()
        return True

    def _cancel_prompts(self, way: Way, session_id: Any) -> None:
        """Cancels the handlers of a session's prompts, unless the next side has them."""
        for own_id, session in way.prompts.items():
            if session == session_id and not way.has_sent(own_id):
                way.handled[own_id].cancel()

    def _start(
        self,
        way: Way,
        method: Method,
        params: Any,
        incoming: Incoming,
        run: Callable[[], Awaitable[Any]],
        later: AfterResponse,
    ) -> None:
        async def answer() -> None:
            response = await self._outcome(method, incoming.id, run)
            if incoming.kind == "request":
                try:
                    way.answer(response)
                except InvalidValueError as error:
                    # JSON cannot hold the result.
                    report(self._proxy.on_error, error, method.name)
                    response = unsendable_response(incoming.id, method.name, error)
                    way.answer(response)
            way.handled.pop(incoming.id, None)
            way.prompts.pop(incoming.id, None)
            later.end("result" in response)

        task = asyncio.get_running_loop().create_task(answer())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if incoming.kind == "request":
            way.handled[incoming.id] = task
            if "starts-turn" in method.traits:
                way.prompts[incoming.id] = read(params, ["sessionId"])

    async def _outcome(
        self, method: Method, own_id: MessageId, run: Callable[[], Awaitable[Any]]
    ) -> dict[str, Any]:
        try:
            return {"id": own_id, "result": await run()}
        except asyncio.CancelledError:
            if "starts-turn" in method.traits and method.cancelled_result is not None:
                return {"id": own_id, "result": method.cancelled_result}
            return error_response(own_id, RpcError.request_cancelled())
        except Exception as error:  # noqa: BLE001
            expected = only_rpc_error(error)
            if expected is None or method.kind == "notification":
                report(self._proxy.on_error, error, method.name)
            # The text of another error may contain data that the other side must not see.
            shown = expected or RpcError.internal("Internal error")
            return error_response(own_id, shown)

    async def _handle(
        self,
        way: Way,
        method: Method,
        handler: Callable[[Any, Any], Any],
        received: Any,
        incoming: Incoming,
        later: AfterResponse,
    ) -> Any:
        own_id, is_request = incoming.id, incoming.kind == "request"

        async def forward(changed: Any) -> Any:
            sent = received if changed is None else self._encode(method.params, changed)
            if method.kind == "notification":
                return await way.notify(method.name, sent)
            result = await way.request(method.name, sent, None, own_id)
            return self._decode(method, "result", result)

        params = self._decode(method, "params", {} if received is None else received)
        context: BaseProxyContext[Any, Any, Any, Any] = BaseProxyContext(
            self._client,
            self._agent,
            method.name,
            own_id,
            forward,
            later if is_request else None,
        )
        result = handler(params, context)
        if inspect.isawaitable(result):
            result = await result
        if method.kind == "notification":
            return None
        return self._encode(method.result, {} if result is None else result)

    async def _initialize(self, method: Method, received: Any) -> Any:
        """Initializes the agent. Returns its response, with the changes of the proxy."""
        version = self._protocol.version
        params: Any = {} if received is None else received
        if version_of(params) < version:
            raise _unsupported(version_of(params), version)
        request = self._decode(method, "params", params)
        sent = {**params, "protocolVersion": version}
        answer = await self._to_agent.request(INITIALIZE, sent)
        if version_of(answer) != version:
            raise _unsupported(version_of(answer), version)
        response = self._decode(method, "result", answer)
        self._gates.advertised = {"client": params, "agent": answer}
        before = self._encode(method.result, response)
        changed = self._proxy.change_initialize(response, request)
        after = self._encode(method.result, changed)
        return answer if after == before else after

    def _decode(self, method: Method, part: Any, value: Any) -> Any:
        name = method.params if part == "params" else method.result
        decoded = self._protocol.schema_of(name).decode(value)
        if isinstance(decoded, Failure):
            first = decoded.issues[0]
            raise invalid_part(method.name, part, first.pointer, first.rule)
        give_notes(self._proxy, decoded.notes, method.name)
        return decoded.value

    def _encode(self, definition: str, value: Any) -> Any:
        """Encodes as leniently as receivers decode: a message may have unknown parts."""
        schema = self._protocol.schema_of(definition)
        sent = schema.to_json(value)
        decoded = schema.decode(sent)
        if isinstance(decoded, Failure):
            raise InvalidValueError(definition, decoded.issues)
        return sent


def _unsupported(requested: int, supported: int) -> RpcError:
    return RpcError(
        ErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
        sentences.unsupported_version,
        {"requested": requested, "supported": [supported]},
    )
