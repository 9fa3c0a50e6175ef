"""Finds clean values that do not take the fast path of decoding or encoding.

Reads `{profile: {definition: [values]}}`; prints the number of values and those exceptions,
and what the decoders raise for a value whose tag has another type.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

from acp_bindings import Failure


def slow_parts(schema: Any, value: Any) -> list[str]:
    """Returns which of `decode` and `encode` need a diagnosis for a valid value."""
    decoded = schema.decode(value)
    if isinstance(decoded, Failure) or decoded.notes:
        # It has values that no fast path accepts, on purpose.
        return []
    found: list[str] = []
    try:
        schema._decode(value, 0)
    except (KeyError, TypeError):
        found.append("decode")
    given = decoded.value
    try:
        schema._encoders[type(given)](given, True)
    except KeyError:
        found.append("encode")
    return found


def with_other_tags(value: Any, tags: set[str]) -> Iterator[None]:
    """Gives each tag in a value another type for the time of one step."""
    if isinstance(value, list):
        for item in value:
            yield from with_other_tags(item, tags)
    elif isinstance(value, dict):
        for name, part in list(value.items()):
            yield from with_other_tags(part, tags)
            if name in tags:
                for other in (5, None, [], {}, "other", "_other"):
                    value[name] = other
                    yield
                value[name] = part


def raised_by(schema: Any, value: Any, tags: set[str]) -> list[str]:
    found: list[str] = []
    for _ in with_other_tags(value, tags):
        try:
            decoded = schema.decode(value)
            if isinstance(decoded, Failure) and schema.is_valid(value):
                found.append(f"{value!r} is valid")
        except Exception as error:  # noqa: BLE001
            found.append(f"{value!r}: {error!r}")
    return found


checked = 0
raised: list[str] = []
slow: list[tuple[str, str, str]] = []
for profile, definitions in json.load(sys.stdin).items():
    package = f"acp_bindings.{profile.replace('-', '_')}.schemas"
    schemas = importlib.import_module(package)
    table = schemas._CODEC._load_table()
    tags = {node[1] for node in table.values() if node[0] == "tagged"}
    for name, values in definitions.items():
        schema = getattr(schemas, name)
        checked += len(values)
        parts = {part for value in values for part in slow_parts(schema, value)}
        slow += [(profile, name, part) for part in sorted(parts)]
        for value in values if profile in ("v1", "v1-full", "v2-full") else ():
            raised += raised_by(schema, value, tags)
print(json.dumps({"checked": checked, "slow": slow, "raised": raised}))
