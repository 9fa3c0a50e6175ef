"""Next edit suggestions: positions in texts, and the context of a suggestion.

The rules are those of the proposal `next-edit-suggestions` and of LSP 3.17.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import (
    Any,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from ._runtime.json_values import LIST, OBJECT

__all__ = [
    "Position",
    "PositionEncoding",
    "agreed_position_encoding",
    "choose_position_encoding",
    "convert_offset",
    "convert_position",
    "convert_range",
    "cut_context",
    "split_lines",
]

PositionEncoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]
"""What `character` counts: bytes, code units or code points."""


class Position(NamedTuple):
    """A line and an offset within it, both counted from 0."""

    line: int
    character: int


class _HasPosition(Protocol):
    """A position of a profile: `types.Position`."""

    line: int
    character: int


class _HasRange(Protocol):
    """A range of a profile: `types.Range`."""

    start: Any
    end: Any


PositionT = TypeVar("PositionT", bound=_HasPosition)
RangeT = TypeVar("RangeT", bound=_HasRange)


def split_lines(text: str) -> list[str]:
    r"""Splits a text at `\n`, `\r\n` and `\r`, and leaves them out.

    A text that ends with a line end has an empty last line.
    """
    return re.split(r"\r\n|\r|\n", text)


def convert_offset(
    line: str, offset: int, source: PositionEncoding, target: PositionEncoding
) -> int:
    """Converts an offset within a line from one encoding to another.

    An offset inside a character moves to its start, one past the end to the end of the
    line. Raises ValueError for a negative offset.
    """
    _require_index("an offset", offset)
    passed = 0
    converted = 0
    for character in line:
        passed += _units(character, source)
        if passed > offset:
            break
        converted += _units(character, target)
    return converted


@overload
def convert_position(
    text: str | Sequence[str],
    position: tuple[int, int],
    source: PositionEncoding,
    target: PositionEncoding,
) -> Position: ...


@overload
def convert_position(
    text: str | Sequence[str],
    position: PositionT,
    source: PositionEncoding,
    target: PositionEncoding,
) -> PositionT: ...


def convert_position(
    text: str | Sequence[str],
    position: Any,
    source: PositionEncoding,
    target: PositionEncoding,
) -> Any:
    """Converts a position in a text, or in its lines, from one encoding to another.

    The result is of the class of the position, which may be that of a profile. An offset
    past the end of its line moves to the end of the line, a line past the last one to the
    end of the text. Raises ValueError for negative numbers.
    """
    if isinstance(position, tuple):
        line, character = cast("tuple[int, int]", position)
        return _convert(text, line, character, source, target)
    changed = copy.copy(position)
    found = _convert(text, position.line, position.character, source, target)
    changed.line, changed.character = found
    return changed


def convert_range(
    text: str | Sequence[str],
    range: RangeT,
    source: PositionEncoding,
    target: PositionEncoding,
) -> RangeT:
    """Converts both positions of a range; see `convert_position`."""
    changed = copy.copy(range)
    changed.start = convert_position(text, range.start, source, target)
    changed.end = convert_position(text, range.end, source, target)
    return changed


def _convert(
    text: str | Sequence[str],
    line: int,
    character: int,
    source: PositionEncoding,
    target: PositionEncoding,
) -> Position:
    _require_index("a line", line)
    _require_index("an offset", character)
    lines = split_lines(text) if isinstance(text, str) else text
    if line >= len(lines):
        last = max(len(lines) - 1, 0)
        ending = lines[last] if lines else ""
        return Position(last, sum(_units(one, target) for one in ending))
    return Position(line, convert_offset(lines[line], character, source, target))


def choose_position_encoding(
    offered: Sequence[str] | None, supported: Sequence[PositionEncoding]
) -> PositionEncoding:
    """Returns the agent's choice: the first offer that it supports, or `utf-16`.

    Every client and agent supports `utf-16`. An agent declares the result as its
    capability `positionEncoding` if the client has made an offer.
    """
    known: Sequence[PositionEncoding] = [*supported, "utf-16"]
    for offer in offered or ():
        for encoding in known:
            if encoding == offer:
                return encoding
    return "utf-16"


def agreed_position_encoding(
    offered: Sequence[str] | None, declared: PositionEncoding | None
) -> PositionEncoding:
    """Returns the encoding of a connection: the one that the agent has declared.

    Without an offer or a declaration it is `utf-16`. Raises ValueError if the agent has
    declared what the client has not offered: both would count differently.
    """
    if not offered or not declared or declared == "utf-16":
        return "utf-16"
    if declared in offered:
        return declared
    raise ValueError(
        f"the agent counts positions in {declared}, the client offered "
        f"{', '.join(offered)}"
    )


def cut_context(
    context: Mapping[str, Any], wishes: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Reduces the context of `nes/suggest`, as JSON, to what the agent has advertised.

    Keeps the advertised parts, each with at most its last `maxCount` entries, and
    `_meta`. `wishes` is `nes.context` of the agent's capabilities, as JSON.
    """
    kept: dict[str, Any] = {}
    for name, value in context.items():
        wish = (wishes or {}).get(name)
        if name == "_meta":
            kept[name] = value
        elif wish is not None:
            kept[name] = _last(value, wish)
    return kept


def _last(entries: Any, wish: Any) -> Any:
    count: Any = wish.get("maxCount") if isinstance(wish, OBJECT) else None
    if not isinstance(entries, LIST) or not isinstance(count, int):
        return entries
    if isinstance(count, bool) or count < 0:
        return entries
    return entries[max(len(entries) - count, 0) :]


def _units(character: str, encoding: PositionEncoding) -> int:
    """Returns the length of a code point; a lone surrogate counts as U+FFFD."""
    code = ord(character)
    if encoding == "utf-32":
        return 1
    if encoding == "utf-16":
        return 1 if code < 0x10000 else 2
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _require_index(name: str, value: int) -> None:
    if value < 0:
        raise ValueError(f"{name} is an integer from 0 up, not {value}")
