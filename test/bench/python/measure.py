"""Measures the Python package beside the official one, pydantic and json.loads.

python3 measure.py <file>, with the params of `session/update` in the file, one a line. Prints
JSON: for each implementation the CPU seconds of each round. The implementations take turns,
so that noise meets them alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any

import acp
import msgspec
import orjson
from acp.schema import SessionNotification
from acp_bindings import spawn_agent
from acp_bindings.v1 import Client, schemas, types

WARMUP, MEASURED = 2, 9
UPDATES = 10_000

with open(sys.argv[1], encoding="utf-8") as file:
    LINES = file.read().splitlines()


def readable(line: str) -> bool:
    """Returns whether the official package accepts a line."""
    try:
        SessionNotification.model_validate_json(line)
    except ValueError:
        return False
    return True


LINES = [line for line in LINES if readable(line)]
OURS = schemas.SessionNotification


def each(run: Callable[[Any], Any], values: list[Any]) -> Callable[[], float]:
    def measure() -> float:
        start = time.process_time()
        for value in values:
            run(value)
        return (time.process_time() - start) / len(values)

    return measure


def dump(model: Any) -> str:
    """Prints a notification as the official connection does."""
    options = {"by_alias": True, "exclude_none": True, "exclude_defaults": True}
    return json.dumps(model.model_dump(mode="json", **options), separators=(",", ":"))


def decoders() -> dict[str, Callable[[], float]]:
    return {
        "json.loads": each(json.loads, LINES),
        "decode": each(OURS.decode_json, LINES),
        "official decode": each(
            lambda line: SessionNotification.model_validate(json.loads(line)), LINES
        ),
        "model_validate_json": each(SessionNotification.model_validate_json, LINES),
        "encode": each(OURS.encode_json, [OURS.parse(json.loads(x)) for x in LINES]),
        "official encode": each(
            dump, [SessionNotification.model_validate_json(line) for line in LINES]
        ),
        "decode with orjson": each(lambda line: OURS.decode(orjson.loads(line)), LINES),
        "decode with msgspec": each(
            lambda line: OURS.decode(msgspec.json.decode(line)), LINES
        ),
    }


def importing(program: str) -> Callable[[], float]:
    # Byte code is kept, as where a package is installed.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": f"{sys.argv[1]}.cache"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def measure() -> float:
        process = subprocess.Popen([sys.executable, "-c", program], env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return used.ru_utime + used.ru_stime

    return measure


def imports() -> dict[str, Callable[[], float]]:
    return {
        "import nothing": importing("pass"),
        "import for decoding": importing("from acp_bindings.v1 import schemas, types"),
        "import of an agent": importing(
            "from acp_bindings import serve; from acp_bindings.v1 import Agent, types"
        ),
        "official import": importing("import acp, acp.schema"),
    }


# An agent that does nothing but write the updates, so that the client alone is measured.
AGENT = """
import json, sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
count = int(sys.argv[2])
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": 1, "agentCapabilities": {}, "agentInfo": {"name": "a", "version": "1"}, "authMethods": []}
    if message["method"] == "session/new":
        result = {"sessionId": "s-1"}
    if message["method"] == "session/prompt":
        result = {"stopReason": "end_turn"}
        update = '{"jsonrpc":"2.0","method":"session/update","params":%s}\\n'
        for at in range(count):
            sys.stdout.write(update % lines[at % len(lines)])
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def agent() -> list[str]:
    return [sys.executable, "-c", AGENT, f"{sys.argv[1]}.readable", str(UPDATES)]


class Counting(Client):
    count = 0

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise NotImplementedError

    async def session_update(self, params: Any, context: Any) -> None:
        self.count += 1


async def turn_of_ours() -> float:
    client = Counting(info=types.Implementation(name="c", version="1"))
    async with spawn_agent(client, *agent()) as peer:
        params = types.NewSessionRequest(cwd="/", mcp_servers=[])
        session = await peer.session_new(params)
        prompt = types.PromptRequest(session_id=session.session_id, prompt=[])
        start = time.process_time()
        await peer.session_prompt(prompt)
        taken = time.process_time() - start
    assert client.count == UPDATES, client.count
    return taken / UPDATES


class OfficialCounting:
    count = 0

    async def session_update(self, **_: Any) -> None:
        self.count += 1

    def on_connect(self, _: Any) -> None:
        pass


async def turn_of_theirs() -> float:
    client: Any = OfficialCounting()
    async with acp.spawn_agent_process(client, *agent()) as (peer, _):
        await peer.initialize(protocol_version=1)
        session = await peer.new_session(cwd="/", mcp_servers=[])
        start = time.process_time()
        await peer.prompt(session_id=session.session_id, prompt=[])
        while client.count < UPDATES:
            await asyncio.sleep(0.01)
        taken = time.process_time() - start
    return taken / UPDATES


def turn(run: Callable[[], Awaitable[float]]) -> Callable[[], float]:
    return lambda: asyncio.run(run())  # type: ignore[arg-type]


def allocated(parse: Callable[[Any], Any]) -> float:
    """Returns the bytes that are kept of a parsed message."""
    values = [json.loads(line) for line in LINES]
    tracemalloc.start()
    kept = [parse(value) for value in values]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


def interleave(
    implementations: dict[str, Callable[[], float]], measured: int
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in implementations}
    names = list(implementations)
    for number in range(WARMUP + measured):
        for place in range(len(names)):
            name = names[(number + place) % len(names)]
            taken = implementations[name]()
            if number >= WARMUP:
                times[name].append(taken)
    return times


with open(f"{sys.argv[1]}.readable", "w", encoding="utf-8") as file:
    file.write("\n".join(LINES))
found = interleave(decoders(), MEASURED)
found.update(interleave(imports(), MEASURED))
dispatch = {"dispatch": turn(turn_of_ours), "official dispatch": turn(turn_of_theirs)}
found.update(interleave(dispatch, 5))
found["memory"] = [allocated(OURS.parse)]
found["official memory"] = [allocated(SessionNotification.model_validate)]
facts = {"messages": len(LINES), "python": sys.version.split()[0]}
print(json.dumps({**facts, "rounds": found}))
