"""Reads session updates in one way, whether the profile knows them or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..json_values import LIST, OBJECT
from ..message import UNSET, Message, Unknown

_KNOWN = (
    "additional_directories capabilities command compaction_id content cwd data "
    "description error exit_status kind locations message_id name output plan plan_id "
    "raw_input raw_output recipient_message_id recipient_session_id sender_message_id "
    "sender_session_id session_id size state status summary terminal_id title "
    "tool_call_id updated_at"
)


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
        return _read_json(update)
    tag = getattr(update, "session_update", None)
    if not isinstance(tag, str):
        text = f"{type(update).__name__} is not a decoded update"
        raise TypeError(f"{text}: decode JSON with schemas.SessionUpdate")
    fields = {
        name: value
        for name in _attributes(update.__class__)
        if (value := getattr(update, name)) is not UNSET
    }
    meta = getattr(update, "meta", UNSET)
    return Change(tag, fields, meta, update.extra or {})


def property_of(value: Any, name: str, attribute: str) -> Any:
    """Returns a property of an object, decoded or not; UNSET if it is absent."""
    if isinstance(value, Message):
        return getattr(value, attribute, UNSET)
    members = value.raw if isinstance(value, Unknown) else value
    return members.get(name, UNSET)


def fits(shape: Mapping[str, str], fields: dict[str, Any]) -> bool:
    """Returns whether all fields of a shape have their types."""
    for name, check in shape.items():
        if not _passes(check, fields.get(name, UNSET)):
            return False
    return True


_TYPES: dict[str, Any] = {
    "string": str,
    "object": (Message, Unknown, OBJECT),
    "array": LIST,
}


def is_object(value: Any) -> bool:
    """Returns whether a value is an object in JSON."""
    return isinstance(value, _TYPES["object"])


def _passes(check: str, value: Any) -> bool:
    """Returns whether a field has a type; with `?` it may be absent or null."""
    if value is UNSET or value is None:
        return check[-1] == "?"
    return isinstance(value, _TYPES[check.rstrip("?")])


def _read_json(update: Unknown) -> Change:
    fields: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in update.raw.items():
        if name in ("sessionUpdate", "_meta"):
            continue
        attribute = _ATTRIBUTES.get(name)
        if attribute is None:
            extra[name] = value
        else:
            fields[attribute] = value
    # An unknown state of a known update has the state as its tag.
    tag = str(update.raw.get("sessionUpdate", ""))
    return Change(tag, fields, update.raw.get("_meta", UNSET), extra)


def _attributes(kind: type[Message]) -> tuple[str, ...]:
    found = _ATTRIBUTES_OF.get(kind)
    if found is None:
        names = kind.__required__ | kind.__defaults__.keys()
        found = tuple(sorted(names - {"session_update", "meta", "extra"}))
        _ATTRIBUTES_OF[kind] = found
    return found


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


_ATTRIBUTES_OF: dict[type[Message], tuple[str, ...]] = {}
_ATTRIBUTES = {_camel_case(name): name for name in _KNOWN.split()}
