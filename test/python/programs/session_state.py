"""Applies events to the states of sessions, and prints the states as JSON.

Reads lines `{"profile", "events": [{"session", "update" | "prompt" | nothing}]}`.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

from acp_bindings import (
    UNSET,
    Failure,
    Message,
    SessionState,
    Unknown,
)
from acp_bindings._runtime.json_text.canonical import canonical_json
from acp_bindings._runtime.session.blocks import Blocks
from acp_bindings._runtime.session.entities import (
    Entity,
    Growing,
    TerminalOutputState,
    ToolCallState,
)


class Printer:
    """Prints states as JSON."""

    def __init__(self, schemas: Any) -> None:
        self.encoder = schemas.SessionUpdate

    def plain(self, value: Any) -> Any:
        if isinstance(value, Entity):
            return self.entity(value)
        if isinstance(value, TerminalOutputState):
            meta = {} if value.meta is UNSET else {"_meta": value.meta}
            return {"chunks": value.chunks, **meta, **value.extra}
        if isinstance(value, (Message, Unknown)):
            return self.encoder.to_json(value)
        if isinstance(value, dict):
            return {key: self.plain(part) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.plain(part) for part in value]
        return value

    def entity(self, entity: Entity) -> dict[str, Any]:
        result: dict[str, Any] = dict(entity.extra)
        for name, value in vars(entity).items():
            if isinstance(value, Blocks) and isinstance(entity, Growing):
                result[entity.LIST_NAME] = self.plain(value.read())
            elif name not in ("revision", "extra") and value is not UNSET:
                result[camel_case(name)] = self.plain(value)
        return result

    def state(self, state: SessionState) -> dict[str, Any]:
        last = {
            name: getattr(state, name, None)
            for name in ("commands", "config", "usage", "suggestions", "plan", "mode", "state")
        }
        return {
            "messages": self.plain(state.messages),
            "timeline": [position(entry, state) for entry in state.timeline],
            "toolCalls": self.plain([*state.tool_calls.values()]),
            "compactions": self.plain([*state.compactions.values()]),
            "sessionMessages": self.plain([*state.session_messages.values()]),
            "subagents": self.plain([*state.subagents.values()]),
            "cursors": self.plain([*state.cursors.values()]),
            "terminals": self.plain([*getattr(state, "terminals", {}).values()]),
            "plans": self.plain([*state.plans.items()]),
            "last": self.plain({k: v for k, v in last.items() if v is not None}),
            "info": self.plain(state.info),
            "notices": self.plain([*state.notices.items]),
            "others": self.plain([*state.others.items]),
            "counts": [state.notices.count, state.others.count],
            "revision": state.revision,
        }


def position(entry: Any, state: SessionState) -> list[Any]:
    if isinstance(entry, ToolCallState):
        return ["tool_call", entry.tool_call_id]
    if entry in state.messages:
        return ["message", state.messages.index(entry)]
    if hasattr(entry, "compaction_id"):
        return ["compaction", entry.compaction_id]
    return ["session_message", entry.message_id]


def camel_case(name: str) -> str:
    if name == "meta":
        return "_meta"
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def run(profile: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    package = f"acp_bindings.{profile.replace('-', '_')}"
    schemas = importlib.import_module(f"{package}.schemas")
    create = importlib.import_module(package).SessionState
    states: dict[str, Any] = {}
    for event in events:
        name = event["session"]
        if "update" in event:
            decoded = schemas.SessionUpdate.decode(event["update"])
            assert not isinstance(decoded, Failure)
            if name not in states:
                states[name] = create()
            states[name].apply(decoded.value)
        elif name in states and "prompt" in event:
            blocks = [schemas.ContentBlock.parse(one) for one in event["prompt"]]
            states[name].add_user_message(blocks)
        elif name in states:
            states[name].end_turn()
    printer = Printer(schemas)
    return {name: printer.state(state) for name, state in states.items()}


for line in sys.stdin:
    given = json.loads(line)
    print(canonical_json(run(given["profile"], given["events"])), flush=True)
