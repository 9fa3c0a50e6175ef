"""Functions that diagnose unions: they choose a variant and report its errors."""

from __future__ import annotations

from typing import Any

from ..json_values import MISSING
from ..record import Record
from ..results import Issue
from .diagnosis import Diagnose, Diagnosis, Mode, Tracked
from .rendering import render
from .trials import apply, attempt, explain, report, retry, try_out


class Variants(Record):
    """The variants of a tagged union."""

    tag: str
    listed: dict[str, Diagnose]
    open: Diagnose | None
    """For other string tags."""
    fallback: Diagnose | None
    """For everything else, whatever the tag is."""
    absent: Diagnose | None
    """For an absent tag, or null."""
    is_lenient: bool
    """Whether a malformed tag may be dropped."""


def diagnose_object(diagnosis: Diagnosis, value: Any) -> bool:
    """Returns whether a value is an object, and reports an error otherwise."""
    if isinstance(value, Tracked) and isinstance(value.source, dict):
        return True
    diagnosis.reject("type", "object", value)
    return False


def is_valid(diagnose: Diagnose, value: Any) -> bool:
    """Returns whether a value is valid as it is."""
    diagnosis = Diagnosis("strict", 0)
    diagnosis.run(diagnose, value)
    return diagnosis.failures == 0


def tagged(diagnosis: Diagnosis, value: Any, variants: Variants) -> None:
    """Diagnoses a tagged union. Reports the errors of the variant that the tag selects."""
    if not diagnose_object(diagnosis, value):
        return
    tag = value.get(variants.tag)
    holder, key, repairs = diagnosis.holder, diagnosis.key, diagnosis.repairs
    fallback, absent = variants.fallback, variants.absent

    def refuse() -> None:
        diagnosis.holder = holder
        diagnosis.key = key
        _refuse(diagnosis, tag, variants)

    def choose(variant: Diagnose, second: Diagnose | None = None) -> None:
        # With two candidates, a trial decides, so that only one is run for its changes.
        if second is None:
            errors = attempt(diagnosis, variant, value)
            if errors is None:
                return
        else:
            errors = explain(diagnosis, variant, value)
            if errors is None:
                apply(diagnosis, variant, value)
                return
            if attempt(diagnosis, second, value) is None:
                return
        listed = variants.listed.values()
        if any(_fits_better(diagnosis, one, variant, value) for one in listed):
            refuse()
        else:
            report(diagnosis, errors)

    if isinstance(tag, str):
        if tag in variants.listed:
            return choose(variants.listed[tag], fallback)
        if id(value.source) in diagnosis.received:
            return None
        if variants.open is not None:
            return _diagnose_unknown(diagnosis, tag, variants.open, value)
        if fallback is not None and attempt(diagnosis, fallback, value) is None:
            return None
        if fallback is None and diagnosis.mode == "keep":
            return diagnosis.note("unknown", f"{render(tag)} is not known")
    else:
        untagged = absent if absent is not None else fallback
        if (tag is MISSING or tag is None) and untagged is not None:
            return choose(untagged)
        if absent is not None and variants.is_lenient and repairs:
            holder.change(key, MISSING)
            diagnosis.note("default-on-error", "expected string")
            return absent(diagnosis, value)
        if fallback is not None:
            return choose(fallback)
    return refuse()


def _diagnose_unknown(
    diagnosis: Diagnosis, tag: str, variant: Diagnose, value: Any
) -> None:
    """Diagnoses a value whose tag an open union does not list."""
    holder, key, failures = diagnosis.holder, diagnosis.key, diagnosis.failures
    is_custom = tag.startswith("_")
    if diagnosis.mode == "send" and not is_custom:
        expected = 'a known value, or a name that begins with "_"'
        return diagnosis.reject("enum", expected, tag)
    holder.is_open = True
    variant(diagnosis, value)
    if diagnosis.failures > failures:
        return None
    diagnosis.holder = holder
    diagnosis.key = key
    if not is_custom:
        diagnosis.note("unknown", f"{render(tag)} is not known")
    return None


def _refuse(diagnosis: Diagnosis, tag: Any, variants: Variants) -> None:
    if isinstance(tag, str):
        diagnosis.reject("enum", f"one of {', '.join(variants.listed)}", tag)
    else:
        diagnosis.reject("type", "string", tag)


def _fits_better(
    diagnosis: Diagnosis, other: Diagnose, variant: Diagnose, value: Any
) -> bool:
    """Returns whether another variant accepts a value and leaves less undeclared."""
    return (
        other is not variant
        and explain(diagnosis, other, value) is None
        and _count_undeclared(diagnosis, other, value)
        < _count_undeclared(diagnosis, variant, value)
    )


def _count_undeclared(diagnosis: Diagnosis, diagnose: Diagnose, value: Any) -> int:
    if not isinstance(value, Tracked):
        return 0
    tracked = value.retry()
    try_out(diagnosis, diagnose, tracked, diagnosis.mode)
    # A function that reads no properties accepts all of them.
    if not tracked.declared or tracked.is_open or tracked.is_superseded:
        return 0
    declared = set(tracked.declared)
    return sum(1 for key in tracked.source if key not in declared)


def _closest(diagnosis: Diagnosis, fitting: list[Diagnose], value: Any) -> Diagnose:
    """Returns the first variant for receivers; for senders, the one that declares most."""
    if diagnosis.mode != "send" or diagnosis.is_trial or len(fitting) == 1:
        return fitting[0]
    return min(fitting, key=lambda one: _count_undeclared(diagnosis, one, value))


def alternatives(
    diagnosis: Diagnosis, value: Any, is_exclusive: bool, variants: list[Diagnose]
) -> None:
    """Diagnoses a union without a tag.

    Selects the first variant that accepts the value without repairs, otherwise the first
    that accepts it with repairs. When all reject it, reports the errors of the variant
    that fails at a deeper path, if there is only one.
    """
    mode = diagnosis.mode
    modes: list[Mode] = ["strict", mode] if diagnosis.repairs else [mode]
    reports: list[list[Issue]] = []
    for as_mode in modes:
        reports = []
        fitting: list[Diagnose] = []
        for variant in variants:
            errors = explain(diagnosis, variant, value, as_mode)
            if errors is None:
                fitting.append(variant)
            else:
                reports.append(errors)
        if is_exclusive and len(fitting) > 1:
            return diagnosis.reject("oneOf", "only one variant", value)
        if not fitting:
            continue
        chosen = _closest(diagnosis, fitting, value)
        changes = diagnosis.changes
        tracked = apply(diagnosis, chosen, value)
        if not is_exclusive or diagnosis.changes == changes:
            return None
        built = MISSING if tracked is None else tracked.build()
        others = (one for one in variants if one is not chosen)
        if not any(is_valid(one, built) for one in others):
            return None
        # The changes make the value fit another variant, too.
        if as_mode == "strict":
            # A valid value stays without its defaults.
            retry(value)
            return None
        return diagnosis.reject("oneOf", "only one variant", value)
    return _report_alternatives(diagnosis, value, reports)


def _report_alternatives(
    diagnosis: Diagnosis, value: Any, reports: list[list[Issue]]
) -> None:
    diagnosis.locate(value)
    path = diagnosis.pointer()
    inside = [errors for errors in reports if errors and errors[0].pointer != path]
    wrong = [errors for errors in inside if errors[0].rule != "required"]
    meant = wrong if wrong else inside[:1]
    if len(meant) == 1:
        return report(diagnosis, meant[0])
    expected = dict.fromkeys(errors[0].expected for errors in reports if errors)
    return diagnosis.reject("anyOf", " or ".join(expected), value)
