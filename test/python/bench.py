"""Times decoding and encoding beside python-sdk, pydantic and json.loads, in one process.

`PYTHONPATH=out/python python3 test/python/bench.py` prints microseconds of CPU a message,
the least of several rounds. python-sdk (`pip install agent-client-protocol`) is left out
when it is not installed.
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable
from typing import Any

from acp_bindings.v1 import schemas

ROUNDS = 9
TIMES = 3000

MESSAGES = {
    "text chunk": {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "some words of an answer " * 3},
    },
    "tool call": {
        "sessionUpdate": "tool_call",
        "toolCallId": "call-1",
        "title": "Read a file",
        "kind": "read",
        "status": "pending",
        "content": [{"type": "content", "content": {"type": "text", "text": "abc"}}],
        "locations": [{"path": "/project/main.py", "line": 3}],
    },
}


def microseconds(run: Callable[[], Any]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(TIMES):
            run()
        best = min(best, time.process_time() - start)
    return best / TIMES * 1e6


def measure(line: str, sdk: Any) -> dict[str, float]:
    ours = schemas.SessionNotification
    value = ours.parse(json.loads(line))
    found = {
        "json.loads": microseconds(lambda: json.loads(line)),
        "decode": microseconds(lambda: ours.decode_json(line)),
        "encode": microseconds(lambda: ours.encode_json(value)),
    }
    if sdk is None:
        return found
    theirs = sdk.SessionNotification
    model = theirs.model_validate_json(line)
    options = {"by_alias": True, "exclude_none": True}
    return {
        **found,
        "python-sdk decode": microseconds(
            lambda: theirs.model_validate(json.loads(line))
        ),
        "model_validate_json": microseconds(lambda: theirs.model_validate_json(line)),
        "python-sdk encode": microseconds(
            lambda: json.dumps(model.model_dump(**options))
        ),
    }


def find_sdk() -> Any:
    try:
        return importlib.import_module("acp.schema")
    except ImportError:
        return None


if __name__ == "__main__":
    sdk = find_sdk()
    for name, update in MESSAGES.items():
        line = json.dumps({"sessionId": "session-1", "update": update})
        for what, time_taken in measure(line, sdk).items():
            print(f"{name:11} {what:20} {time_taken:7.2f} us")
