"""Suggestions for names that are mistyped."""

from __future__ import annotations

from collections.abc import Iterable

from .. import sentences


def nearest(given: str, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Returns the most similar of several names; None when none is similar.

    A name with the same words in another order is the most similar one.
    """
    # Imported here, since few programs ever need it.
    from difflib import get_close_matches

    known = {name.lower(): name for name in sorted(names, reverse=True)}
    words = set(given.lower().split("_"))
    found = next((name for name in known if set(name.split("_")) == words), None)
    found = found or next(
        iter(get_close_matches(given.lower(), known, 1, cutoff)), None
    )
    return None if found is None else known[found]


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """Returns ` (did you mean "x"?)` for the most similar name, or an empty text."""
    found = nearest(given, names)
    return "" if found is None else sentences.did_you_mean(found)
