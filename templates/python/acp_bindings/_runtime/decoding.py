"""The functions that generated decoders call.

A decoder has two parameters, the value and the mode. Mode 0 accepts only what is valid
and needs no report, and inserts defaults; mode 1 accepts what a diagnosis has accepted;
mode 2 is as 0 without defaults. A decoder raises one of `REFUSALS` for any other value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from .json_values import OBJECT
from .message import Unknown

Decoder = Callable[[Any, int], Any]

new: Callable[[Any], Any] = object.__new__


class Slow(KeyError):
    """The value needs a diagnosis."""


REFUSALS: Final = (KeyError, TypeError)
"""What a decoder raises: a property is absent, or its holder is not an object."""


def fresh(value: Any) -> Any:
    """Returns a default that was made for this call."""
    return value


def text(value: Any) -> Any:
    """Returns a string."""
    if type(value) is not str:
        raise Slow
    return value


def integer(value: Any, mode: int) -> Any:
    """Returns an integer that is not a safe one, which only a diagnosis accepts."""
    if mode == 1:
        if type(value) is int:
            return value
        if type(value) is float and value.is_integer():
            return int(value)
    raise Slow


class ReceivedText(str):
    """A text that an enumeration does not list, as received: it may be sent again."""

    __slots__ = ()


def unlisted(value: Any, mode: int, is_open: bool) -> Any:
    """Returns a value that an enumeration does not list."""
    if isinstance(value, str):
        if is_open and value.startswith("_"):
            return value
        if mode == 1:
            return ReceivedText(value)
    raise Slow


def kept(tag: str, value: dict[str, Any]) -> Unknown:
    """Returns a received variant that a union does not list."""
    variant = Unknown(tag, value)
    variant.is_received = True
    return variant


class Others(dict[str, Any]):
    """Received properties that are not declared, which may be sent again."""

    def __setitem__(self, name: str, value: Any) -> None:
        self._change()
        self[name] = value

    def setdefault(self, name: str, value: Any = None) -> Any:
        return self._change().setdefault(name, value)

    def update(self, *given: Any, **named: Any) -> None:
        self._change().update(*given, **named)

    def __ior__(self, given: Any) -> ChangedOthers:  # type: ignore[override,misc]
        changed = self._change()
        changed |= given
        return changed

    def __reduce__(self) -> Any:
        return type(self), (dict(self),)

    def _change(self) -> ChangedOthers:
        received, changed = frozenset(self), cast(Any, self)
        changed.__class__ = ChangedOthers
        changed.received = received
        return cast(ChangedOthers, changed)


class ChangedOthers(dict[str, Any]):
    """Properties that are not declared: received ones, and those that a program has added."""

    received: frozenset[str]


def others(value: dict[str, Any], known: frozenset[str]) -> Others:
    """Returns the properties that are not declared."""
    return Others({name: part for name, part in value.items() if name not in known})


class _Run(int):
    """A mode within a union, with the values that variants have decoded already.

    Each variant decodes a value once in each mode, since the number of variants would
    otherwise multiply with each level of a recursive union.
    """

    decoded: dict[tuple[Decoder, int, int], Any]

    def in_mode(self, mode: int) -> _Run:
        """Returns the same run in another mode."""
        run = _Run(mode)
        run.decoded = self.decoded
        return run


def _run(mode: int) -> _Run:
    if type(mode) is _Run:
        return mode
    run = _Run(mode)
    run.decoded = {}
    return run


_REFUSED: Final = object()


def _choose(decoders: Sequence[Decoder], value: Any, run: _Run) -> Any:
    """Returns the value as the first variant that accepts it, or `_REFUSED`."""
    decoded = run.decoded
    for decode in decoders:
        key = decode, id(value), int(run)
        found = decoded.get(key)
        if found is None:
            try:
                found = decode(value, run)
            except REFUSALS:
                found = _REFUSED
            decoded[key] = found
        if found is not _REFUSED:
            return found
    return _REFUSED


def first(decoders: Sequence[Decoder], value: Any, mode: int) -> Any:
    """Returns the value as the first alternative that accepts it.

    After a diagnosis, an alternative that accepts the value without its repairs comes
    before all others.
    """
    run = _run(mode)
    found = _REFUSED
    if mode == 1:
        found = _choose(decoders, value, run.in_mode(2))
    if found is _REFUSED:
        found = _choose(decoders, value, run)
    if found is _REFUSED:
        raise Slow
    return found


def completed(
    decoders: Sequence[Decoder], required: Sequence[frozenset[str]], value: Any
) -> Any:
    """Returns the value with the defaults of the first alternative that needs none of them.

    A diagnosis finds out whether a value fits an earlier alternative after a repair, unless
    it lacks a property that this alternative requires.
    """
    run = _run(0)
    strict = run.in_mode(2)
    for decode, names in zip(decoders, required):
        if _choose((decode,), value, strict) is not _REFUSED:
            found = _choose((decode,), value, run)
            if found is not _REFUSED:
                return found
            break
        if type(value) is not OBJECT or names <= value.keys():
            break
    raise Slow


def only(decoders: Sequence[Decoder], value: Any, mode: int) -> Any:
    """Returns the value as the alternative that accepts it.

    A diagnosis finds out whether it is the only one where another may accept the value.
    """
    run = _run(mode)
    if mode != 1:
        checked = run.in_mode(1)
        accepted = [_choose((one,), value, checked) for one in decoders]
        if sum(one is not _REFUSED for one in accepted) > 1:
            raise Slow
    return first(decoders, value, run)


def known(decode: Decoder, fallback: Decoder, value: Any, mode: int) -> Any:
    """Returns the value as the variant of its tag; after a diagnosis, or as the fallback."""
    if mode != 1:
        return decode(value, mode)
    found = _choose((decode, fallback), value, _run(mode))
    if found is _REFUSED:
        raise Slow
    return found
