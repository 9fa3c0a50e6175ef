"""The state of a session, as the result of its updates: what both versions share."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ..json_values import OBJECT
from ..message import UNSET, Message
from .changes import at, attribute_of, attributes_of, is_object, read
from .entities import (
    CompactionState,
    CursorState,
    Entity,
    InfoState,
    MessageState,
    Recent,
    SessionMessageState,
    SubagentState,
    TerminalState,
    ToolCallState,
    merged,
)

if TYPE_CHECKING:
    from .state_table import StateChange, StateTable, StateTarget

TimelineEntry: TypeAlias = (
    "MessageState | ToolCallState | CompactionState | SessionMessageState"
)
CLASSES: dict[str, type[Entity]] = {
    "messages": MessageState,
    "sessionMessages": SessionMessageState,
    "toolCalls": ToolCallState,
    "compactions": CompactionState,
    "terminals": TerminalState,
    "subagents": SubagentState,
    "cursors": CursorState,
}
"""The classes of the items of a part."""


class SessionState:
    """The state of a session; use `SessionStateV1` or `SessionStateV2`.

    `apply` changes it in place. What an update replaces as a whole, such as `commands`,
    is the last update itself; everything that grows has a `revision`. Updates are not
    modified, but parts of them are kept: do not modify an update that was applied.
    """

    TABLE: ClassVar[StateTable]
    """What each message changes, as the schema of the profile says it."""

    def __init__(self) -> None:
        self.revision = 0
        """Grows with each update that changes the state."""
        self.timeline: list[TimelineEntry] = []
        """Messages, tool calls and compactions, in the order of their appearance."""
        self.messages: list[MessageState] = []
        self.tool_calls: dict[str, ToolCallState] = {}
        self.compactions: dict[str, CompactionState] = {}
        self.session_messages: dict[str, SessionMessageState] = {}
        self.subagents: dict[str, SubagentState] = {}
        """Child sessions by the ids of their sessions."""
        self.cursors: dict[str, CursorState] = {}
        """Positions in the history that requests can refer to."""
        self.plans: dict[str, Any] = {}
        """The last update of each plan that has an id."""
        self.commands: Any = None
        """The last `available_commands_update`; None before the first."""
        self.config: Any = None
        """The last `config_option_update`; a client's session begins with the agent's options."""
        self.usage: Any = None
        """The last `usage_update`."""
        self.turn_usage: Any = None
        """The tokens that the end of a turn has reported last.

        In version 1 those of the session so far, in version 2 those of that turn.
        """
        self.suggestions: Any = None
        """The last `prompt_suggestions_update`."""
        self.info = InfoState()
        self.notices = Recent()
        self.others = Recent()
        """Updates that are not known."""
        self._message_ids: dict[str, dict[str, Any]] = {}

    def apply(self, update: Any) -> None:
        """Changes the state by a decoded update of the session, whatever it contains."""
        changes = self.TABLE["updates"].get(read(update).tag)
        if changes is None or not all(self._fits(one, update) for one in changes):
            self._keep_recent(self.others, update)
            return
        for one in changes:
            self._fold(one, update)

    def apply_message(
        self,
        method: str,
        part: str,
        message: Any,
        decode: Callable[[dict[str, Any]], Any],
        typed: Callable[[], Any],
        before: Sequence[Any] | None = None,
    ) -> None:
        """Applies the params or the result of a method as updates that would say the same.

        `decode` returns a decoded update, or None, and `typed` the decoded message.
        `before`, for a result that opens a session, has the values of `lists_of` when the
        request was sent: an absent or empty list replaces these only, and no list that
        was reported since.
        """
        for one in self.TABLE["messages"].get(method, ()):
            if one["part"] != part:
                continue
            known = self._known(one["target"])
            value = at(message, one["from"])
            if (
                before is not None
                and "isList" in one
                and known is not None
                and not value
            ):
                if not any(known is listed for listed in before):
                    continue
                value = list[Any]()
            if value is UNSET or value is None:
                continue
            tag, name = one.get("tag"), one.get("as")
            if tag is None:
                self._keep(one["target"], at(typed(), one["from"]))
            elif name is None or at(known, [name]) != value:
                fields: Any = value if name is None else {name: value}
                update = decode({**fields, "sessionUpdate": tag})
                if update is not None:
                    self.apply(update)

    def lists_of(self, method: str) -> list[Any]:
        """Returns the lists that the result of a method can have, as far as they are known."""
        changes = self.TABLE["messages"].get(method, ())
        return [self._known(one["target"]) for one in changes if "isList" in one]

    def _target(self, name: str) -> StateTarget:
        return self.TABLE["targets"][name]

    def _known(self, target: str) -> Any:
        return getattr(self, attribute_of(self._target(target)["part"]), None)

    def _fits(self, change: StateChange, update: Any) -> bool:
        """Returns whether an update has the id and what it appends."""
        target, action = self._target(change["target"]), change["action"]
        if "id" in change:
            given = at(update, change["id"])
            if not (isinstance(given, str) or "isIdOptional" in target and not given):
                return False
            if action == "append":
                added = at(update, change.get("value", ()))
                return isinstance(added, str) if "bytes" in target else is_object(added)
        return True

    def _fold(self, change: StateChange, update: Any) -> None:
        """Makes a change by an update that fits."""
        name, action = change["target"], change["action"]
        target = self._target(name)
        name_of = at(update, change["id"]) if "id" in change else None
        if action == "remove":
            self._remove(change, name_of)
        elif action == "append" and "id" not in change:
            self._keep_recent(self._known(name), update)
        elif target.get("isUpdate"):
            self._keep_update(change, update, name_of)
        else:
            item = self._find(name, name_of) or self._create(name, name_of)
            if action == "append":
                item.append_to(target, at(update, change.get("value", ())))
            else:
                if action == "replace":
                    _reset(item, target)
                item.patch(read(update), target, self.TABLE["mergesMeta"])
            self._touch(item)

    def _items(self, target: str) -> dict[str, Any]:
        """Returns the items of a target by their ids."""
        row = self._target(target)
        if "kind" in row:
            return self._message_ids.setdefault(row["kind"], {})
        items: dict[str, Any] = vars(self).setdefault(attribute_of(row["part"]), {})
        return items

    def _find(self, target: str, name: str | None) -> Any:
        return self._known(target) if name is None else self._items(target).get(name)

    def _create(self, target: str, name: str | None) -> Any:
        """Creates an item, at the end of the timeline if it has a place there."""
        row = self._target(target)
        item: Any = CLASSES.get(row["part"], Entity)()
        if "kind" in row:
            item.kind = row["kind"]
            self.messages.append(item)
        item.set_defaults(row)
        if name is not None:
            item.set(attribute_of(row.get("id", "")), name)
            self._items(target)[name] = item
        elif "id" not in row:
            self._keep(target, item)
        if "entry" in row:
            self.timeline.append(item)
        return item

    def _remove(self, change: StateChange, name: str | None) -> None:
        """Removes an item, or empties its list."""
        target = change["target"]
        item = self._find(target, name)
        if item is None:
            return
        if "field" in change:
            item.replace([])
            self._touch(item)
        elif name is None:
            self._keep(target, None)
        else:
            del self._items(target)[name]
            self._remove_item(item)

    def _keep_update(self, change: StateChange, update: Any, name: str | None) -> None:
        """Keeps an update, which replaces the one before it, or patches it."""
        target = change["target"]
        if self._target(target).get("isValue"):
            value = at(update, change.get("value", ()))
            if value is not UNSET and value is not None:
                self._keep(target, value)
        elif name is not None:
            self._items(target)[name] = update
            self._touch()
        elif change["action"] == "replace":
            self._keep(target, update)
        else:
            self._keep(target, _patched(self._known(target), update))

    def _keep(self, target: str, value: Any) -> None:
        vars(self)[attribute_of(self._target(target)["part"])] = value
        self._touch()

    def _remove_item(self, item: Any) -> None:
        """Removes an item that is among the last entries of the timeline."""
        for entries in (self.messages, self.timeline):
            for index in range(len(entries) - 1, -1, -1):
                if entries[index] is item:
                    del entries[index]
                    break
        self._touch()

    def _touch(self, *entities: Entity | None) -> None:
        self.revision += 1
        for entity in entities:
            if entity is not None:
                entity.revision = self.revision

    def _keep_recent(self, recent: Recent, update: Any) -> None:
        recent.append(update)
        self._touch()


def _reset(item: Entity, target: StateTarget) -> None:
    """Removes what was reported of an item, besides its id."""
    name = attribute_of(target.get("id", ""))
    kept = {one: vars(item)[one] for one in ("revision", name) if one in vars(item)}
    vars(item).clear()
    item.__init__(**kept)  # type: ignore[misc]
    item.set_defaults(target)


def _patched(before: Any, update: Any) -> Any:
    """Returns an update with what it lacks from the one before it."""
    if not isinstance(update, Message):
        return update
    changed = copy.copy(update)
    for name in (*attributes_of(update.__class__), "meta"):
        value = getattr(update, name)
        old = getattr(before, name, UNSET)
        if name == "meta" and isinstance(value, OBJECT):
            value = merged({} if old is UNSET else old, value)
        elif value is UNSET:
            value = old
        setattr(changed, name, UNSET if value is None else value)
    return changed
