"""The results of decoding, and why a value is invalid."""

from __future__ import annotations

from typing import Any, Final, Generic, Literal, TypeVar

from .record import Record

T_co = TypeVar("T_co", covariant=True)
ErrorT = TypeVar("ErrorT", bound=BaseException)

MAX_ISSUES: Final = 16
"""How many issues are reported, unless a caller wants more or fewer."""


class Issue(Record):
    """One reason why a value is invalid."""

    pointer: str
    """JSON pointer (RFC 6901) into the value."""
    rule: str
    """The keyword of JSON Schema that failed; `required`, `depth` or `reserved`."""
    expected: str
    found: str
    """A short rendering of the value, for logs on this side only."""


class Note(Record):
    """A repair of a value, or an unknown value that was kept."""

    kind: Literal["repaired", "kept"]
    pointer: str
    """JSON pointer (RFC 6901) into the input."""
    rule: str
    """The decode flag that was applied, `unknown` or `unsafe-integer`."""
    reason: str


class Success(Generic[T_co]):
    """A decoded value, with what was repaired or kept."""

    # A record would take longer to create than many a message to decode.
    __match_args__ = ("value", "notes")
    __slots__ = ("notes", "value")

    value: T_co
    notes: tuple[Note, ...]

    def __init__(self, value: T_co, notes: tuple[Note, ...] = ()) -> None:
        self.value = value
        self.notes = notes

    def __repr__(self) -> str:
        return f"Success({self.value!r}, {self.notes!r})"


class Failure(Record):
    """The reasons why a value cannot be decoded."""

    issues: tuple[Issue, ...]


class InvalidValueError(ValueError):
    """Raised for a value that must not be sent, or cannot be read as its definition."""

    definition: str
    issues: tuple[Issue, ...]

    def __init__(self, definition: str, issues: tuple[Issue, ...]) -> None:
        first = issues[0]
        place = f"{definition} at {first.pointer}" if first.pointer else definition
        super().__init__(f"{place}: expected {first.expected}, found {first.found}")
        self.definition = definition
        self.issues = issues

    def __reduce__(self) -> tuple[Any, ...]:
        return recreate, (type(self), self.args), self.__dict__


def recreate(kind: type[ErrorT], args: tuple[Any, ...]) -> ErrorT:
    """Creates an error for `copy` and `pickle`, since `args` are not those of `__init__`."""
    created = kind.__new__(kind, *args)
    # Errors of the system take them in `__init__` only.
    created.args = args
    return created
