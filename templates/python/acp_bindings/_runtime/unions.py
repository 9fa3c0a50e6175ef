"""Functions that diagnose unions: they choose a variant and report its errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .diagnosis import MISSING, Diagnose, Diagnosis, Mode, Tracked, render
from .results import Issue


@dataclass(frozen=True)
class Variants:
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
            errors = _attempt(diagnosis, variant, value)
            if errors is None:
                return
        else:
            errors = _explain(diagnosis, variant, value)
            if errors is None:
                _apply(diagnosis, variant, value)
                return
            if _attempt(diagnosis, second, value) is None:
                return
        listed = variants.listed.values()
        if any(_fits_better(diagnosis, one, variant, value) for one in listed):
            refuse()
        else:
            _report(diagnosis, errors)

    if isinstance(tag, str):
        if tag in variants.listed:
            return choose(variants.listed[tag], fallback)
        if variants.open is not None:
            return _diagnose_unknown(diagnosis, tag, variants.open, value)
        if fallback is not None and _attempt(diagnosis, fallback, value) is None:
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
        expected = 'a known value, or one that starts with "_"'
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
        and _explain(diagnosis, other, value) is None
        and _count_undeclared(diagnosis, other, value)
        < _count_undeclared(diagnosis, variant, value)
    )


def _count_undeclared(diagnosis: Diagnosis, diagnose: Diagnose, value: Any) -> int:
    if not isinstance(value, Tracked):
        return 0
    tracked = value.retry()
    _try_out(diagnosis, diagnose, tracked, diagnosis.mode)
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
            errors = _explain(diagnosis, variant, value, as_mode)
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
        tracked = _apply(diagnosis, chosen, value)
        if not is_exclusive or diagnosis.changes == changes:
            return None
        built = MISSING if tracked is None else tracked.build()
        others = (one for one in variants if one is not chosen)
        if not any(is_valid(one, built) for one in others):
            return None
        # The changes make the value fit another variant, too.
        if as_mode == "strict":
            # A valid value stays without its defaults.
            _retry(value)
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
        return _report(diagnosis, meant[0])
    expected = dict.fromkeys(errors[0].expected for errors in reports if errors)
    return diagnosis.reject("anyOf", " or ".join(expected), value)


def _explain(
    diagnosis: Diagnosis, diagnose: Diagnose, value: Any, mode: Mode | None = None
) -> list[Issue] | None:
    """Returns the errors of a function; each path is tried once with each function."""
    as_mode = diagnosis.mode if mode is None else mode
    if not isinstance(value, Tracked):
        return _try_out(diagnosis, diagnose, value, as_mode)
    following = value.retry()
    results = value.trials.in_mode(as_mode)
    if diagnose not in results:
        results[diagnose] = _try_out(diagnosis, diagnose, following, as_mode)
    return results[diagnose]


def _try_out(
    diagnosis: Diagnosis, diagnose: Diagnose, value: Any, as_mode: Mode
) -> list[Issue] | None:
    """Runs a function, discards its reports and changes, and returns the errors."""
    mode, is_trial = diagnosis.mode, diagnosis.is_trial
    diagnosis.mode = as_mode
    diagnosis.is_trial = True
    errors = diagnosis.attempt(diagnose, value, discard=True)
    diagnosis.mode = mode
    diagnosis.is_trial = is_trial
    return errors


def _attempt(
    diagnosis: Diagnosis, diagnose: Diagnose, value: Any
) -> list[Issue] | None:
    """Runs a function for its changes, unless only its errors matter."""
    if diagnosis.is_trial:
        return _explain(diagnosis, diagnose, value)
    return diagnosis.attempt(diagnose, _retry(value))


def _apply(diagnosis: Diagnosis, diagnose: Diagnose, value: Any) -> Tracked | None:
    """Runs the function that a trial selected. Returns the object with its changes."""
    if diagnosis.is_trial:
        return None
    tracked = value.retry() if isinstance(value, Tracked) else None
    diagnose(diagnosis, value if tracked is None else tracked)
    return tracked


def _report(diagnosis: Diagnosis, errors: list[Issue]) -> None:
    """Adds the errors of an attempt to the report."""
    diagnosis.failures += 1
    diagnosis.issues.extend(errors[: diagnosis.max_issues - len(diagnosis.issues)])


def _retry(value: Any) -> Any:
    return value.retry() if isinstance(value, Tracked) else value
