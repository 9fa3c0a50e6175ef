"""Results that the peer sends, with those that agents leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import sentences
from ..elicitation import unfit_content
from ..json_values import OBJECT
from ..protocol import Method
from ..results import Failure, Note, Success
from ..rpc.errors import RpcError, invalid_part
from ..rpc.reports import give_notes
from ..schema import Schema

if TYPE_CHECKING:
    from ..link import Link


def read_result(connection: Link, method: Method, result: Any, sent: Any) -> Any:
    """Decodes a result. Raises RpcError, which says where it is invalid.

    `sent` are the params of the request, as far as the result depends on them.
    """
    schema = connection.protocol.schema_of(method.result)
    decoded = schema.decode(result)
    if isinstance(decoded, Failure):
        decoded = _decode_empty(method, schema, result) or decoded
    unfit = unfit_content(sent, result)
    if isinstance(decoded, Success) and unfit is not None:
        decoded = Failure((unfit,))
    if isinstance(decoded, Failure):
        first = decoded.issues[0]
        error = invalid_part(method.name, "result", first.pointer, first.rule)
        text = f"{method.name} {sentences.invalid_answer(**error.data)}"
        raise RpcError(error.code, text, error.data, method=method.name)
    give_notes(connection.role, decoded.notes, method.name)
    return decoded.value


def _decode_empty(
    method: Method, schema: Schema[Any], value: Any
) -> Success[Any] | None:
    """Decodes a result that is null, or that lacks what its absence implies.

    A call that was answered with a result must not fail if a default lets the program
    continue.

    The result has a note of the rule `empty-result`; None when it stays invalid.
    """
    given: Any = {} if value is None else value
    if not isinstance(given, OBJECT):
        return None
    for implied in ({}, method.implied_result or {}):
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
