"""Results that agents leave out although the schema requires them."""

from __future__ import annotations

from typing import Any

from ..json_values import OBJECT
from ..results import Note, Success
from ..schema import Schema

# What the absence of members means. An agent that answers with a result has carried the
# request out, so the call must not fail where there is a value to go on with.
_IMPLIED: dict[str, dict[str, Any]] = {
    "session/prompt": {"stopReason": "end_turn"},
    "session/list": {"sessions": []},
}


def decode_empty(method: str, schema: Schema[Any], value: Any) -> Success[Any] | None:
    """Decodes a result that is null, or that lacks what its absence implies.

    The result has a note of the rule `empty-result`; None when it stays invalid.
    """
    given: Any = {} if value is None else value
    if not isinstance(given, OBJECT):
        return None
    for implied in ({}, _IMPLIED.get(method, {})):
        decoded = schema.decode({**implied, **given})
        if isinstance(decoded, Success):
            reason = (
                f"{', '.join(implied)} was absent"
                if implied
                else "null stands for an empty result"
            )
            note = Note("repaired", "", "empty-result", reason)
            return Success(decoded.value, (note, *decoded.notes))
    return None
