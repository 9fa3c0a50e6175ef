"""How messages change the state of a session, as the schema of a profile says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    # Python 3.10 does not have it in typing.
    from typing_extensions import NotRequired, TypedDict  # noqa: UP035

    class StateChange(TypedDict):
        """A change by an update. Paths are lists of names."""

        action: Literal["append", "upsert", "replace", "remove"]
        target: str
        id: NotRequired[Sequence[str]]
        """The path to the id in the update; absent where there is one target."""
        field: NotRequired[Sequence[str]]
        """The path in the target to what changes; absent for all of it."""
        value: NotRequired[Sequence[str]]
        """The path to the value in the update; absent for the update itself."""

    MessageChange = TypedDict(
        "MessageChange",
        {
            "part": Literal["params", "result"],
            "from": Sequence[str],
            # The update that would report the value, and its property that has the value.
            "tag": NotRequired[str],
            "as": NotRequired[str],
            "target": str,
            # An absent list is empty.
            "isList": NotRequired[bool],
        },
    )

    class StateTarget(TypedDict):
        """A part of the state."""

        part: str
        """The property of the state, a map where updates have ids."""
        id: NotRequired[str]
        kind: NotRequired[str]
        """The kind of message: messages of all kinds are one list."""
        isIdOptional: NotRequired[bool]
        entry: NotRequired[str]
        """Present if its items are in the timeline."""
        list: NotRequired[str]
        """The list that chunks are appended to."""
        bytes: NotRequired[str]
        """The property with base64 data that chunks are appended to."""
        joins: NotRequired[bool]
        """Adjacent blocks of plain text in the list are joined."""
        defaults: NotRequired[Mapping[str, Any]]
        """The values of properties that are not reported, or null."""
        lists: NotRequired[Sequence[str]]
        """The properties that are lists, empty if they are not reported, or null."""
        keepsNull: NotRequired[Literal["all", "_meta"]]
        """The properties that a null in an update does not change."""
        isUpdate: NotRequired[bool]
        """The part is the last update, with patches applied."""
        isValue: NotRequired[bool]
        """The part is the value in the last update that has it."""

    class StateTable(TypedDict):
        """The changes by updates and other messages, and the parts of the state."""

        updates: Mapping[str, Sequence[StateChange]]
        messages: Mapping[str, Sequence[MessageChange]]
        targets: Mapping[str, StateTarget]
        mergesMeta: bool
