"""Functions that diagnose values, made from the table of checks."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any, Final

from .decoding import matches
from .diagnosis import MISSING, Diagnose, Diagnosis, Tracked, render
from .json_values import LIST
from .unions import Variants, alternatives, diagnose_object, is_valid, tagged

REQUIRED: Final = 1
NULLABLE: Final = 2
DEFAULT_ON_ERROR: Final = 4
DEFAULT_ON_NULL: Final = 8
SKIP_INVALID_ITEMS: Final = 16

MAX_SAFE: Final = 2**53 - 1

Node = Any
"""A node of the table: the name of a definition, or a list that starts with its kind."""

FieldCheck = Callable[[Diagnosis, Tracked], None]


class Walk:
    """The diagnose functions of a profile, made when they are needed."""

    def __init__(self, table: dict[str, Node]) -> None:
        self._table = table
        self._definitions: dict[str, Diagnose] = {}
        self._references: dict[str, Diagnose] = {}

    def definition(self, name: str) -> Diagnose:
        if name not in self._definitions:
            self._definitions[name] = self._make(self._table[name])
        return self._definitions[name]

    def _reference(self, name: str) -> Diagnose:
        """Returns one function a name, which makes those of the definition when it runs."""

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            self.definition(name)(diagnosis, value)

        return self._references.setdefault(name, diagnose)

    def _make(self, node: Node) -> Diagnose:
        if isinstance(node, str):
            return self._reference(node)
        kind, *operands = node
        if kind in _SCALARS:
            return _SCALARS[kind](*operands)
        make: Callable[..., Diagnose] = getattr(self, f"_make_{kind}")
        return make(*operands)

    def _make_nullable(self, node: Node) -> Diagnose:
        inner = self._make(node)

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            if value is not None:
                inner(diagnosis, value)

        return diagnose

    def _make_list(self, items: Node, least: int | None, most: int | None) -> Diagnose:
        inner = self._make(items)

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            _list(diagnosis, value, inner, least or 0, most, False)

        return diagnose

    def _make_map(self, values: Node) -> Diagnose:
        inner = self._make(values)
        if values == ["any"]:
            return _any_object

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            if diagnose_object(diagnosis, value):
                for key in value.source:
                    inner(diagnosis, diagnosis.read(value, key))

        return diagnose

    def _make_object(self, fields: list[Node], is_extensible: bool) -> Diagnose:
        checks = [self._make_field(*field) for field in fields]

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            if not diagnose_object(diagnosis, value):
                return
            if is_extensible:
                value.is_open = True
            elif not checks:
                value.get("")
            for check in checks:
                check(diagnosis, value)

        return diagnose

    def _make_tagged(
        self,
        tag: str,
        variants: dict[str, Node],
        others: list[Any],
        shared: list[Node],
    ) -> Diagnose:
        checks = [self._make_field(*field) for field in shared]
        made = {value: self._make(body) for value, body in variants.items()}
        unlisted = [None if body is None else self._make(body) for body in others[:3]]
        table = Variants(tag, made, unlisted[0], unlisted[1], unlisted[2], others[3])

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            if checks:
                if not diagnose_object(diagnosis, value):
                    return
                for check in checks:
                    check(diagnosis, value)
            tagged(diagnosis, value, table)

        return diagnose

    def _make_union(
        self, is_exclusive: bool, nodes: list[Node], shared: list[Node]
    ) -> Diagnose:
        checks = [self._make_field(*field) for field in shared]
        variants = [self._make(node) for node in nodes]

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            if checks:
                if not diagnose_object(diagnosis, value):
                    return
                for check in checks:
                    check(diagnosis, value)
            alternatives(diagnosis, value, is_exclusive, variants)

        return diagnose

    def _make_field(
        self, name: str, node: Node, flags: int, default: Any = MISSING
    ) -> FieldCheck:
        target = self._resolve(node)
        if target[0] == "any" and default is MISSING:
            return _present(name) if flags & REQUIRED else _declared(name)
        if (
            flags == REQUIRED
            and default is MISSING
            and not self._accepts_missing(node, set())
        ):
            inner = self._make(node)

            def check(diagnosis: Diagnosis, holder: Tracked) -> None:
                inner(diagnosis, holder.get(name))

            return check
        if isinstance(node, LIST) and node[0] == "list":
            _, items, least, most = node
            item = self._make(items)

            def check_list(diagnosis: Diagnosis, holder: Tracked) -> None:
                skip = diagnosis.repairs and flags & SKIP_INVALID_ITEMS != 0

                def diagnose(inside: Diagnosis, found: Any) -> None:
                    _list(inside, found, item, least or 0, most, skip)

                value = holder.get(name)
                _field(diagnosis, value, diagnose, flags, default, least or 0)

            return check_list
        diagnose = self._make(node)

        def check_field(diagnosis: Diagnosis, holder: Tracked) -> None:
            _field(diagnosis, holder.get(name), diagnose, flags, default)

        return check_field

    def _resolve(self, node: Node) -> Node:
        """Returns the node that a reference to a scalar, or to any value, leads to."""
        target = self._table[node] if isinstance(node, str) else node
        return target if isinstance(target, LIST) else ["reference"]

    def _accepts_missing(self, node: Node, seen: set[str]) -> bool:
        if isinstance(node, str):
            if node in seen:
                return False
            return self._accepts_missing(self._table[node], seen | {node})
        if node[0] == "nullable":
            return self._accepts_missing(node[1], seen)
        if node[0] == "union":
            return any(self._accepts_missing(one, seen) for one in node[2])
        return bool(node[0] == "any")


def _present(name: str) -> FieldCheck:
    def check(diagnosis: Diagnosis, holder: Tracked) -> None:
        if holder.get(name) is MISSING:
            diagnosis.reject("required", "a value", MISSING)

    return check


def _declared(name: str) -> FieldCheck:
    def check(diagnosis: Diagnosis, holder: Tracked) -> None:
        holder.get(name)

    return check


def _field(
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


def _list(
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
    _within(diagnosis, value, length, least, most, "Items")
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


def _within(
    diagnosis: Diagnosis,
    value: Any,
    size: float,
    least: float | None,
    most: float | None,
    what: str,
) -> None:
    """Rejects a size outside the limits, by the rule `minimum`, `maxLength` and so on."""
    if least is not None and size < least:
        diagnosis.reject(f"min{what}", f"min{what} {least}", value)
    if most is not None and size > most:
        diagnosis.reject(f"max{what}", f"max{what} {most}", value)


def _any(_diagnosis: Diagnosis, _value: Any) -> None:
    """Accepts any value."""


def _any_object(diagnosis: Diagnosis, value: Any) -> None:
    diagnose_object(diagnosis, value)


def _null(diagnosis: Diagnosis, value: Any) -> None:
    if value is not None:
        diagnosis.reject("type", "null", value)


def _boolean(diagnosis: Diagnosis, value: Any) -> None:
    if not isinstance(value, bool):
        diagnosis.reject("type", "boolean", value)


def _make_string(least: int | None, most: int | None, pattern: str | None) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if not isinstance(value, str):
            diagnosis.reject("type", "string", value)
            return
        _within(diagnosis, value, len(value), least, most, "Length")
        if pattern is not None and not matches(pattern, value):
            diagnosis.reject("pattern", f"pattern {pattern}", value)

    return diagnose


def _make_number(least: float | None, most: float | None) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if _is_finite(value):
            _within(diagnosis, value, value, least, most, "imum")
        else:
            diagnosis.reject("type", "number", value)

    return diagnose


def _make_integer(least: int | None, most: int | None) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        if not _is_integer(value):
            diagnosis.reject("type", "integer", value)
            return
        if not -MAX_SAFE <= value <= MAX_SAFE:
            reason = "the integer is not exact in every language"
            diagnosis.note("unsafe-integer", reason)
        _within(diagnosis, value, value, least, most, "imum")

    return diagnose


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _is_integer(value: Any) -> bool:
    return _is_finite(value) and (isinstance(value, int) or value.is_integer())


def _make_enum(kind: str, values: list[Any], is_open: bool) -> Diagnose:
    def diagnose(diagnosis: Diagnosis, value: Any) -> None:
        is_typed = isinstance(value, str) if kind == "string" else _is_integer(value)
        if not is_typed:
            diagnosis.reject("type", kind, value)
            return
        if value in values or (is_open and kind == "string" and value.startswith("_")):
            return
        is_refused = diagnosis.mode != "keep"
        if is_open:
            is_refused = diagnosis.mode == "send" and kind == "string"
        if is_refused:
            expected = ", ".join(str(one) for one in values)
            diagnosis.reject("enum", f"one of {expected}", value)
        else:
            diagnosis.note("unknown", f"{render(value)} is not known")

    return diagnose


_SCALARS: Final[dict[str, Callable[..., Diagnose]]] = {
    "any": lambda: _any,
    "null": lambda: _null,
    "boolean": lambda: _boolean,
    "string": _make_string,
    "number": _make_number,
    "integer": _make_integer,
    "enum": _make_enum,
}
