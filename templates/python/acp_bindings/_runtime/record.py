"""The base class of small values with names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

__all__ = ["Record", "dataclass_transform"]

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        return lambda target: target


@dataclass_transform(frozen_default=True)
class Record:
    """Fields are declared as in a dataclass; defaults are attributes of the class.

    Dataclasses and named tuples compile code, which makes imports slow.
    """

    __match_args__: ClassVar[tuple[str, ...]] = ()

    if not TYPE_CHECKING:

        def __init_subclass__(cls) -> None:
            cls.__match_args__ = tuple(cls.__annotations__)

        def __init__(self, *values: Any, **named: Any) -> None:
            fields = self.__match_args__
            given = dict(zip(fields, values, strict=False), **named)
            self.__dict__.update(given)
            if len(given) != len(values) + len(named) or not given.keys() <= {*fields}:
                raise TypeError(f"{type(self).__name__} has the fields {fields}")
            missing = [name for name in fields if not hasattr(self, name)]
            if missing:
                raise TypeError(f"{type(self).__name__} needs {', '.join(missing)}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, self._values(), strict=True)
        shown = ", ".join(f"{name}={value!r}" for name, value in pairs)
        return f"{type(self).__name__}({shown})"

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)
