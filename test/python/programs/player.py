"""Plays one side of a script on the Python package, over standard input and output.

python3 player.py <client or agent> <profile>, with the script as JSON in SCRIPT. An agent with
`serve` is served for one conversation, and its port is printed; a client with an address and
`HTTP` or `WebSocket` connects to one.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import socket
import sys
from typing import Any

from acp_bindings import RpcError, connect, serve, stdio


class Player:
    """One side of a conversation; see test/interop/scripts/steps.mjs for the steps."""

    def __init__(self, script: dict[str, Any], side: str) -> None:
        self.problems: list[str] = []
        self.peer: Any = None
        self._expected: dict[str, list[dict[str, Any]]] = {}
        self._handled: dict[int, asyncio.Event] = {}
        self._after: set[asyncio.Task[None]] = set()
        self._expect([*script["steps"], *script["last"]], side == "agent")

    def _expect(self, steps: list[dict[str, Any]], is_incoming: bool) -> None:
        for step in steps:
            if is_incoming:
                kind = "notification" if "notify" in step else "request"
                name = step.get("notify") or step["request"]
                self._expected.setdefault(f"{kind} {name}", []).append(step)
                self._handled[id(step)] = asyncio.Event()
            self._expect(step.get("before", []), not is_incoming)
            self._expect(step.get("meanwhile", []), is_incoming)
            self._expect(step.get("after", []), not is_incoming)

    async def play(self, steps: list[dict[str, Any]]) -> None:
        for step in steps:
            await self._send(step)

    async def receive(self, kind: str, method: str, params: Any) -> Any:
        steps = self._expected.get(f"{kind} {method}")
        if not steps:
            self.problems.append(f"{kind} {method} is not expected now")
            return None
        step = steps.pop(0)
        self.compare(params, step.get("params"), f"params of {method}")
        handled = self._handled[id(step)]
        try:
            await self.play(step.get("before", []))
            await self._arrived(step.get("meanwhile", []))
            if step.get("cancel"):
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            if step.get("result") is None:
                handled.set()
                raise
        if "after" in step:
            task = asyncio.ensure_future(self._play_after(step["after"], handled))
            self._after.add(task)
        else:
            handled.set()
        if "error" in step:
            raise RpcError(step["error"], "refused")
        return step.get("result")

    async def _play_after(
        self, steps: list[dict[str, Any]], handled: asyncio.Event
    ) -> None:
        await self.play(steps)
        handled.set()

    async def _send(self, step: dict[str, Any]) -> None:
        if "notify" in step:
            await self._notify(step["notify"], step.get("params"))
            await self._arrived(step.get("after", []))
            return
        call = asyncio.ensure_future(self._request(step))
        await asyncio.sleep(0)
        await self.play(step.get("meanwhile", []))
        await self._arrived(step.get("before", []))
        if step.get("cancel"):
            await asyncio.sleep(0.05)
            call.cancel()
        await call
        await self._arrived(step.get("after", []))

    async def _request(self, step: dict[str, Any]) -> None:
        method = step["request"]
        try:
            result = await self._call(method, step.get("params"))
            self.compare(result, step.get("result"), f"result of {method}")
        except RpcError as error:
            self.compare(error.code, step.get("error"), f"error of {method}")
        except asyncio.CancelledError:
            # The task that takes a call back does not wait for the answer.
            if not step.get("cancel"):
                self.problems.append(f"{method} was cancelled")

    async def _call(self, name: str, params: Any) -> Any:
        method = self._find("request", name)
        if method is None:
            return await self.peer.call_extension(name, params)
        given = schema(method.params).parse(params)
        result = await getattr(self.peer, method.handler)(given)
        return schema(method.result).to_json(result)

    async def _notify(self, name: str, params: Any) -> None:
        method = self._find("notification", name)
        if method is None:
            await self.peer.notify_extension(name, params)
        else:
            given = schema(method.params).parse(params)
            await getattr(self.peer, method.handler)(given)

    def _find(self, kind: str, name: str) -> Any:
        return PROTOCOL.find("agent" if SIDE == "client" else "client", kind, name)

    async def _arrived(self, steps: list[dict[str, Any]]) -> None:
        for step in steps:
            await self._handled[id(step)].wait()

    def compare(self, actual: Any, expected: Any, place: str) -> None:
        found = difference(actual, expected)
        if found is not None:
            self.problems.append(f"{place}{found}")

    def finish(self) -> list[str]:
        for name, steps in self._expected.items():
            if steps:
                self.problems.append(f"{name} did not come {len(steps)} times")
        return self.problems


def difference(actual: Any, expected: Any) -> str | None:
    """Where a value lacks something of another; receivers insert defaults."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        pairs = [(key, actual.get(key), part) for key, part in expected.items()]
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(actual) != len(expected):
            return ": other length"
        pairs = [(str(at), actual[at], part) for at, part in enumerate(expected)]
    else:
        same = actual == expected or (not expected and not actual)
        return None if same else f": {actual!r} instead of {expected!r}"
    for key, one, other in pairs:
        found = difference(one, other)
        if found is not None:
            return f"/{key}{found}"
    return None


