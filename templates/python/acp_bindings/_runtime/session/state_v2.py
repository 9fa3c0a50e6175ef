"""The state of a session in version 2."""

from __future__ import annotations

from typing import Any, ClassVar

from ..json_values import OBJECT
from ..message import UNSET, Message, Unknown
from .changes import Change, property_of
from .entities import (
    Entity,
    MessageKind,
    MessageState,
    TerminalOutputState,
    TerminalState,
    ToolCallState,
)
from .state import (
    COMMON_SHAPES,
    TOOL_CALL_SHAPE,
    SessionState,
    Shapes,
    list_of,
    with_property,
)

_CHUNK = {"message_id": "string", "content": "object"}
_MESSAGE = {"message_id": "string", "content": "array?"}


class SessionStateV2(SessionState):
    """The state of a session in version 2.

    Everything has an id, and the first update with an id creates the item. In a patch,
    an absent field is kept, null clears it and a value replaces it; `_meta` is merged by
    top-level key. A chunk is appended; its `_meta` is not kept.
    """

    SHAPES: ClassVar[Shapes] = {
        **COMMON_SHAPES,
        "user_message_chunk": _CHUNK,
        "agent_message_chunk": _CHUNK,
        "agent_thought_chunk": _CHUNK,
        "user_message": _MESSAGE,
        "agent_message": _MESSAGE,
        "agent_thought": _MESSAGE,
        "agent_message_clear": {"message_id": "string"},
        "tool_call_update": TOOL_CALL_SHAPE,
        "tool_call_content_chunk": {"tool_call_id": "string", "content": "object"},
        "terminal_update": {"terminal_id": "string", "output": "object?"},
        "terminal_output_chunk": {"terminal_id": "string", "data": "string"},
        "state_update": {},
    }

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = None
        """The last `state_update`; a session without one is idle."""
        self.terminals: dict[str, TerminalState] = {}
        """The terminals of the agent."""

    def _patch_meta(self, entity: Entity, change: Any) -> None:
        entity.merge_meta(change)

    def _user_message_chunk(self, update: Any, change: Change) -> None:
        self._add_chunk("user_message", change)

    def _agent_message_chunk(self, update: Any, change: Change) -> None:
        self._add_chunk("agent_message", change)

    def _agent_thought_chunk(self, update: Any, change: Change) -> None:
        self._add_chunk("agent_thought", change)

    def _user_message(self, update: Any, change: Change) -> None:
        self._patch_message("user_message", change)

    def _agent_message(self, update: Any, change: Change) -> None:
        self._patch_message("agent_message", change)

    def _agent_thought(self, update: Any, change: Change) -> None:
        self._patch_message("agent_thought", change)

    def _agent_message_clear(self, update: Any, change: Change) -> None:
        message = self._find_message("agent_message", change.fields["message_id"])
        if message is not None:
            self._clear(message)

    def _tool_call_update(self, update: Any, change: Change) -> None:
        call = self._call(change.fields["tool_call_id"])
        content = call.content
        self._patch(call, change)
        changed = change.fields.get("content", UNSET)
        call.content = content if changed is UNSET else list_of(changed)
        for name, default in (("kind", "other"), ("status", "pending")):
            if getattr(call, name) is UNSET:
                call.set(name, default)
        if "locations" not in vars(call):
            call.locations = []

    def _tool_call_content_chunk(self, update: Any, change: Change) -> None:
        # Unlike the text of messages, items are never joined.
        call = self._call(change.fields["tool_call_id"])
        call.content.append(change.fields["content"])
        self._touch(call)

    def _terminal_update(self, update: Any, change: Change) -> None:
        terminal = self._terminal(change.fields["terminal_id"])
        fields = dict(change.fields)
        output = fields.pop("output", UNSET)
        if output is None:
            terminal.clear("output")
        elif output is not UNSET:
            terminal.output = _output_of(output)
        self._patch(terminal, change._replace(fields=fields))

    def _terminal_output_chunk(self, update: Any, change: Change) -> None:
        terminal = self._terminal(change.fields["terminal_id"])
        if not isinstance(terminal.output, TerminalOutputState):
            terminal.output = TerminalOutputState([], UNSET, {})
        terminal.output.chunks.append(change.fields["data"])
        self._touch(terminal)

    def _state_update(self, update: Any, change: Change) -> None:
        self.state = update
        self._touch()

    def _usage_update(self, update: Any, change: Change) -> None:
        # The last reported cost is kept when it is absent; null removes it.
        cost = property_of(update, "cost", "cost")
        if cost is UNSET and self.usage is not None:
            cost = property_of(self.usage, "cost", "cost")
        self.usage = with_property(update, "cost", UNSET if cost is None else cost)
        self._touch()

    def _add_chunk(self, kind: MessageKind, change: Change) -> None:
        message = self._message_of(kind, change.fields["message_id"])
        self._append(message, change.fields["content"])

    def _patch_message(self, kind: MessageKind, change: Change) -> None:
        message = self._message_of(kind, change.fields["message_id"])
        self._patch(message, change)
        message.kind = kind

    def _message_of(self, kind: MessageKind, message_id: str) -> MessageState:
        found = self._find_message(kind, message_id)
        return self._add_message(kind, message_id) if found is None else found

    def _call(self, tool_call_id: str) -> ToolCallState:
        return self._tool_call_of(tool_call_id, kind="other", status="pending")

    def _terminal(self, terminal_id: str) -> TerminalState:
        new = TerminalState(terminal_id=terminal_id)
        return self.terminals.setdefault(terminal_id, new)


def _output_of(output: Any) -> TerminalOutputState:
    """Returns the output of a terminal as of its last snapshot."""
    data = property_of(output, "data", "data")
    meta = property_of(output, "_meta", "meta")
    if isinstance(output, Message):
        return TerminalOutputState([data], meta, output.extra or {})
    raw: Any = output.raw if isinstance(output, Unknown) else output
    assert isinstance(raw, OBJECT)
    extra = {key: one for key, one in raw.items() if key not in ("data", "_meta")}
    return TerminalOutputState([data], meta, extra)
