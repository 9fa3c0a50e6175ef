"""Diagnosis of properties and lists, with the repairs that their flags allow."""

from __future__ import annotations

import copy
from typing import Any, Final

from ..json_values import MISSING
from .diagnosis import Diagnose, Diagnosis, Tracked
from .scalars import within
from .unions import is_valid

REQUIRED: Final = 1
NULLABLE: Final = 2
DEFAULT_ON_ERROR: Final = 4
DEFAULT_ON_NULL: Final = 8
SKIP_INVALID_ITEMS: Final = 16


def diagnose_field(
    diagnosis: Diagnosis,
    value: Any,
    diagnose: Diagnose,
    flags: int,
    default: Any,
    least: int | None = None,
) -> None:
    """Diagnoses a property with flags; `least` is given for lists."""
    holder, key, repairs = diagnosis.holder, diagnosis.key, diagnosis.repairs
    completes = repairs and default is not MISSING
    if value is MISSING:
        if completes:
            holder.change(key, copy.deepcopy(default))
        elif flags & REQUIRED:
            diagnosis.reject("required", "a value", MISSING)
        return
    if value is None and flags & NULLABLE:
        return
    may_be_empty = least == 0
    if value is None and repairs and flags & DEFAULT_ON_NULL:
        nothing: Any = {} if least is None else []
        if is_valid(diagnose, nothing):
            holder.change(key, nothing)
            diagnosis.note("default-on-null", "null counts as empty")
            return
    is_emptied = may_be_empty and not flags & NULLABLE
    is_repairable = completes or is_emptied or not flags & REQUIRED
    if not repairs or not flags & DEFAULT_ON_ERROR or not is_repairable:
        diagnose(diagnosis, value)
        return
    replacement: Any = [] if is_emptied else MISSING
    if completes:
        replacement = copy.deepcopy(default)
    _repair(diagnosis, value, diagnose, "default-on-error", replacement)


def _repair(
    diagnosis: Diagnosis, value: Any, diagnose: Diagnose, rule: str, replacement: Any
) -> bool:
    """Replaces or removes the value that was read last if it is invalid."""
    holder, key = diagnosis.holder, diagnosis.key
    errors = diagnosis.attempt(diagnose, value)
    if errors is None:
        return False
    holder.change(key, replacement)
    diagnosis.holder = holder
    diagnosis.key = key
    reason = "invalid"
    if errors:
        reason = f"expected {errors[0].expected} at {errors[0].pointer}"
    diagnosis.note(rule, reason)
    return True


def diagnose_list(
    diagnosis: Diagnosis,
    value: Any,
    items: Diagnose,
    least: int,
    most: int | None,
    skip: bool,
) -> None:
    if not isinstance(value, Tracked) or not isinstance(value.source, list):
        diagnosis.reject("type", "array", value)
        return
    length = len(value.source)
    within(diagnosis, value, length, least, most, "Items")
    kept = length
    for index in range(length):
        item = diagnosis.read(value, index)
        if not skip:
            items(diagnosis, item)
        elif _repair(diagnosis, item, items, "skip-invalid-items", MISSING):
            kept -= 1
    if kept < least <= length:
        expected = f"minItems {least} without the invalid items"
        diagnosis.reject("minItems", expected, value)
