"""The parts of the state of a session."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..json_values import LIST, OBJECT
from ..message import UNSET, Unset
from .blocks import Blocks

MessageKind: TypeAlias = Literal["user_message", "agent_message", "agent_thought"]


class Entity:
    """A part that updates change in place. What was not reported is `UNSET`."""

    meta: dict[str, Any] | Unset = UNSET

    def __init__(self, **fields: Any) -> None:
        self.revision = 0
        """The session's `revision` when this last changed."""
        self.extra: dict[str, Any] = {}
        """The properties that the schema does not name, by their names in JSON."""
        self.__dict__.update(fields)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({shown})"

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Properties of features that not every profile has."""

    def set(self, name: str, value: Any) -> None:
        """Sets a property, also one that only some profiles have."""
        if isinstance(getattr(type(self), name, None), property):
            self.extra[name] = value
        else:
            self.__dict__[name] = value

    def clear(self, name: str) -> None:
        """Removes a property."""
        self.__dict__.pop(name, None)

    def change_extra(self, extra: Any, keeps_null: bool = False) -> None:
        for name, value in extra.items():
            if name == "revision":
                continue
            if value is not None:
                self.extra[name] = value
            elif not keeps_null:
                self.extra.pop(name, None)

    def replace_meta(self, change: Any) -> None:
        """Changes metadata as version 1 does: an object replaces it."""
        if change is None:
            self.clear("meta")
        elif isinstance(change, OBJECT):
            self.meta = change

    def merge_meta(self, change: Any) -> None:
        """Changes metadata as version 2 does: key by key, where `None` removes a key."""
        if change is None:
            self.clear("meta")
        elif isinstance(change, OBJECT):
            before = {} if isinstance(self.meta, Unset) else self.meta
            merged = {**before, **change}
            self.meta = {
                key: value
                for key, value in merged.items()
                if key not in change or value is not None
            }


class Growing(Entity):
    """A part with content to which chunks are appended."""

    LIST_NAME = "content"

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self._blocks = Blocks()

    @property
    def content(self) -> list[Any]:
        """The content blocks; adjacent chunks of plain text are one block."""
        return self._blocks.read()

    def append(self, block: Any) -> None:
        self._blocks.append(block)

    def replace(self, blocks: Any) -> None:
        self._blocks = Blocks(blocks if isinstance(blocks, LIST) else ())

    @property
    def text(self) -> str:
        """The text of the content, without what is not text."""
        texts = [getattr(block, "text", None) for block in self.content]
        return "".join(text for text in texts if isinstance(text, str))


class MessageState(Growing):
    """A message. Thoughts are messages with a kind of their own."""

    kind: MessageKind
    message_id: str | Unset = UNSET
    """Unique among the messages of the same kind; UNSET when the agent sent none."""


class SessionMessageState(Growing):
    """A message from or to another session."""

    message_id: str
    sender_session_id: str | Unset = UNSET
    recipient_session_id: str | Unset = UNSET
    sender_message_id: str | Unset = UNSET
    recipient_message_id: str | Unset = UNSET


class CompactionState(Growing):
    """A compaction of the context."""

    LIST_NAME = "summary"
    compaction_id: str
    status: str = "in_progress"
    error: str | Unset = UNSET

    @property
    def summary(self) -> list[Any]:
        """The summary, in content blocks."""
        return self.content


class ToolCallState(Entity):
    """A tool call with everything that was reported of it."""

    tool_call_id: str
    title: str | Unset = UNSET
    name: str | Unset = UNSET
    kind: str | Unset = UNSET
    """`other` in version 2, until it is reported."""
    status: str | Unset = UNSET
    """`pending` in version 2, until it is reported."""
    content: list[Any]
    locations: list[Any]
    raw_input: Any = UNSET
    raw_output: Any = UNSET


class SubagentState(Entity):
    """A child session, as its parent reports it."""

    session_id: str
    title: str | Unset = UNSET
    description: str | Unset = UNSET
    capabilities: Any = UNSET
    state: Any = UNSET
    cwd: str | Unset = UNSET
    additional_directories: list[str] | Unset = UNSET


class InfoState(Entity):
    """The title of the session, and the time of its last activity."""

    title: str | Unset = UNSET
    updated_at: str | Unset = UNSET


class TerminalOutputState:
    """The output of a terminal."""

    def __init__(self, chunks: list[str], meta: Any, extra: dict[str, Any]) -> None:
        self.chunks = chunks
        """Encoded in base64 one by one: decode them first, then join the bytes."""
        self.meta = meta
        """The metadata of the last snapshot."""
        self.extra = extra


class TerminalState(Entity):
    """A terminal of the agent, in version 2."""

    terminal_id: str
    command: str | Unset = UNSET
    cwd: str | Unset = UNSET
    output: TerminalOutputState | Unset = UNSET
    exit_status: Any = UNSET
    size: Any = UNSET
    capabilities: Any = UNSET


class Recent:
    """The last of many items, of which there may be any number."""

    def __init__(self) -> None:
        self.items: deque[Any] = deque(maxlen=1000)
        """At most the last 1,000, oldest first."""
        self.count = 0
        """How many there were."""

    def append(self, item: Any) -> None:
        self.items.append(item)
        self.count += 1
