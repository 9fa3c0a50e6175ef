"""The values in a message that need what was not advertised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..json_values import OBJECT
from ..protocol import Gate, Place
from .paths import values_at


class ClosedPlaces:
    """The places of a message whose gates are closed since the handshake.

    Where all of them depend on the tag of one object, as in updates, only those of its tag
    are looked at.
    """

    def __init__(
        self, places: tuple[Place, ...], missing: Callable[[Gate], str | None]
    ) -> None:
        # It keeps the places, since they are known by their identity.
        self._all = places
        self._places = [
            place
            for place in places
            if place.gate.strength == "must" and missing(place.gate) is not None
        ]
        self.is_any = bool(self._places)
        selectors = [_selector(place) for place in self._places]
        self._path, self._tag = selectors[0][:2] if selectors else ((), "")
        self._way = (*self._path, self._tag)
        self._by_value: dict[str, list[Place]] | None = None
        if self._tag and all(one[:2] == selectors[0][:2] for one in selectors):
            self._by_value = {}
            for place, (_, _, values) in zip(self._places, selectors, strict=True):
                for value in values:
                    self._by_value.setdefault(value, []).append(place)

    def find(self, message: Any) -> tuple[Place, str] | None:
        """Returns the first value of such a place, and the pointer to it."""
        for place in self._candidates(message):
            for value, pointer in values_at(message, place.path):
                if place.tag:
                    tag = value.get(place.tag) if isinstance(value, OBJECT) else None
                    if tag in place.values:
                        return place, f"{pointer}/{place.tag}"
                elif value not in (None, []) and value in (place.values or [value]):
                    return place, pointer
        return None

    def _candidates(self, message: Any) -> Sequence[Place]:
        if self._by_value is None:
            return self._places
        found: Any = message
        for name in self._way:
            found = found.get(name) if type(found) is OBJECT else None
        return self._by_value.get(found, ()) if isinstance(found, str) else ()


def _selector(place: Place) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Returns the first tag on the way to a place, and the values that lead there."""
    for index, step in enumerate(place.path):
        if type(step) is not str:
            values = step.get("values", ())
            return place.path[:index], step.get("tag", ""), tuple(values)
    return place.path, place.tag, place.values
