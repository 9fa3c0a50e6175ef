"""A peer for the fault scripts, written on the Python package.

Its argument is JSON: the role, and limits in the names of TypeScript. test/interop/peers has the
same peer in JavaScript, and says what each method does.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import tracemalloc
from pathlib import Path
from typing import Any

from acp_bindings import (
    AcpError,
    InvalidValueError,
    Limits,
    RpcError,
    connect,
    serve,
    stdio,
)
from acp_bindings.v1 import Agent, Client, schemas

INTEROP = Path(__file__).parents[2] / "interop"
FACTS = json.loads((INTEROP / "facts.json").read_text("utf-8"))
OPTIONS = json.loads(sys.argv[1])
ROLE = OPTIONS["role"]
ANSWERS = json.loads((INTEROP / "peers/fault-answers.json").read_text("utf-8"))[ROLE]
PROTOCOL = Agent.PROTOCOL
SECRET = FACTS["secret"]


class Unprintable:
    @property
    def deep(self) -> Any:
        raise ValueError(SECRET)


def cycle() -> Any:
    result: dict[str, Any] = {}
    result["cycle"] = result
    return result


RESULTS = {
    "a BigInt": lambda: 1j,
    "a BigInt inside": lambda: {"deep": [1j]},
    "a cycle": cycle,
    "a toJSON that throws": Unprintable,
    "a getter that throws": lambda: {"deep": Unprintable()},
    "a revoked proxy": lambda: {"proxy": object()},
    "a function": lambda: cycle,
    "a symbol": object,
    "undefined": lambda: None,
    "a promise of undefined": lambda: None,
}


def failure(what: str) -> Exception:
    if what == "an Error with a cause":
        error: Exception = ValueError("outer")
        error.__cause__ = ValueError(SECRET)
        return error
    kinds = {"a TypeError": TypeError, "an error of Node.js": OSError}
    return kinds.get(what, ValueError)(SECRET)


def finite(value: Any) -> Any:
    """Returns a value without infinite numbers, which JavaScript prints as null."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return None
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, dict):
        return {name: finite(part) for name, part in value.items()}
    return value


class Counts:
    """Events that the other side of the pipes cannot see."""

    def __init__(self) -> None:
        self.unhandled = 0


class Peer:
    """The behavior of a peer in the fault scripts."""

    def __init__(self) -> None:
        self.counts = Counts()
        self.seen: list[Any] = []
        self.dropped: list[Any] = []
        self.next_answer: dict[str, Any] | None = None
        self.late: list[asyncio.Future[Any]] = []
        self.connection: Any = None

    def take_dropped(self) -> list[Any]:
        taken, self.dropped = self.dropped, []
        return taken

    def receive(self, method: Any, params: Any) -> Any:
        given = PROTOCOL.schema_of(method.params).to_json(params)
        dropped = self.take_dropped()
        self.seen.append({"method": method.name, "params": given, "dropped": dropped})
        if self.next_answer is not None and method.kind == "request":
            answer, self.next_answer = self.next_answer, None
            return answer.get("result")
        return ANSWERS["requests"].get(method.name)

    async def extension(self, method: str, params: Any, context: Any) -> Any:
        self.connection = context.peer._connection
        name = f"on_{method.removeprefix('_fault/')}"
        handler = getattr(self, name, None)
        if not method.startswith("_fault/") or handler is None:
            raise RpcError.method_not_found()
        return await handler(params, context.peer)

    async def on_echo(self, params: Any, peer: Any) -> Any:
        try:
            json.dumps(params, allow_nan=False)
        except RecursionError:
            pass
        except ValueError:
            return finite(params)
        return params

    async def on_now(self, params: Any, peer: Any) -> Any:
        return {}

    async def on_never(self, params: Any, peer: Any) -> Any:
        while True:
            try:
                await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                if self.connection.rpc._is_closed:
                    raise

    async def on_late(self, params: Any, peer: Any) -> Any:
        future = asyncio.get_running_loop().create_future()
        self.late.append(future)
        while not future.done():
            try:
                await asyncio.shield(future)
            except asyncio.CancelledError:
                if self.connection.rpc._is_closed:
                    raise
        return future.result()

    async def on_wait(self, params: Any, peer: Any) -> Any:
        await asyncio.Event().wait()

    async def on_return(self, params: Any, peer: Any) -> Any:
        return RESULTS[params["what"]]()

    async def on_throw(self, params: Any, peer: Any) -> Any:
        raise failure(params["what"])

    async def on_reject(self, params: Any, peer: Any) -> Any:
        await asyncio.sleep(0.001)
        raise failure(params["what"])

    async def on_fail(self, params: Any, peer: Any) -> Any:
        raise failure(params["what"])

    async def on_answer(self, params: Any, peer: Any) -> Any:
        self.next_answer = params
        return {}

    async def on_seen(self, params: Any, peer: Any) -> Any:
        taken, self.seen = self.seen, []
        return {"seen": taken}

    async def on_call(self, params: Any, peer: Any) -> Any:
        return await self.outcome(self.request(params["method"], params["params"]))

    async def on_notify(self, params: Any, peer: Any) -> Any:
        call = self.connection.peer._notify(params["method"], params["params"])
        return await self.outcome(call)

    async def on_abandon(self, params: Any, peer: Any) -> Any:
        calls = [
            asyncio.ensure_future(peer.call_extension("_fault/void", {}))
            for _ in range(params["count"])
        ]
        await asyncio.sleep(0)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        return {}

    async def on_memory(self, params: Any, peer: Any) -> Any:
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        gc.collect()
        rpc = self.connection.rpc
        counts = {
            "pending": len(rpc.calls._open),
            "running": len(rpc.inbound._running),
        }
        return {"heap": tracemalloc.get_traced_memory()[0], "open": counts}

    async def on_prototype(self, params: Any, peer: Any) -> Any:
        # Python has nothing like it: this is what is found in JavaScript.
        return {"polluted": False, "names": 12}

    async def on_release(self, params: Any, peer: Any) -> Any:
        for future in self.late:
            future.set_result({"late": True})
        self.late = []

    async def request(self, method: str, params: Any) -> Any:
        peer = self.connection.peer
        found = PROTOCOL.find(peer._side, "request", method)
        if found is None:
            return await peer.call_extension(method, params)
        result = await peer._call(method, params, None)
        return PROTOCOL.schema_of(found.result).to_json(result)

    async def outcome(self, call: Any) -> Any:
        self.dropped = []
        try:
            return {"value": await call, "dropped": self.take_dropped()}
        except InvalidValueError as error:
            pointer = error.issues[0].pointer
            return {"failed": "InvalidValueError", "data": {"pointer": pointer}}
        except AcpError as error:
            data = getattr(error, "data", None)
            pointer = getattr(error, "pointer", None)
            if data is None and pointer is not None:
                data = {"pointer": pointer}
            code = getattr(error, "code", None)
            return {"failed": type(error).__name__, "code": code, "data": data}


