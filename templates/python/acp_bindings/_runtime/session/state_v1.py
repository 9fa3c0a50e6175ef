"""The state of a session in version 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..json_values import OBJECT
from ..message import UNSET, Unset
from .changes import at, read
from .echoes import Chunk, Echoes
from .entities import MessageState
from .state import SessionState

if TYPE_CHECKING:
    from .state_table import StateChange

_USER, _AGENT = "userMessage", "agentMessage"


class SessionStateV1(SessionState):
    """The state of a session in version 1.

    A chunk with an id belongs to the message of its kind with that id. A chunk without
    an id continues the last entry of the timeline if that is an open message of the same
    kind; otherwise it starts a message.
    """

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
        message: MessageState = self._create(_USER, None)
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
                self._remove_item(message)
                self._echoes.end(message)
                return True
        return False

    def _fold(self, change: StateChange, update: Any) -> None:
        target, action = change["target"], change["action"]
        is_message = "kind" in self._target(target)
        if is_message and action == "remove":
            self._clear(at(update, ["messageId"]), read(update).meta)
        elif is_message and target == _USER:
            self._add_user_chunk(_chunk_of(update))
        else:
            if is_message or target == "toolCall":
                self._echoes.agent_spoke()
            if is_message:
                self._touch(self._add_chunk(target, _chunk_of(update)))
            else:
                super()._fold(change, update)

    def _clear(self, message_id: Any, meta: Any) -> None:
        is_named = isinstance(message_id, str)
        message = self._find(_AGENT, message_id) if is_named else self._current
        if message is not None:
            message.change_meta(meta, False)
            message.replace([])
            self._touch(message)

    def _add_user_chunk(self, chunk: Chunk) -> None:
        name = chunk.message_id
        is_known = name is not None and self._find(_USER, name)
        found = self._echoes.recognize(chunk, bool(is_known))
        restored = self._forget_echo(found.mistaken)
        changed: MessageState | None = None
        if found.echoed is not None:
            changed = self._describe(found.echoed, found.chunks)
        else:
            for one in found.chunks:
                changed = self._add_chunk(_USER, one)
        if changed is not None or restored is not None:
            self._touch(changed, restored)
        # A message of the user closes those of the agent.
        self._current = None
        if self._newest is not None and self._newest.kind != "user_message":
            self._newest = None

    def _identify(self, message: MessageState, message_id: str | Unset) -> None:
        """Gives a message of the user an id, or takes it away."""
        if not isinstance(message.message_id, Unset):
            self._items(_USER).pop(message.message_id, None)
        if isinstance(message_id, Unset):
            message.clear("message_id")
        else:
            message.message_id = message_id
            self._items(_USER)[message_id] = message

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
            message.change_meta(metas[-1], False)
        return message

    def _forget_echo(self, message: MessageState | None) -> MessageState | None:
        """Takes the id and the metadata of an echo away. Returns the message if it changes."""
        if message is None or message.message_id is UNSET and message.meta is UNSET:
            return None
        self._identify(message, UNSET)
        message.clear("meta")
        return message

    def _add_chunk(self, target: str, chunk: Chunk) -> MessageState:
        """Adds a chunk to its message, which it returns."""
        name = chunk.message_id
        found = self._continued(target) if name is None else self._find(target, name)
        message: MessageState = found or self._create(target, name)
        if found is None:
            self._newest = message
            if target == _AGENT:
                self._current = message
        message.change_meta(chunk.meta, False)
        message.append(chunk.content)
        return message

    def _continued(self, target: str) -> MessageState | None:
        newest = self._newest
        is_last = bool(self.timeline) and self.timeline[-1] is newest
        kind = self._target(target).get("kind")
        return newest if is_last and newest and newest.kind == kind else None


def _chunk_of(update: Any) -> Chunk:
    name = at(update, ["messageId"])
    known = name if isinstance(name, str) else None
    return Chunk(known, at(update, ["content"]), read(update).meta)
