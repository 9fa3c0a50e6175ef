"""The handshake of a connection: `initialize`, and what both sides agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import sentences
from ..gates.gates import Gates
from ..json_values import LIST, OBJECT
from ..protocol import INITIALIZE, Place
from ..rpc.errors import ErrorCode, ProtocolVersionError, RpcError
from .nes import declare_encoding

if TYPE_CHECKING:
    from ..link import Link


async def shake_hands(connection: Link, timeout: float | None) -> None:
    """Initializes the agent. Raises ProtocolVersionError when it speaks another version."""
    protocol = connection.protocol
    sent = {"protocolVersion": protocol.version, **connection.role.advertised}
    try:
        result = await connection.rpc.request(INITIALIZE, sent, timeout)
    except RpcError as error:
        supported = _newest_supported(error)
        if supported is None:
            raise
        raise ProtocolVersionError(protocol.version, supported, INITIALIZE) from error
    method = protocol.find_initialize()
    found: Any = result.get("protocolVersion") if isinstance(result, OBJECT) else None
    if isinstance(found, int) and found != protocol.version:
        raise ProtocolVersionError(protocol.version, found, INITIALIZE)
    connection.peer._read_result(method, result)


def _newest_supported(error: RpcError) -> int | None:
    """Returns the newest version that an agent names in its refusal; None for other errors."""
    if error.code != ErrorCode.UNSUPPORTED_PROTOCOL_VERSION:
        return None
    supported: Any = (
        error.data.get("supported") if isinstance(error.data, OBJECT) else ()
    )
    versions = [one for one in supported or () if isinstance(one, int)]
    return max(versions, default=None)


def answer_handshake(connection: Link, params: Any) -> Any:
    """Answers the handshake.

    Version 1 allows to repeat it; later versions only before other requests.
    """
    protocol, role = connection.protocol, connection.role
    version = protocol.version
    if connection.is_used and version > 1:
        raise RpcError(ErrorCode.INVALID_REQUEST, sentences.initialize_first)
    requested: Any = (
        params.get("protocolVersion") if isinstance(params, OBJECT) else None
    )
    if isinstance(requested, int) and 1 < version and requested < version:
        raise RpcError(
            ErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
            sentences.unsupported_version,
            {"requested": requested, "supported": [version]},
        )
    method = protocol.find_initialize()
    connection.decode(method, params)
    # A capability of a wrong type is absent.
    params = protocol.initialize("client").repair(params)
    response: dict[str, Any] = {"protocolVersion": version, **role.advertised}
    if protocol.having("suggests-edits") is not None:
        own, client = (protocol.capabilities[side] for side in ("agent", "client"))
        declared = declare_encoding(
            response.get(own), params.get(client), role.position_encodings
        )
        if declared:
            response[own] = declared
    gates = Gates(protocol)
    gates.advertised = {"client": params}
    for place in method.result_places:
        if place.gate.side == "client" and gates.missing(place.gate) is not None:
            response = _without_entries(response, place, place.path)
    connection.agree(params, response)
    return response


def _without_entries(value: Any, place: Place, path: tuple[Any, ...]) -> Any:
    """Removes the entries of a list that need what the client did not advertise."""
    if path and isinstance(path[0], str):
        if not isinstance(value, OBJECT) or path[0] not in value:
            return value
        inner = _without_entries(value[path[0]], place, path[1:])
        return {**value, path[0]: inner}
    if len(path) != 1 or "each" not in path[0] or not isinstance(value, LIST):
        return value
    return [entry for entry in value if not _is_named(entry, place)]


def _is_named(entry: Any, place: Place) -> bool:
    value = entry.get(place.tag) if isinstance(entry, OBJECT) else entry
    return isinstance(value, str) and value in place.values
