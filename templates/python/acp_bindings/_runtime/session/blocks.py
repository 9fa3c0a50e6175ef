"""Content that grows by chunks."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from ..json_values import OBJECT
from ..message import UNSET, Message


class Blocks:
    """A list of content blocks, in which adjacent plain text is one block.

    Text is joined when the list is read, so that a long message takes linear time.
    """

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = list(items)
        self._pieces: list[str] = []

    def append(self, block: Any) -> None:
        text = _plain_text(block)
        if text is None:
            self.read().append(block)
        elif self._pieces:
            self._pieces.append(text)
        elif self._items and (last := _plain_text(self._items[-1])) is not None:
            self._pieces = [last, text]
        else:
            self._items.append(block)

    def read(self) -> list[Any]:
        """Returns the blocks. The list is changed by later chunks."""
        if self._pieces:
            self._items[-1] = _with_text(self._items[-1], "".join(self._pieces))
            self._pieces = []
        return self._items


def _plain_text(block: Any) -> str | None:
    """Returns the text of a block that has nothing besides, not even metadata."""
    if isinstance(block, OBJECT):
        return _plain_text_of_json(block)
    if not isinstance(block, Message) or getattr(block, "type", None) != "text":
        return None
    for name in _others_of(type(block)):
        value = getattr(block, name)
        may_be_null = name in ("annotations", "meta", "extra") and value is None
        if value is not UNSET and not may_be_null:
            return None
    text: str = getattr(block, "text")  # noqa: B009 - not every message has one
    return text


@functools.cache
def _others_of(kind: type[Message]) -> frozenset[str]:
    """Returns the attributes of a block besides its type and text."""
    return (kind.__required__ | kind.__defaults__.keys()) - {"type", "text"}


def _plain_text_of_json(block: dict[str, Any]) -> str | None:
    text = block.get("text")
    if block.get("type") != "text" or not isinstance(text, str):
        return None
    for name, value in block.items():
        may_be_null = name in ("annotations", "_meta") and value is None
        if name not in ("type", "text") and not may_be_null:
            return None
    return text


def _with_text(block: Any, text: str) -> Any:
    if isinstance(block, OBJECT):
        return {"type": "text", "text": text}
    return type(block)(text=text)
