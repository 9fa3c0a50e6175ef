"""Reads session updates in one way, whether the profile knows them or not."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..json_values import OBJECT
from ..message import UNSET, Message, Unknown


class Change(NamedTuple):
    """The properties of an update that are present."""

    tag: str
    fields: dict[str, Any]
    """By the names of attributes, without the tag and `meta`."""
    meta: Any
    extra: Mapping[str, Any]
    """By the names in JSON: the properties that have no attribute."""


def read(update: Any) -> Change:
    """Reads an update: a decoded one, or one that its profile does not know.

    Raises TypeError for other values.
    """
    if isinstance(update, Unknown):
        # An unknown state of a known update has the state as its tag.
        return Change(str(update.raw.get("sessionUpdate", "")), {}, UNSET, {})
    tag = getattr(update, "session_update", None)
    if not isinstance(tag, str):
        text = f"{type(update).__name__} is not a decoded update"
        raise TypeError(f"{text}: decode JSON with schemas.SessionUpdate")
    fields = {
        name: value
        for name in attributes_of(update.__class__)
        if (value := getattr(update, name)) is not UNSET
    }
    meta = getattr(update, "meta", UNSET)
    return Change(tag, fields, meta, update.extra or {})


def at(value: Any, path: Sequence[str]) -> Any:
    """Returns the value at a path in an object, decoded or not; UNSET if there is none."""
    for name in path:
        if isinstance(value, Message):
            value = getattr(value, attribute_of(name), UNSET)
        else:
            members = value.raw if isinstance(value, Unknown) else value
            value = members.get(name, UNSET) if isinstance(members, OBJECT) else UNSET
    return value


def is_object(value: Any) -> bool:
    """Returns whether a value is an object in JSON."""
    return isinstance(value, (Message, Unknown, OBJECT))


@functools.cache
def attribute_of(name: str) -> str:
    """Returns the attribute for a property: `toolCallId` is `tool_call_id`."""
    return "".join(f"_{one.lower()}" if one.isupper() else one for one in name)


def attributes_of(kind: type[Message]) -> tuple[str, ...]:
    found = _ATTRIBUTES_OF.get(kind)
    if found is None:
        names = kind.__required__ | kind.__defaults__.keys()
        found = tuple(sorted(names - {"session_update", "meta", "extra"}))
        _ATTRIBUTES_OF[kind] = found
    return found


_ATTRIBUTES_OF: dict[type[Message], tuple[str, ...]] = {}
