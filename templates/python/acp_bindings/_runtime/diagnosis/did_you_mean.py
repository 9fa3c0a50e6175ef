"""Suggestions for names that are mistyped."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(given: str, names: Iterable[str]) -> str | None:
    """Returns the most similar of several names; None when none is similar.

    Names with the same words in another order, or with one word less, are similar too.
    """
    found: str | None = None
    least = max(2, len(given) // 3)
    for name in sorted(names):
        distance = min(_distance(given.lower(), name.lower()), _words(given, name))
        if distance <= least:
            found = name
            least = distance - 1
    return found


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """Returns ` (did you mean "x"?)` for the most similar name, or an empty text."""
    found = nearest(given, names)
    return "" if found is None else f' (did you mean "{found}"?)'


def _words(given: str, name: str) -> int:
    own, other = given.split("_"), name.split("_")
    if sorted(own) == sorted(other):
        return 0
    is_part = own[1:] == other or own == other[1:]
    return 1 if is_part else len(given) + len(name)


def _distance(given: str, name: str) -> int:
    """Returns the Levenshtein distance between two texts."""
    row = list(range(len(name) + 1))
    for i, letter in enumerate(given, 1):
        following = [i]
        for j, other in enumerate(name, 1):
            replaced = row[j - 1] + (letter != other)
            following.append(min(replaced, row[j] + 1, following[j - 1] + 1))
        row = following
    return row[-1]
