"""The table of encoders, by class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .message import Unknown

Encoder = Callable[[Any], Any]


class Encoders(dict[type, Encoder]):
    """The encoders of a profile's classes; those of other types are found when needed."""

    def __missing__(self, kind: type) -> Encoder:
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

    def _items(self, value: Any) -> Any:
        return [self[type(item)](item) for item in value]

    def _members(self, value: Any) -> Any:
        return {name: self[type(part)](part) for name, part in value.items()}


def _raw(value: Any) -> Any:
    return value.raw


def _same(value: Any) -> Any:
    return value