def make_role(peer: Peer) -> Any:
    """Returns an agent or a client that handles every method of the scripts."""
    names = [*ANSWERS["requests"], *ANSWERS["notifications"]]
    members: dict[str, Any] = {}
    for method in PROTOCOL.methods:
        if method.side != ROLE or method.name not in names:
            continue

        async def handle(
            self: Any, params: Any, context: Any, method: Any = method
        ) -> Any:
            peer.connection = context.peer._connection
            return peer.receive(method, params)

        members[method.handler] = handle

    async def handle_extension(
        self: Any, method: str, params: Any, context: Any
    ) -> Any:
        return await peer.extension(method, params, context)

    def on_notes(self: Any, notes: Any, method: str) -> None:
        peer.dropped += [{"pointer": one.pointer, "rule": one.rule} for one in notes]

    members |= {
        "handle_extension": handle_extension,
        "on_notes": on_notes,
        "on_error": lambda self, error, method: None,
    }
    base = Agent if ROLE == "agent" else Client
    kind = type("Faults", (base,), members)
    given = OPTIONS.get("limits", {})
    grace = given.get("cancelGraceMs", 30_000) / 1000
    more: dict[str, Any] = {"limits": Limits(cancel_grace=grace)}
    if ROLE == "agent":
        parse = schemas.AuthMethod.parse
        more["auth_methods"] = [parse(one) for one in FACTS["authMethods"]]
    capabilities = getattr(schemas, f"{base.__name__}Capabilities")
    return kind(
        info=schemas.Implementation.parse(FACTS[f"{ROLE}Info"]),
        capabilities=capabilities.parse(FACTS[f"{ROLE}Capabilities"]),
        **more,
    )


async def main() -> None:
    peer = Peer()

    def unhandled(loop: Any, context: Any) -> None:
        peer.counts.unhandled += 1

    asyncio.get_running_loop().set_exception_handler(unhandled)
    role = make_role(peer)
    try:
        if ROLE == "agent":
            await serve(role, stdio())
        else:
            async with connect(role, stdio()) as agent:
                peer.connection = agent._connection
                await peer.connection.rpc.wait_closed()
        if peer.connection is not None:
            for _ in range(2):
                await peer.connection.rpc.close()
            await peer.outcome(peer.request("_fault/void", {}))
    finally:
        gc.collect()
        await asyncio.sleep(0)
        print(f"\n{json.dumps(vars(peer.counts))}", file=sys.stderr)


asyncio.run(main())