def schema(definition: str) -> Any:
    return PROTOCOL.schema_of(definition)


def make_role(base: type, script: dict[str, Any], player: Player) -> Any:
    """Returns the role of a side, which handles what the script lets the other send."""
    own = {key.split(" ")[1]: key.split(" ")[0] for key in player._expected}
    members: dict[str, Any] = {}
    for method in PROTOCOL.methods:
        if (
            method.side != SIDE
            or f"{method.kind} {method.name}" not in player._expected
        ):
            continue

        async def handle(
            self: Any, params: Any, context: Any, method: Any = method
        ) -> Any:
            player.peer = context.peer
            given = schema(method.params).to_json(params)
            result = await player.receive(method.kind, method.name, given)
            return schema(method.result).parse(result or {}) if method.result else None

        members[method.handler] = handle

    async def handle_extension(
        self: Any, method: str, params: Any, context: Any
    ) -> Any:
        player.peer = context.peer
        if method not in own:
            raise RpcError.method_not_found()
        return await player.receive(own[method], method, params)

    def on_error(self: Any, error: BaseException, method: str | None) -> None:
        player.problems.append(f"{method}: {error!r}")

    def on_notes(self: Any, notes: Any, method: str) -> None:
        player.problems.append(f"{method}: {notes}")

    members |= {
        "handle_extension": handle_extension,
        "on_error": on_error,
        "on_notes": on_notes,
    }
    role = type("Player", (base,), members)
    described = dict(script[SIDE])
    info = next(
        described.pop(name) for name in list(described) if name.lower().endswith("info")
    )
    name = PROTOCOL.capabilities[SIDE]
    types = PROFILE.types
    arguments = {
        "info": schema("Implementation").parse(info),
        "capabilities": schema(
            "AgentCapabilities" if SIDE == "agent" else "ClientCapabilities"
        ).parse(described.pop(name, {})),
    }
    if "authMethods" in described:
        arguments["auth_methods"] = [
            schema("AuthMethod").parse(one) for one in described.pop("authMethods")
        ]
    assert not described, (described, types)
    return role(**arguments)


async def main() -> int:
    script = json.loads(os.environ["SCRIPT"])
    player = Player(script, SIDE)
    if SIDE == "agent":
        agent = make_role(PROFILE.Agent, script, player)
        await (serve_remotely(agent) if sys.argv[3:] else serve(agent))
    else:
        stream = await open_stream(*sys.argv[3:]) if sys.argv[3:] else stdio()
        async with connect(make_role(PROFILE.Client, script, player), stream) as agent:
            player.peer = agent
            await player.play([*script["steps"], *script["last"]])
    for problem in player.finish():
        print(problem, file=sys.stderr)
    return 1 if player.problems else 0


async def open_stream(kind: str, url: str) -> Any:
    from acp_bindings.remote import HttpStream, WebSocketStream

    if kind == "HTTP":
        return HttpStream(url)
    import websockets

    address = url.replace("http:", "ws:")
    return WebSocketStream(await websockets.connect(address, max_size=2**25))


async def serve_remotely(agent: Any) -> None:
    """Serves an agent with uvicorn until its first connection has ended."""
    import uvicorn

    from acp_bindings.remote import HttpApp

    async def serve_once(stream: Any) -> None:
        try:
            await serve(agent, stream)
        finally:
            server.should_exit = server.force_exit = True

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    config = uvicorn.Config(HttpApp(serve_once), log_level="warning", ws_max_size=2**25)
    server = uvicorn.Server(config)
    print(listening.getsockname()[1], flush=True)
    await server.serve([listening])


SIDE = sys.argv[1]
PROFILE: Any = importlib.import_module(f"acp_bindings.{sys.argv[2].replace('-', '_')}")
PROTOCOL = PROFILE.Agent.PROTOCOL
sys.exit(asyncio.run(main()))
