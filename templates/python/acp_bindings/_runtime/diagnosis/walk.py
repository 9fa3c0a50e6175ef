"""Functions that diagnose values, made from the table of checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..encoding import Made
from ..json_values import LIST, MISSING
from ..patterns import matches
from .diagnosis import Diagnose, Diagnosis, Tracked
from .fields import REQUIRED, SKIP_INVALID_ITEMS, diagnose_field, diagnose_list
from .scalars import SCALARS
from .unions import Variants, alternatives, diagnose_object, tagged

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
        """Returns one function per name, which creates those of the definition when it is called."""

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            self.definition(name)(diagnosis, value)

        return self._references.setdefault(name, diagnose)

    def _make(self, node: Node) -> Diagnose:
        if isinstance(node, str):
            return self._reference(node)
        kind, *operands = node
        if kind in SCALARS:
            return SCALARS[kind](*operands)
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
            diagnose_list(diagnosis, value, inner, least or 0, most, False)

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

    def _make_object(
        self,
        fields: list[Node],
        is_extensible: bool,
        is_closed: bool = False,
        patterns: Sequence[tuple[str, Node]] = (),
        others: Node = None,
    ) -> Diagnose:
        checks = [self._make_field(*field) for field in fields]
        like = [(pattern, self._make(node)) for pattern, node in patterns]
        rest = None if others is None else self._make(others)
        limits_others = is_closed or like or rest is not None

        def diagnose(diagnosis: Diagnosis, value: Any) -> None:
            if not diagnose_object(diagnosis, value):
                return
            if is_extensible:
                value.is_open = True
            elif not checks and not is_closed:
                value.get("")
            for check in checks:
                check(diagnosis, value)
            if limits_others:
                _diagnose_others(diagnosis, value, is_closed, like, rest)

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
                    diagnose_list(inside, found, item, least or 0, most, skip)

                value = holder.get(name)
                diagnose_field(diagnosis, value, diagnose, flags, default, least or 0)

            return check_list
        diagnose = self._make(node)

        def check_field(diagnosis: Diagnosis, holder: Tracked) -> None:
            diagnose_field(diagnosis, holder.get(name), diagnose, flags, default)

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


def _diagnose_others(
    diagnosis: Diagnosis,
    holder: Tracked,
    is_closed: bool,
    patterns: Sequence[tuple[str, Diagnose]],
    others: Diagnose | None,
) -> None:
    """Diagnoses what an object does not describe; reports what a closed one does not have."""
    source: Any = holder.source
    declared = set(holder.declared)
    is_sent = diagnosis.mode == "send"
    for name, value in source.items():
        if name in declared:
            continue
        like = [check for pattern, check in patterns if matches(pattern, name)]
        if not like and others is not None:
            like = [others]
        for check in like:
            check(diagnosis, holder.get(name))
        if like or not is_closed:
            continue
        diagnosis.holder, diagnosis.key = holder, name
        if diagnosis.mode == "keep" or is_sent and not isinstance(name, Made):
            diagnosis.note("unknown", "the property is not known")
        else:
            diagnosis.reject("undeclared", "only declared properties", value)


def _present(name: str) -> FieldCheck:
    def check(diagnosis: Diagnosis, holder: Tracked) -> None:
        if holder.get(name) is MISSING:
            diagnosis.reject("required", "a value", MISSING)

    return check


def _declared(name: str) -> FieldCheck:
    def check(diagnosis: Diagnosis, holder: Tracked) -> None:
        holder.get(name)

    return check


def _any_object(diagnosis: Diagnosis, value: Any) -> None:
    diagnose_object(diagnosis, value)
