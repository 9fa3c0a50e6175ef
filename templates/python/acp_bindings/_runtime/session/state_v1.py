"""The state of a session in version 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..message import UNSET
from .changes import Change
from .entities import Entity, MessageKind, MessageState, ToolCallState
from .state import COMMON_SHAPES, TOOL_CALL_SHAPE, SessionState, Shapes, list_of

_CHUNK = {"message_id": "string?", "content": "object"}


class SessionStateV1(SessionState):
    """The state of a session in version 1.

    A chunk with an id belongs to the message of its kind with that id. A chunk without
    an id continues the last entry of the timeline if that is an open message of the same
    kind; otherwise it starts a message.
    """

    SHAPES: ClassVar[Shapes] = {
        **COMMON_SHAPES,
        "user_message_chunk": _CHUNK,
        "agent_message_chunk": _CHUNK,
        "agent_thought_chunk": _CHUNK,
        "agent_message_clear": {"message_id": "string?"},
        "tool_call": TOOL_CALL_SHAPE,
        "tool_call_update": TOOL_CALL_SHAPE,
        "plan": {},
        "current_mode_update": {},
    }

    def __init__(self) -> None:
        super().__init__()
        self.plan: Any = None
        """The last plan without an id."""
        self.mode: Any = None
        """The last `current_mode_update`; a client's session begins with that of the agent."""
        self.available_modes: list[Any] = []
        """The modes that the agent listed when a client opened the session."""
        # What `agent_message_clear` without an id clears.
        self._current: MessageState | None = None
        # What the next chunk without an id may continue.
        self._newest: MessageState | None = None

    def end_turn(self) -> None:
        """Ends a prompt: later chunks without an id start a message.

        The end is the response to `session/prompt`, which is not an update.
        """
        self._current = None
        self._newest = None

    def add_user_message(self, content: Sequence[Any]) -> None:
        """Adds a message of the user, as sent in `session/prompt`.

        Leave it out for agents that report prompts as `user_message_chunk`.
        """
        message = self._add_message("user_message", UNSET)
        message.replace(list(content))
        self.end_turn()
        self._touch(message)

    def _patch_meta(self, entity: Entity, change: Any) -> None:
        entity.replace_meta(change)

    def _user_message_chunk(self, update: Any, change: Change) -> None:
        self._add_chunk("user_message", change)
        self._current = None
        if self._newest is not None and self._newest.kind != "user_message":
            self._newest = None

    def _agent_message_chunk(self, update: Any, change: Change) -> None:
        self._add_chunk("agent_message", change)

    def _agent_thought_chunk(self, update: Any, change: Change) -> None:
        self._add_chunk("agent_thought", change)

    def _agent_message_clear(self, update: Any, change: Change) -> None:
        message_id = change.fields.get("message_id")
        if isinstance(message_id, str):
            message = self._find_message("agent_message", message_id)
        else:
            message = self._current
        if message is not None:
            _keep_meta(message, change)
            self._clear(message)

    def _tool_call(self, update: Any, change: Change) -> None:
        tool_call_id = change.fields["tool_call_id"]
        call = self._tool_call_of(tool_call_id)
        revision = call.revision
        call.__dict__.clear()
        ToolCallState.__init__(
            call, tool_call_id=tool_call_id, content=[], locations=[]
        )
        call.revision = revision
        self._patch_tool_call(call, change)

    def _tool_call_update(self, update: Any, change: Change) -> None:
        self._patch_tool_call(self._tool_call_of(change.fields["tool_call_id"]), change)

    def _plan(self, update: Any, change: Change) -> None:
        self.plan = update
        self._touch()

    def _current_mode_update(self, update: Any, change: Change) -> None:
        self.mode = update
        self._touch()

    def _session_info_update(self, update: Any, change: Change) -> None:
        # Unlike in the patches of this version, `null` means that none was sent.
        meta = UNSET if change.meta is None else change.meta
        self._patch(self.info, change._replace(meta=meta))

    def _add_chunk(self, kind: MessageKind, change: Change) -> None:
        message_id = change.fields.get("message_id")
        if isinstance(message_id, str):
            message = self._find_message(kind, message_id)
        else:
            message = self._continued(kind)
        if message is None:
            known = message_id if isinstance(message_id, str) else UNSET
            message = self._add_message(kind, known)
            self._newest = message
            if kind == "agent_message":
                self._current = message
        _keep_meta(message, change)
        self._append(message, change.fields["content"])

    def _continued(self, kind: MessageKind) -> MessageState | None:
        newest = self._newest
        is_last = bool(self.timeline) and self.timeline[-1] is newest
        return newest if is_last and newest and newest.kind == kind else None

    def _patch_tool_call(self, call: ToolCallState, change: Change) -> None:
        for name, value in change.fields.items():
            if value is not None:
                call.set(name, list_of(value) if name == "content" else value)
        call.change_extra(change.extra, keeps_null=True)
        call.replace_meta(UNSET if change.meta is None else change.meta)
        self._touch(call)


def _keep_meta(message: MessageState, change: Change) -> None:
    message.replace_meta(UNSET if change.meta is None else change.meta)
