"""The slow path: a diagnosis reads a value, explains its errors and records repairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from ..encoding import Given, Made
from ..json_values import CONTAINERS, LIST, MISSING, OBJECT
from ..results import MAX_ISSUES, Issue, Note
from .did_you_mean import did_you_mean
from .rendering import render, shorten

Mode = Literal["strict", "send", "keep", "reject"]
"""What a diagnosis does besides reporting errors.

`keep` and `reject` repair what may be repaired; `keep` also accepts values that closed
unions and enumerations do not list; `strict` and `send` do neither; `send` rejects names
that are reserved for the protocol.
"""

MAX_DEPTH: Final = 256
"""Objects and lists nested deeper than this are rejected."""

KEPT: Final = frozenset(("unknown", "unsafe-integer"))
"""The rules of notes about values that are in the result unchanged."""


Diagnose = Callable[["Diagnosis", Any], None]
"""Reports the errors of a tracked value to a diagnosis."""

Key = str | int


class Diagnosis:
    """One run over a value, with what it reports."""

    def __init__(
        self,
        mode: Mode,
        max_issues: int = MAX_ISSUES,
        received: frozenset[int] = frozenset(),
    ) -> None:
        self.mode: Mode = mode
        self.received = received
        """The identities of objects that may be sent because they were received."""
        self.max_issues = max_issues
        self.issues: list[Issue] = []
        self.notes: list[Note] = []
        self.failures = 0
        """The number of errors, including unreported ones."""
        self.holder: Tracked = Tracked(self, [])
        """The object or list that was read last; `key` names the property or item."""
        self.key: Key = ""
        self.changes = 0
        """The number of changes: repairs and inserted defaults."""
        self.is_trial = False
        """Whether the run only decides about a value, without effects."""
        self._given: list[Tracked] = []
        """The objects that a program gives as JSON, of which declared properties were read."""

    @property
    def repairs(self) -> bool:
        return self.mode in ("keep", "reject")

    def run(self, diagnose: Diagnose, value: Any) -> Any:
        """Diagnoses a value and returns it, repaired where possible."""
        holder = Tracked(self, [value])
        try:
            diagnose(self, self.read(holder, 0))
            # A run that fails may not have read every property.
            if self.mode == "send" and self.failures == 0:
                self._find_undeclared(holder)
            return holder.build()[0]
        except RecursionError:
            self.reject("depth", f"depth {MAX_DEPTH}", None)
            return value

    def _find_undeclared(self, whole: Tracked) -> None:
        """Reports the properties that a program has added and may not send."""
        for given in self._given:
            if given.is_superseded or given.is_open:
                continue
            for name in given.source:
                if name not in given.declared:
                    self.holder, self.key = given, name
                    hint = did_you_mean(str(name), given.declared)
                    expected = f"only declared properties{hint}"
                    self.reject("undeclared", expected, own(given.source, name))
        rest = [whole]
        while rest:
            holder = rest.pop()
            source: Any = holder.source
            for key in source if isinstance(source, OBJECT) else range(len(source)):
                if isinstance(source[key], CONTAINERS):
                    rest.append(Tracked(self, source[key], holder, key))
                if isinstance(key, Made) and key.expected is not None:
                    self.holder, self.key = holder, key
                    self.reject("undeclared", key.expected, source[key])

    def read_declared(self, holder: Tracked, name: str) -> Any:
        if not holder.is_noted and isinstance(holder.source, Given):
            holder.is_noted = True
            self._given.append(holder)
        holder.declared.append(name)
        return self.read(holder, name)

    def read(self, holder: Tracked, key: Key) -> Any:
        """Reads a property or an item; objects and lists are returned as tracked values."""
        self.holder = holder
        self.key = key
        value = own(holder.source, key)
        if not isinstance(value, CONTAINERS):
            return value
        if holder.depth < MAX_DEPTH:
            return Tracked(self, value, holder, key)
        self.reject("depth", f"depth {MAX_DEPTH}", value)
        return MISSING

    def reject(self, rule: str, expected: str, value: Any) -> None:
        """Reports an error at the path of a tracked value, or at the path read last."""
        self.failures += 1
        if len(self.issues) < self.max_issues:
            found = render(self.locate(value))
            named = "required" if value is MISSING else rule
            self.issues.append(Issue(self.pointer(), named, expected, found))

    def locate(self, value: Any) -> Any:
        """Moves to the path of a tracked value and returns its source."""
        if not isinstance(value, Tracked) or value.parent is None:
            return value
        self.holder = value.parent
        self.key = value.key
        return value.source

    def note(self, rule: str, reason: str) -> None:
        """Reports a repair, or an unknown value that was kept, at the path read last."""
        if not self.repairs:
            return
        kind: Literal["kept", "repaired"] = "kept" if rule in KEPT else "repaired"
        self.notes.append(Note(kind, self.pointer(), rule, reason))

    def attempt(
        self, diagnose: Diagnose, value: Any, discard: bool = False
    ) -> list[Issue] | None:
        """Runs a function; when it fails, removes its reports and returns the errors."""
        failures, issues, noted = self.failures, self.issues, len(self.notes)
        given = len(self._given)
        self.issues = []
        diagnose(self, value)
        errors, self.issues = self.issues, issues
        fits = self.failures == failures
        self.failures = failures
        if not fits or discard:
            del self.notes[noted:]
            del self._given[given:]
        return None if fits else errors

    def pointer(self) -> str:
        """Returns the JSON pointer of the property or item that was read last."""
        path = ""
        key: Key = self.key
        holder = self.holder
        # The list around the whole value is not part of the path.
        while holder.parent is not None:
            token = shorten(str(key)).replace("~", "~0").replace("/", "~1")
            path = f"/{token}{path}"
            key = holder.key
            holder = holder.parent
        return path


TrialResults = dict[Diagnose, "list[Issue] | None"]


class Trials:
    """The results of trials at one path, and those at the paths inside."""

    def __init__(self) -> None:
        self._inside: dict[Key, Trials] = {}
        self._results: dict[Mode, TrialResults] = {}

    def at(self, key: Key) -> Trials:
        return self._inside.setdefault(key, Trials())

    def in_mode(self, mode: Mode) -> TrialResults:
        return self._results.setdefault(mode, {})


class Tracked:
    """An object or list during a diagnosis, with its changes. Its source is not modified."""

    def __init__(
        self,
        diagnosis: Diagnosis,
        source: dict[str, Any] | list[Any],
        parent: Tracked | None = None,
        key: Key = "",
    ) -> None:
        self.diagnosis = diagnosis
        self.source = source
        self.parent = parent
        self.key = key
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.declared: list[str] = []
        """The properties that were read, which are those that are declared."""
        self.is_open = False
        """Whether other properties are allowed."""
        self.is_noted = False
        """Whether the diagnosis has noted that the object was read."""
        self.is_superseded = False
        """Whether a later tracked value for the same path replaces this one."""
        self._changes: dict[Key, Any] = {}
        self._trials: Trials | None = None

    def get(self, name: str) -> Any:
        return self.diagnosis.read_declared(self, name)

    @property
    def trials(self) -> Trials:
        """The results of trials, which all tracked values for the same path share."""
        if self._trials is None:
            parent = self.parent
            self._trials = Trials() if parent is None else parent.trials.at(self.key)
        return self._trials

    def change(self, key: Key, value: Any) -> None:
        """Replaces a property or an item; MISSING removes it."""
        if not isinstance(value, Tracked):
            self.diagnosis.changes += 1
        self._changes[key] = value
        if self.parent is not None:
            self.parent.change(self.key, self)

    def retry(self) -> Tracked:
        """Returns a tracked value for the same path, to try another function."""
        following = Tracked(self.diagnosis, self.source, self.parent, self.key)
        following.declared.extend(self.declared)
        following.is_open = self.is_open
        self.is_superseded = True
        following._changes = dict(self._changes)
        if self.parent is not None:
            self.parent.change(self.key, following)
        return following

    def build(self) -> Any:
        """Returns the source with all changes, or the source itself without changes."""
        source = self.source
        copy: Any = None
        removed: list[Key] = []
        for key, change in self._changes.items():
            value = change.build() if isinstance(change, Tracked) else change
            before = own(source, key)
            if value is before:
                continue
            if copy is None:
                copy = source.copy()
            if value is MISSING:
                removed.append(key)
            else:
                copy[key] = value
        if copy is None:
            return source
        if isinstance(copy, LIST):
            dropped = set(removed)
            return [item for index, item in enumerate(copy) if index not in dropped]
        for key in removed:
            del copy[key]
        return copy


def own(holder: Any, key: Any) -> Any:
    """Returns a property or an item; MISSING when there is none."""
    if isinstance(holder, OBJECT):
        return holder.get(key, MISSING)
    return holder[key]
