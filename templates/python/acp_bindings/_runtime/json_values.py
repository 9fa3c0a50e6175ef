"""The types of parsed JSON.

Type checkers do not narrow by these, since parts of parsed values have any type.
"""

from __future__ import annotations

from typing import Any

OBJECT: Any = dict
LIST: Any = list
CONTAINERS: Any = (dict, list)
NUMBERS: Any = (int, float)
