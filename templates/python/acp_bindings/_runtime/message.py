"""The base class of all generated classes, and the values that they share."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from .record import dataclass_transform

if TYPE_CHECKING:
    from inspect import Signature

    from typing_extensions import Self  # noqa: UP035

_Value = TypeVar("_Value")


class Unset(enum.Enum):
    """The type of the value of absent properties."""

    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""Stands for a property that is absent, as `None` stands for `null`."""


if TYPE_CHECKING:

    class Open(Generic[_Value]):
        """An attribute that takes the listed values, and may have others once received."""

        def __get__(
            self, message: object, kind: type | None = None
        ) -> _Value | str: ...

        def __set__(self, message: object, value: _Value) -> None: ...

else:
    # Annotations name it, which are never evaluated.
    Open = None


def field(*, default: Any) -> Any:
    """Returns the default of an attribute whose type is `Open`, for type checkers."""
    return default


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class MessageType(type):
    """Makes slots of the annotations of a class, and remembers their defaults."""

    __required__: frozenset[str]
    __defaults__: dict[str, Any]
    __count__: int
    """The number of the properties."""
    __match_args__: tuple[str, ...]
    """The required properties, which patterns may also give by position."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]
    ) -> MessageType:
        required: dict[str, None] = {}
        defaults: dict[str, Any] = {}
        for base in bases:
            if isinstance(base, MessageType):
                required |= dict.fromkeys(base.__match_args__)
                defaults |= base.__defaults__
        slots: list[str] = []
        for attribute in namespace.get("__annotations__", ()):
            if attribute not in required and attribute not in defaults:
                slots.append(attribute)
            if attribute in namespace:
                required.pop(attribute, None)
                defaults[attribute] = namespace.pop(attribute)
            else:
                required[attribute] = None
        namespace["__slots__"] = slots
        namespace["__match_args__"] = tuple(required)
        created = super().__new__(mcs, name, bases, namespace)
        created.__required__ = frozenset(required)
        created.__defaults__ = defaults
        created.__count__ = len(required) + len(defaults)
        return created

    @property
    def __signature__(cls) -> Signature:
        """The arguments of the constructor, for shells and editors."""
        from inspect import Parameter, Signature, get_annotations

        types: dict[str, str] = {}
        for base in cls.__mro__:
            types = {**types, **get_annotations(base), **types}
        kind, absent = Parameter.KEYWORD_ONLY, Parameter.empty
        parameters = [
            Parameter(
                name, kind, default=cls.__defaults__.get(name, absent), annotation=text
            )
            for name, text in types.items()
        ]
        return Signature(sorted(parameters, key=lambda one: one.default is not absent))


class Message(metaclass=MessageType):
    """An object of the protocol. All arguments are given by name."""

    extra: dict[str, Any] | None = None
    """The properties that the schema does not name, as they came. They are sent again; those
    that a program adds are refused, unless the schema allows any."""

    if not TYPE_CHECKING:

        def __init__(self, /, *given: Any, **values: Any) -> None:
            kind = type(self)
            if given:
                names = ", ".join(f"{name}=…" for name in sorted(kind.__required__))
                text = f"takes values by name: {kind.__name__}({names})"
                raise TypeError(f"{kind.__name__} {text}")
            whole = kind.__defaults__ | values
            if len(whole) != kind.__count__:
                raise _mismatch(kind, values)
            try:
                for name, value in whole.items():
                    setattr(self, name, value)
            except AttributeError:
                raise _mismatch(kind, values) from None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in _attributes(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def __replace__(self, /, **changes: Any) -> Self:
        """Returns a copy with other values, for `copy.replace` of Python 3.13."""
        values = {name: getattr(self, name) for name in _attributes(self)}
        return type(self)(**values | changes)

    def __repr__(self) -> str:
        kind = type(self)
        shown = [
            f"{name}={value!r}"
            for name in _attributes(self)
            if (value := getattr(self, name)) is not UNSET
            and not (name == "extra" and value is None)
        ]
        return f"{kind.__name__}({', '.join(shown)})"


def _mismatch(kind: type[Message], values: dict[str, Any]) -> TypeError:
    """Returns the error for an argument that the class does not have, or that it lacks."""
    from .diagnosis.did_you_mean import did_you_mean

    names = kind.__required__ | kind.__defaults__.keys()
    for name in values:
        if name not in names:
            text = f"{kind.__name__} has no {name}{did_you_mean(name, names)}"
            return TypeError(text)
    missing = ", ".join(sorted(kind.__required__ - values.keys()))
    return TypeError(f"{kind.__name__} needs {missing}")


def _attributes(message: Message) -> list[str]:
    kind = type(message)
    return [*sorted(kind.__required__), *kind.__defaults__]


class Unknown:
    """A variant of a union that this version does not know, or a custom one.

    One that was received can be sent again. One that a program makes can be sent if its tag
    begins with `_`; other names are reserved for the protocol.
    """

    __match_args__ = ("tag", "raw")
    __slots__ = ("is_received", "raw", "tag")

    tag: str
    """The value that selects the variant."""
    raw: dict[str, Any]
    """The whole object, with the tag."""

    def __init__(self, tag: str, raw: dict[str, Any]) -> None:
        self.tag = tag
        self.raw = raw
        self.is_received = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Unknown):
            return NotImplemented
        return self.tag == other.tag and self.raw == other.raw

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Unknown(tag={self.tag!r}, raw={self.raw!r})"
