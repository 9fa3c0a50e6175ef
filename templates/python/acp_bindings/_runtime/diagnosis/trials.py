"""Runs of a function to see whether a value fits, for its changes or without effects."""

from __future__ import annotations

from typing import Any

from ..results import Issue
from .diagnosis import Diagnose, Diagnosis, Mode, Tracked


def explain(
    diagnosis: Diagnosis, diagnose: Diagnose, value: Any, mode: Mode | None = None
) -> list[Issue] | None:
    """Returns the errors of a function; each path is tried once with each function."""
    as_mode = diagnosis.mode if mode is None else mode
    if not isinstance(value, Tracked):
        return try_out(diagnosis, diagnose, value, as_mode)
    following = value.retry()
    results = value.trials.in_mode(as_mode)
    if diagnose not in results:
        results[diagnose] = try_out(diagnosis, diagnose, following, as_mode)
    return results[diagnose]


def try_out(
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


def attempt(diagnosis: Diagnosis, diagnose: Diagnose, value: Any) -> list[Issue] | None:
    """Runs a function for its changes, unless only its errors matter."""
    if diagnosis.is_trial:
        return explain(diagnosis, diagnose, value)
    return diagnosis.attempt(diagnose, retry(value))


def apply(diagnosis: Diagnosis, diagnose: Diagnose, value: Any) -> Tracked | None:
    """Runs the function that a trial selected. Returns the object with its changes."""
    if diagnosis.is_trial:
        return None
    tracked = value.retry() if isinstance(value, Tracked) else None
    diagnose(diagnosis, value if tracked is None else tracked)
    return tracked


def retry(value: Any) -> Any:
    return value.retry() if isinstance(value, Tracked) else value


def report(diagnosis: Diagnosis, errors: list[Issue]) -> None:
    """Adds the errors of an attempt to the report."""
    diagnosis.failures += 1
    diagnosis.issues.extend(errors[: diagnosis.max_issues - len(diagnosis.issues)])
