"""Paths of capabilities that the protocol has."""

from __future__ import annotations

import re
from typing import Any

from .. import sentences
from ..diagnosis.did_you_mean import nearest
from ..schema import Schema


def known_path(message: Schema[Any], side: str, names: list[str]) -> list[str]:
    """Returns a path into the initialize message of a side, as the schema spells it.

    Names may be spelled as in Python. Whatever is below `_meta` is known. Raises ValueError
    for a path that the schema does not have.
    """
    fields = message.properties(message.definition) or {}
    found = _find(message, fields, names)
    if isinstance(found, list):
        return found
    name, known = found
    meant: str | None = nearest(name, known)
    if meant is None:
        # The capabilities themselves are often meant.
        for outer, shape in fields.items():
            inner = _find(message, message.properties(shape), names)
            if isinstance(inner, list) and outer.endswith("apabilities"):
                meant = ".".join([outer, *inner])
    hint = "" if meant is None else sentences.did_you_mean(meant)
    raise ValueError(sentences.unknown_capability(".".join(names), side, hint))


def _find(
    message: Schema[Any], fields: dict[str, Any] | None, names: list[str]
) -> list[str] | tuple[str, list[str]]:
    """Returns the path; or the name that does not exist, and those that do."""
    path: list[str] = []
    for index, name in enumerate(names):
        if fields is None or name.startswith("_"):
            return [*path, *names[index:]]
        spelled = {_as_in_python(one): one for one in fields}
        own = name if name in fields else spelled.get(name)
        if own is None:
            return name, list(fields)
        path.append(own)
        fields = message.properties(fields[own])
    return path


def _as_in_python(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
