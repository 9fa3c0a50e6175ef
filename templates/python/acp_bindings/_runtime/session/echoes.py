"""Recognizes the prompts of this side that the agent reports as messages of the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..json_values import LIST, OBJECT
from ..message import UNSET, Message, Unknown
from .entities import MessageState

_MAX_PROMPTS = 100
"""How many prompts may be echoed; the oldest are dropped first."""


class Chunk(NamedTuple):
    """A chunk of a message."""

    message_id: str | None
    content: Any
    meta: Any


class Recognized(NamedTuple):
    """The meaning of a chunk."""

    chunks: Sequence[Chunk]
    """The chunk, after the chunks before it that have to move to the same message."""
    echoed: MessageState | None = None
    """The message of the prompt that is echoed; None for another message."""
    mistaken: MessageState | None = None
    """The message of the prompt that those chunks were taken for."""


class Echoes:
    """The prompts of a session that may be echoed.

    Chunks with the same id, or without one, are compared with the content of a prompt:
    text as a prefix, however it is divided into blocks and chunks, other blocks by
    equality. A prompt can be echoed until it has ended; the oldest one only until the agent
    has said something, which is the answer to it.
    """

    def __init__(self) -> None:
        self._prompts: list[_Prompt] = []
        """The prompts that have not ended, the oldest first."""

    def expect(self, message: MessageState) -> None:
        """Expects the echo of a prompt."""
        self._prompts.append(_Prompt(message))
        if len(self._prompts) > _MAX_PROMPTS:
            del self._prompts[0]

    def end(self, message: MessageState | None) -> None:
        """Ends a prompt; the oldest one without a message."""
        for index, prompt in enumerate(self._prompts):
            if message is None or prompt.message is message:
                del self._prompts[index]
                return

    def is_unreported(self, message: object) -> bool:
        """Returns whether a message is that of a prompt of which the agent has said nothing."""
        return any(
            prompt.message is message and not prompt.is_echoed
            for prompt in self._prompts
        )

    def agent_spoke(self) -> None:
        """Called when the agent has said something."""
        if self._prompts:
            self._prompts[0].is_closed = True

    def recognize(self, chunk: Chunk, is_known: bool) -> Recognized:
        """`is_known`: whether another message has the id of the chunk."""
        begun = next((one for one in self._prompts if one.has_begun_with(chunk)), None)
        if begun is None and is_known:
            return Recognized([chunk])
        if begun is not None and begun.take([chunk]):
            return Recognized([chunk], begun.message)
        mistaken = None if begun is None else begun.message
        chunks = [chunk] if begun is None else [*begun.restart(), chunk]
        for prompt in self._prompts:
            if prompt is not begun and prompt.can_begin and prompt.take(chunks):
                return Recognized(chunks, prompt.message, mistaken)
        return Recognized(chunks, None, mistaken)


class _Position(NamedTuple):
    """A position in the content of a prompt."""

    part: int
    offset: int
    """In the text of the part."""


_START = _Position(0, 0)


class _Prompt:
    """A prompt whose echo is expected."""

    def __init__(self, message: MessageState) -> None:
        self.message = message
        self.is_closed = False
        """Whether no further chunk can be part of the echo."""
        self._parts: list[Any] | None = None
        """The text between other blocks, and those blocks; computed on first use."""
        self._chunks: list[Chunk] = []
        self._position = _START

    @property
    def is_echoed(self) -> bool:
        return len(self._chunks) > 0

    @property
    def can_begin(self) -> bool:
        return not self.is_echoed and not self.is_closed

    def has_begun_with(self, chunk: Chunk) -> bool:
        if self.is_closed or not self._chunks:
            return False
        return self._chunks[0].message_id == chunk.message_id

    def take(self, chunks: Sequence[Chunk]) -> bool:
        """Continues the echo with chunks if all of them fit."""
        if self._parts is None:
            self._parts = _parts_of(self.message.content)
        position = self._position
        for chunk in chunks:
            following = _follow(self._parts, position, chunk.content)
            if following is None:
                return False
            position = following
        self._chunks += chunks
        self._position = position
        if position.part == len(self._parts):
            self.is_closed = True
        return True

    def restart(self) -> list[Chunk]:
        """Expects the echo from its start again, and returns the chunks that were none."""
        chunks, self._chunks = self._chunks, []
        self._position = _START
        return chunks


def _parts_of(content: Sequence[Any]) -> list[Any]:
    parts: list[Any] = []
    for block in content:
        text = _text_of(block)
        if text is None:
            parts.append(block)
        elif parts and isinstance(parts[-1], str):
            parts[-1] += text
        elif text:
            parts.append(text)
    return parts


def _follow(parts: Sequence[Any], position: _Position, block: Any) -> _Position | None:
    """Returns the position behind a block; None when another one is expected."""
    part, offset = position
    expected = parts[part] if part < len(parts) else None
    text = _text_of(block)
    if text is None:
        is_next = offset == 0 and part < len(parts) and _is_same(expected, block)
        return _Position(part + 1, 0) if is_next else None
    if text == "":
        return position
    if not isinstance(expected, str) or not expected.startswith(text, offset):
        return None
    end = offset + len(text)
    return _Position(part + 1, 0) if end == len(expected) else _Position(part, end)


def _text_of(block: Any) -> str | None:
    """Returns the text of a block of text, with or without annotations and metadata."""
    if isinstance(block, Message):
        # Within a list of blocks, a `TextContent` needs no tag.
        kind, text = getattr(block, "type", "text"), getattr(block, "text", None)
    else:
        members = block.raw if isinstance(block, Unknown) else block
        kind, text = members.get("type"), members.get("text")
    return text if kind == "text" and isinstance(text, str) else None


def _is_same(one: Any, other: Any) -> bool:
    """Compares values as JSON, decoded or not; null and absent properties are equal."""
    if isinstance(one, LIST) and isinstance(other, LIST):
        return len(one) == len(other) and all(map(_is_same, one, other))
    left, right = _members_of(one), _members_of(other)
    if left is None or right is None:
        return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)
    tags = left.keys() ^ right.keys()
    if tags:
        # The body of a variant may stand without its tag in what this side has made.
        is_body = isinstance(one, Message) and isinstance(other, type(one))
        if not is_body or tags != {"type"}:
            return False
    return all(_is_same(left[name], right[name]) for name in left.keys() - tags)


def _members_of(value: Any) -> dict[str, Any] | None:
    """Returns the properties of an object that are present; None for other values."""
    if isinstance(value, Message):
        kind = type(value)
        names = kind.__required__ | kind.__defaults__.keys()
        members = {_property(name): getattr(value, name) for name in names - {"extra"}}
        members.update(value.extra or {})
    elif isinstance(value, Unknown):
        members = value.raw
    elif isinstance(value, OBJECT):
        members = value
    else:
        return None
    return {
        name: part
        for name, part in members.items()
        if part is not UNSET and part is not None
    }


def _property(attribute: str) -> str:
    first, *others = attribute.split("_")
    name = first + "".join(word.capitalize() for word in others)
    return "_meta" if name == "meta" else name
