"""Measures the Python package beside the official one, pydantic and json.loads.

python3 measure.py <file>, with the params of `session/update` in the file, one a line. Prints
JSON: for each implementation the CPU seconds of each round.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from acp.schema import SessionNotification
from acp_bindings.v1 import schemas
from rounds import TURNS, interleave, per_update

MEASURED = 9
UPDATES = 10_000
COMMANDS = {
    "sessionUpdate": "available_commands_update",
    "availableCommands": [
        {"name": name, "description": f"Runs {name}.", "input": {"hint": "a file"}}
        for name in ("review", "test", "explain", "fix", "commit")
    ],
}
"""Editors get it at the begin of each session: here, one update in twenty."""

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
COMMAND_LINE = json.dumps({"sessionId": "s-1", "update": COMMANDS})
MIX = [
    line
    for at in range(0, len(LINES), 19)
    for line in (*LINES[at : at + 19], COMMAND_LINE)
]


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


def codecs() -> dict[str, Callable[[], float]]:
    theirs = SessionNotification
    return {
        "json.loads": each(json.loads, LINES),
        "decode": each(OURS.decode_json, LINES),
        "official decode": each(
            lambda line: theirs.model_validate(json.loads(line)), LINES
        ),
        "model_validate_json": each(theirs.model_validate_json, LINES),
        "encode": each(OURS.encode_json, [OURS.parse(json.loads(x)) for x in MIX]),
        "official encode": each(dump, [theirs.model_validate_json(x) for x in MIX]),
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
        "import asyncio": importing("import asyncio"),
        "import for decoding": importing("from acp_bindings.v1 import schemas, types"),
        "import of an agent": importing(
            "from acp_bindings import serve; from acp_bindings.v1 import Agent, types"
        ),
        "official import": importing("import acp, acp.schema"),
    }


def in_memory(side: str) -> Callable[[], float]:
    command = [sys.executable, TURNS, f"{side}-memory", str(UPDATES)]
    return lambda: float(subprocess.check_output(command))


def turns() -> dict[str, Callable[[], float]]:
    return {
        "dispatch": per_update("ours", UPDATES),
        "official dispatch": per_update("official", UPDATES),
        "dispatch in memory": in_memory("ours"),
        "official dispatch in memory": in_memory("official"),
    }


def allocated(parse: Callable[[Any], Any]) -> float:
    """Returns the bytes that are kept of a parsed message."""
    values = [json.loads(line) for line in LINES]
    tracemalloc.start()
    kept = [parse(value) for value in values]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


found = interleave(codecs(), MEASURED)
found.update(interleave(imports(), MEASURED))
found.update(interleave(turns(), 5))
found["bytes kept"] = [allocated(OURS.parse)]
found["official bytes kept"] = [allocated(SessionNotification.model_validate)]
facts = {"messages": len(LINES), "python": sys.version.split()[0]}
print(json.dumps({**facts, "rounds": found}))
