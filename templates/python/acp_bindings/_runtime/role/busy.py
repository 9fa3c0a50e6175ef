"""What an agent does with a prompt while another one of its session is not answered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .. import sentences
from ..gates.paths import read
from ..rpc.errors import ErrorCode, RpcError
from ..rpc.messages import MessageId

if TYPE_CHECKING:
    from ..link import Link
    from ..protocol import Method

WhileBusy: TypeAlias = Literal["parallel", "queue", "refuse"]


def prompts_before(
    connection: Link, method: Method, params: Any, request_id: MessageId
) -> list[asyncio.Future[None]]:
    """Returns the ends of the prompts that a prompt waits for.

    Raises RpcError for a prompt of a session that is busy, where the agent refuses those.
    """
    choice = connection.role.while_busy
    if choice == "parallel" or "starts-turn" not in method.traits:
        return []
    session_id = read(params, ["sessionId"])

    def is_same(other: str, given: Any) -> bool:
        return other == method.name and read(given, ["sessionId"]) == session_id

    earlier = connection.rpc.inbound.unanswered(is_same, request_id)
    if choice == "refuse" and (earlier or connection.has_turn(session_id)):
        raise RpcError(ErrorCode.INVALID_REQUEST, sentences.session_busy)
    # Later versions answer a prompt at once, and queue its turn.
    return earlier if connection.protocol.version == 1 else []
