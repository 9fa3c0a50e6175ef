"""The table of encoders, by class.

An encoder has two parameters, the value and whether it is checked. It raises `KeyError` for
a value that must be encoded unchecked, to be diagnosed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .decoding import ChangedOthers, Others, Slow
from .json_values import LIST, OBJECT
from .message import Message, Unknown

Encoder = Callable[[Any, bool], Any]


class Encoders(dict[type, Encoder]):
    """The encoders of a profile's classes; those of other types are found when needed.

    `load_others`: adds those that are not there yet.
    """

    def __init__(
        self,
        encoders: dict[type, Encoder],
        load_others: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(encoders)
        self._load_others = load_others

    def __missing__(self, kind: type) -> Encoder:
        if self._load_others is not None and issubclass(kind, Message):
            load, self._load_others = self._load_others, None
            load()
            return self[kind]
        encoder = self._find(kind)
        self[kind] = encoder
        return encoder

    def _find(self, kind: type) -> Encoder:
        if issubclass(kind, Unknown):
            return _raw
        if issubclass(kind, list):
            return self._items
        if issubclass(kind, dict):
            return self._members
        for base in kind.__mro__[1:]:
            if base in self:
                return self[base]
        return _same

    def _items(self, value: Any, is_checked: bool) -> Any:
        made: list[Any] = []
        # A loop takes one level of the stack, a comprehension two.
        for item in value:
            made.append(self[type(item)](item, is_checked))
        return made

    def _members(self, value: Any, is_checked: bool) -> Any:
        made = Given()
        for name, part in value.items():
            made[name] = self[type(part)](part, is_checked)
        return made


def received_variants(value: Any) -> frozenset[int]:
    """Returns the identities of the objects in a value that may be sent as they came."""
    found: set[int] = set()
    rest: list[Any] = [value]
    while rest:
        part = rest.pop()
        if isinstance(part, Unknown):
            if part.is_received:
                found.add(id(part.raw))
        elif isinstance(part, Message):
            kind = type(part)
            names = kind.__required__ | kind.__defaults__.keys()
            rest += [getattr(part, name, None) for name in names]
        elif isinstance(part, LIST):
            rest += part
        elif isinstance(part, OBJECT):
            rest += part.values()
    return frozenset(found)


def freely(table: dict[type, Encoder], encoders: Encoders, value: object) -> Any:
    """Returns a value unchecked, with the tags that its place adds."""
    kind = type(value)
    return (table.get(kind) or encoders[kind])(value, False)


class Given(dict[str, Any]):
    """An object that a program gives as JSON, in place of an object of a class."""


def plain(value: Any) -> Any:
    """Returns a value with ordinary objects, as decoders expect them."""
    if isinstance(value, OBJECT):
        made: dict[str, Any] = {}
        for name, part in value.items():
            made[name] = plain(part)
        return made
    return list(map(plain, value)) if isinstance(value, LIST) else value


class Made(str):
    """The name of a property in `extra` that was not received."""

    expected: str | None
    """What is expected instead; None where it may be sent."""


def extend(
    sent: dict[str, Any],
    values: Mapping[str, Any],
    extra: dict[str, Any],
    declared: frozenset[str],
    is_open: bool,
) -> None:
    """Adds the properties in `extra` to an object, with their encoded values."""
    if type(extra) is not Others:
        came = extra.received if isinstance(extra, ChangedOthers) else frozenset[str]()
        for name in extra.keys() - came:
            made = Made(name)
            made.expected = None if is_open else "only declared properties"
            if name in declared:
                made.expected = "no name of a field in extra"
            sent.pop(name, None)
            sent[made] = None
    # The names that are there already stay the same objects.
    sent.update(values)


def tagged(tags: dict[str, str], encoder: Encoder) -> Encoder:
    """Returns the encoder of the body of a variant, which is sent with its tags."""

    def encode(value: Any, is_checked: bool) -> Any:
        return {**tags, **encoder(value, is_checked)}

    return encode


def untagged(tag: str, encoder: Encoder) -> Encoder:
    """Returns the encoder of a variant that is sent without the tag of its union."""

    def encode(value: Any, is_checked: bool) -> Any:
        sent = encoder(value, is_checked)
        if is_checked and tag in sent:
            raise Slow
        return sent

    return encode


def apart(encoder: Encoder, *others: frozenset[str]) -> Encoder:
    """Returns the encoder of a variant that excludes others, by their required properties."""

    def encode(value: Any, is_checked: bool) -> Any:
        sent = encoder(value, is_checked)
        if is_checked and any(names <= sent.keys() for names in others):
            raise Slow
        return sent

    return encode


def either(*encoders: Encoder) -> Encoder:
    """Returns the encoder of values that one of several accepts."""

    def encode(value: Any, is_checked: bool) -> Any:
        for encoder in encoders[:-1]:
            try:
                return encoder(value, is_checked)
            except KeyError:
                pass
        return encoders[-1](value, is_checked)

    return encode


def _raw(value: Any, _is_checked: bool) -> Any:
    return value.raw


def _same(value: Any, _is_checked: bool) -> Any:
    return value
