"""The state of a session in version 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..json_values import OBJECT
from ..message import UNSET
from .changes import Change
from .echoes import Chunk, Echoes
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
        self._echoes = Echoes()
        # What `agent_message_clear` without an id clears.
        self._current: MessageState | None = None
        # What the next chunk without an id may continue.
        self._newest: MessageState | None = None

    def end_turn(self, message: MessageState | None = None) -> None:
        """Ends a prompt: later chunks without an id start a message.

        The end is the response to `session/prompt`, which is not an update. `message` is
        what `add_user_message` returned for the prompt; by default, that of the oldest
        prompt that has not ended.
        """
        self._echoes.end(message)
        self._current = None
        self._newest = None

    def add_user_message(self, content: Sequence[Any]) -> MessageState:
        """Adds a message of the user, as sent in `session/prompt`, and returns it.

        The agent may report the prompt as `user_message_chunk`s as well. Until the prompt
        has ended and the agent has said something, chunks whose content is that of the
        prompt, from its beginning, add nothing: the message has their id and metadata.
        When a later chunk differs, all of them become a message of their own.
        """
        message = self._add_message("user_message", UNSET)
        message.replace(list(content))
        self._current = None
        self._echoes.expect(message)
        self._touch(message)
        return message

    def remove_user_message(self, message: MessageState) -> bool:
        """Removes the message of a prompt that was refused. Returns whether it did.

        The message stays if the agent has reported it, or anything behind it; then the
        prompt still has to be ended.
        """
        for entry in reversed(self.timeline):
            if not self._echoes.is_unreported(entry):
                break
            if entry is message:
                self._remove_message(message)
                self._echoes.end(message)
                return True
        return False

    def set_available_modes(self, modes: list[Any]) -> None:
        """Replaces the modes that the session offers."""
        self.available_modes = modes
        self._touch()

    def _patch_meta(self, entity: Entity, change: Any) -> None:
        entity.replace_meta(change)

    def _user_message_chunk(self, update: Any, change: Change) -> None:
        self._add_user_chunk(change)
        self._current = None
        if self._newest is not None and self._newest.kind != "user_message":
            self._newest = None

    def _agent_message_chunk(self, update: Any, change: Change) -> None:
        self._echoes.agent_spoke()
        self._touch(self._add_chunk("agent_message", _chunk_of(change)))

    def _agent_thought_chunk(self, update: Any, change: Change) -> None:
        self._echoes.agent_spoke()
        self._touch(self._add_chunk("agent_thought", _chunk_of(change)))

    def _agent_message_clear(self, update: Any, change: Change) -> None:
        message_id = change.fields.get("message_id")
        if isinstance(message_id, str):
            message = self._find_message("agent_message", message_id)
        else:
            message = self._current
        if message is not None:
            _keep_meta(message, change.meta)
            self._clear(message)

    def _tool_call(self, update: Any, change: Change) -> None:
        self._echoes.agent_spoke()
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
        self._echoes.agent_spoke()
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

    def _add_user_chunk(self, change: Change) -> None:
        chunk = _chunk_of(change)
        name = chunk.message_id
        is_known = name is not None and self._find_message("user_message", name)
        found = self._echoes.recognize(chunk, bool(is_known))
        restored = self._forget_echo(found.mistaken)
        changed: MessageState | None = None
        if found.echoed is not None:
            changed = self._describe(found.echoed, found.chunks)
        else:
            for one in found.chunks:
                changed = self._add_chunk("user_message", one)
        if changed is not None or restored is not None:
            self._touch(changed, restored)

    def _describe(
        self, message: MessageState, chunks: Sequence[Chunk]
    ) -> MessageState | None:
        """Gives a message the id and the last metadata of the chunks that echo it.

        Returns the message if that changes it.
        """
        name = chunks[0].message_id
        metas = [chunk.meta for chunk in chunks if isinstance(chunk.meta, OBJECT)]
        if (name is None or name == message.message_id) and not metas:
            return None
        if name is not None:
            self._identify(message, name)
        if metas:
            message.replace_meta(metas[-1])
        return message

    def _forget_echo(self, message: MessageState | None) -> MessageState | None:
        """Takes the id and the metadata of an echo away. Returns the message if it changes."""
        if message is None or message.message_id is UNSET and message.meta is UNSET:
            return None
        self._identify(message, UNSET)
        message.replace_meta(None)
        return message

    def _add_chunk(self, kind: MessageKind, chunk: Chunk) -> MessageState:
        """Adds a chunk to its message, which it returns."""
        name = chunk.message_id
        if name is not None:
            message = self._find_message(kind, name)
        else:
            message = self._continued(kind)
        if message is None:
            message = self._add_message(kind, UNSET if name is None else name)
            self._newest = message
            if kind == "agent_message":
                self._current = message
        _keep_meta(message, chunk.meta)
        message.append(chunk.content)
        return message

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


def _chunk_of(change: Change) -> Chunk:
    name = change.fields.get("message_id")
    known = name if isinstance(name, str) else None
    return Chunk(known, change.fields["content"], change.meta)


def _keep_meta(message: MessageState, meta: Any) -> None:
    message.replace_meta(UNSET if meta is None else meta)
