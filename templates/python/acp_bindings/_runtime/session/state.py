"""The state of a session, as the result of its updates: what both versions share."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias, TypeVar

from ..json_values import LIST
from ..message import UNSET, Unknown, Unset
from .changes import Change, fits, property_of, read
from .entities import (
    CompactionState,
    Entity,
    Growing,
    InfoState,
    MessageKind,
    MessageState,
    Recent,
    SessionMessageState,
    SubagentState,
    ToolCallState,
)

EntityT = TypeVar("EntityT", bound=Entity)
TimelineEntry: TypeAlias = (
    "MessageState | ToolCallState | CompactionState | SessionMessageState"
)
Shapes: TypeAlias = dict[str, dict[str, str]]

COMMON_SHAPES: Shapes = {
    "plan_update": {"plan": "object"},
    "plan_removed": {"plan_id": "string"},
    "available_commands_update": {},
    "config_option_update": {},
    "session_info_update": {},
    "usage_update": {},
    "notice": {},
    "compaction_update": {"compaction_id": "string", "summary": "array?"},
    "compaction_summary_chunk": {"compaction_id": "string", "content": "object"},
    "subagent_update": {"session_id": "string"},
    "session_message": {"message_id": "string", "content": "array?"},
    "session_message_chunk": {"message_id": "string", "content": "object"},
}
TOOL_CALL_SHAPE = {
    "tool_call_id": "string",
    "content": "array?",
    "locations": "array?",
}


class SessionState:
    """The state of a session; use `SessionStateV1` or `SessionStateV2`.

    `apply` changes it in place. What an update replaces as a whole, such as `commands`,
    is the last update itself; everything that grows has a `revision`. Updates are not
    modified, but parts of them are kept: do not modify an update that was applied.
    """

    SHAPES: ClassVar[Shapes]
    """The fields that each update needs, since unknown updates may have any shape."""

    def __init__(self) -> None:
        self.revision = 0
        """Grows with each update that changes the state."""
        self.timeline: list[TimelineEntry] = []
        """Messages, tool calls and compactions, in the order of their appearance."""
        self.messages: list[MessageState] = []
        self.tool_calls: dict[str, ToolCallState] = {}
        self.compactions: dict[str, CompactionState] = {}
        self.session_messages: dict[str, SessionMessageState] = {}
        self.subagents: dict[str, SubagentState] = {}
        """Child sessions by the ids of their sessions."""
        self.plans: dict[str, Any] = {}
        """The last update of each plan that has an id."""
        self.commands: Any = None
        """The last `available_commands_update`; None before the first."""
        self.config: Any = None
        """The last `config_option_update`; a client's session begins with the agent's options."""
        self.usage: Any = None
        """The last `usage_update`."""
        self.info = InfoState()
        self.notices = Recent()
        self.others = Recent()
        """Updates that are not known, and malformed ones of features that are not."""
        self._message_ids: dict[tuple[str, str], MessageState] = {}

    def apply(self, update: Any) -> None:
        """Changes the state by a decoded update of the session, whatever it contains."""
        change = read(update)
        shape = self.SHAPES.get(change.tag)
        if shape is None or not fits(shape, change.fields):
            self._keep_recent(self.others, update)
            return
        fold: Callable[[Any, Change], None] = getattr(self, f"_{change.tag}")
        fold(update, change)

    def _patch_meta(self, entity: Entity, change: Any) -> None:
        raise NotImplementedError

    def _plan_update(self, update: Any, change: Change) -> None:
        plan_id = property_of(change.fields["plan"], "planId", "plan_id")
        if isinstance(plan_id, str):
            self.plans[plan_id] = update
            self._touch()
        else:
            self._keep_recent(self.others, update)

    def _plan_removed(self, update: Any, change: Change) -> None:
        if self.plans.pop(change.fields["plan_id"], None) is not None:
            self._touch()

    def _available_commands_update(self, update: Any, change: Change) -> None:
        self.commands = update
        self._touch()

    def _config_option_update(self, update: Any, change: Change) -> None:
        self.config = update
        self._touch()

    def _usage_update(self, update: Any, change: Change) -> None:
        self.usage = update
        self._touch()

    def _notice(self, update: Any, change: Change) -> None:
        self._keep_recent(self.notices, update)

    def _session_info_update(self, update: Any, change: Change) -> None:
        self._patch(self.info, change)

    def _compaction_update(self, update: Any, change: Change) -> None:
        self._patch(self._compaction(change.fields["compaction_id"]), change)

    def _compaction_summary_chunk(self, update: Any, change: Change) -> None:
        compaction = self._compaction(change.fields["compaction_id"])
        self._append(compaction, change.fields["content"])

    def _subagent_update(self, update: Any, change: Change) -> None:
        name = change.fields["session_id"]
        entity = self.subagents.setdefault(name, SubagentState(session_id=name))
        self._patch(entity, change)

    def _session_message(self, update: Any, change: Change) -> None:
        self._patch(self._message_between(change.fields["message_id"]), change)

    def _session_message_chunk(self, update: Any, change: Change) -> None:
        message = self._message_between(change.fields["message_id"])
        self._append(message, change.fields["content"])

    def _patch(self, entity: Entity, change: Change) -> None:
        """Applies a patch: absent keeps a field, null clears it, a value replaces it."""
        growing = entity if isinstance(entity, Growing) else None
        for name, value in change.fields.items():
            if growing is not None and name == growing.LIST_NAME:
                growing.replace(value)
            elif value is None:
                entity.clear(name)
            else:
                entity.set(name, value)
        entity.change_extra(change.extra)
        self._patch_meta(entity, change.meta)
        self._touch(entity)

    def _append(self, entity: Growing, block: Any) -> None:
        entity.append(block)
        self._touch(entity)

    def _add_message(self, kind: MessageKind, message_id: str | Unset) -> MessageState:
        message = MessageState(kind=kind)
        if not isinstance(message_id, Unset):
            message.message_id = message_id
            self._message_ids[kind, message_id] = message
        self.messages.append(message)
        self.timeline.append(message)
        return message

    def _find_message(self, kind: MessageKind, message_id: str) -> MessageState | None:
        return self._message_ids.get((kind, message_id))

    def _identify(self, message: MessageState, message_id: str | Unset) -> None:
        """Gives a message an id, or takes it away."""
        if not isinstance(message.message_id, Unset):
            self._message_ids.pop((message.kind, message.message_id), None)
        if isinstance(message_id, Unset):
            message.clear("message_id")
        else:
            message.message_id = message_id
            self._message_ids[message.kind, message_id] = message

    def _remove_message(self, message: MessageState) -> None:
        """Removes a message that is among the last entries of the timeline."""
        for entries in (self.messages, self.timeline):
            index = len(entries) - 1
            while entries[index] is not message:
                index -= 1
            del entries[index]
        self._touch()

    def _clear(self, message: MessageState) -> None:
        message.replace([])
        self._touch(message)

    def _tool_call_of(self, tool_call_id: str, **defaults: Any) -> ToolCallState:
        found = self.tool_calls.get(tool_call_id)
        if found is None:
            found = ToolCallState(
                tool_call_id=tool_call_id, content=[], locations=[], **defaults
            )
            self.tool_calls[tool_call_id] = found
            self.timeline.append(found)
        return found

    def _compaction(self, compaction_id: str) -> CompactionState:
        found = self.compactions.get(compaction_id)
        if found is None:
            found = CompactionState(compaction_id=compaction_id, status="in_progress")
            self.compactions[compaction_id] = found
            self.timeline.append(found)
        return found

    def _message_between(self, message_id: str) -> SessionMessageState:
        found = self.session_messages.get(message_id)
        if found is None:
            found = SessionMessageState(message_id=message_id)
            self.session_messages[message_id] = found
            self.timeline.append(found)
        return found

    def _touch(self, *entities: Entity | None) -> None:
        self.revision += 1
        for entity in entities:
            if entity is not None:
                entity.revision = self.revision

    def _keep_recent(self, recent: Recent, update: Any) -> None:
        recent.append(update)
        self._touch()


def with_property(update: Any, name: str, value: Any) -> Any:
    """Returns a copy of an update with another value of a property; UNSET removes it."""
    if isinstance(update, Unknown):
        raw = {key: one for key, one in update.raw.items() if key != name}
        other = copy.copy(update)
        other.raw = raw if value is UNSET else {**raw, name: value}
        return other
    changed = copy.copy(update)
    setattr(changed, name, value)
    return changed


def list_of(value: Any) -> list[Any]:
    """Returns a copy of a list; an empty one for null."""
    return list(value) if isinstance(value, LIST) else []
