"""Validates the updates in a transcript, and folds them into the states of sessions.

transcript.py <file>
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from acp_bindings import Failure, Unknown
from acp_bindings.v1 import SessionState, schemas, types


def read(lines: list[str]) -> tuple[Counter[str], dict[str, SessionState]]:
    """Returns what was found, and the states by session."""
    counts: Counter[str] = Counter()
    states: dict[str, SessionState] = {}
    for line in lines:
        message = json.loads(line)["message"]
        if message.get("method") != "session/update":
            continue
        decoded = schemas.SessionNotification.decode(message["params"])
        if isinstance(decoded, Failure):
            counts.update(f"{one.rule} {one.pointer}" for one in decoded.issues)
            continue
        counts.update(f"{one.kind} {one.rule}" for one in decoded.notes)
        notification = decoded.value
        state = states.setdefault(notification.session_id, SessionState())
        state.apply(notification.update)
        match notification.update:
            case types.SessionUpdateToolCall(title=title):
                counts[f"tool {title}"] += 1
            case types.SessionUpdateAgentMessageChunk(
                content=types.TextContent(text=text)
            ):
                counts[f"text {text}"] += 1
            case Unknown(tag=tag):
                counts[f"unknown {tag}"] += 1
            case _:
                pass
    return counts, states


def update(**properties: object) -> str:
    params = {"sessionId": "s", "update": properties}
    return json.dumps({"message": {"method": "session/update", "params": params}})


def main() -> None:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["from"] for line in lines} == {"agent", "client"}
    counts, states = read(
        [
            *lines,
            update(sessionUpdate="_mine"),
            update(sessionUpdate="plan", entries=[5]),
            update(sessionUpdate="tool_call"),
        ]
    )
    expected = {
        "tool Edit main.py": 2,
        "text Done.": 2,
        "unknown _mine": 1,
        "kept unknown": 1,
        "repaired skip-invalid-items": 1,
        "required /update/toolCallId": 1,
    }
    assert counts.items() >= expected.items(), counts
    [state, other] = states.values()
    assert state.plan is not None and state.plan.entries[0].content == "Look"
    assert other.others.count == 1


if __name__ == "__main__":
    main()
