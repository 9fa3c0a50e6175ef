"""The types of parsed JSON, and the value of what is absent.

Type checkers do not narrow by these, since parts of parsed values have any type.
"""

from __future__ import annotations

from typing import Any, Final

OBJECT: Any = dict
LIST: Any = list
CONTAINERS: Any = (dict, list)
NUMBERS: Any = (int, float)


class Missing:
    """The type of the value of properties that are absent."""

    __slots__ = ()


MISSING: Final = Missing()
