"""The parts of the state of a session."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..json_values import LIST, OBJECT
from ..message import UNSET, Message, Unknown, Unset
from .blocks import Blocks
from .changes import Change, at, attribute_of

if TYPE_CHECKING:
    from .state_table import StateTarget

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

    def change_meta(self, change: Any, merges: bool) -> None:
        """Replaces metadata by an object, or merges it key by key; `None` removes a key."""
        if isinstance(change, OBJECT):
            before = self.meta if merges and not isinstance(self.meta, Unset) else {}
            self.meta = merged(before, change) if merges else change

    def patch(self, change: Change, target: StateTarget, merges: bool) -> None:
        """Applies a patch: absent keeps a property, null resets it, a value replaces it."""
        keeps = target.get("keepsNull")
        lists = attribute_of(target.get("list", ""))
        for name, value in change.fields.items():
            if value is None and keeps == "all" or name == "kind" and "kind" in target:
                continue
            if name == lists and isinstance(self, Growing):
                self.replace(value)
            elif value is None:
                self.clear(name)
                self.set_defaults(target, name)
            elif name == target.get("bytes"):
                self.set(name, output_of(value))
            else:
                self.set(name, list(value) if name == lists else value)
        self.change_extra(change.extra, keeps == "all")
        if change.meta is None and keeps is None:
            self.clear("meta")
        self.change_meta(change.meta, merges)

    def set_defaults(self, target: StateTarget, only: str | None = None) -> None:
        """Sets properties that do not depend on what was reported, or only one of them."""
        lists = {one: list[Any]() for one in target.get("lists", ())}
        for field, value in {**target.get("defaults", {}), **lists}.items():
            name = attribute_of(field)
            if field != getattr(self, "LIST_NAME", None) and only in (None, name):
                self.set(name, value)

    def append_to(self, target: StateTarget, value: Any) -> None:
        """Appends what a chunk has."""
        if "bytes" in target:
            output = getattr(self, target["bytes"])
            if not isinstance(output, TerminalOutputState):
                output = TerminalOutputState([], UNSET, {})
                self.set(target["bytes"], output)
            output.chunks.append(value)
        elif isinstance(self, Growing):
            self.append(value)
        else:
            getattr(self, attribute_of(target.get("list", ""))).append(value)


def merged(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Returns metadata changed by top-level key, where `None` removes one."""
    return {k: v for k, v in {**before, **change}.items() if v is not None}


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


class CursorState(Entity):
    """A position in the history of a session."""

    cursor_id: str
    capabilities: Any = UNSET
    anchor: Any = UNSET


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


def output_of(output: Any) -> TerminalOutputState:
    """Returns the output of a terminal as of its last snapshot."""
    data = at(output, ["data"])
    if isinstance(output, Message):
        meta = getattr(output, "meta", UNSET)
        return TerminalOutputState([data], meta, output.extra or {})
    raw = output.raw if isinstance(output, Unknown) else output
    extra = {key: one for key, one in raw.items() if key not in ("data", "_meta")}
    return TerminalOutputState([data], at(raw, ["_meta"]), extra)


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
