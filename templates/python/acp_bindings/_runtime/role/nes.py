"""What both sides of next edit suggestions do on their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...nes import (
    PositionEncoding,
    agreed_position_encoding,
    choose_position_encoding,
    cut_context,
)
from ..json_values import LIST, OBJECT


def declare_encoding(
    own: Any, client: Any, supported: Sequence[PositionEncoding]
) -> dict[str, Any]:
    """Returns the agent's capabilities with its choice from the client's offers.

    Without an offer, or when the agent has declared an encoding, they stay unchanged.
    """
    capabilities: dict[str, Any] = own if isinstance(own, OBJECT) else {}
    offered = _offered(client)
    if not offered or capabilities.get("positionEncoding"):
        return capabilities
    chosen = choose_position_encoding(offered, supported)
    return {**capabilities, "positionEncoding": chosen}


def agreed_encoding(client: Any, agent: Any) -> PositionEncoding:
    """Returns the encoding on which both capabilities agree; see `nes`."""
    declared = agent.get("positionEncoding") if isinstance(agent, OBJECT) else None
    return agreed_position_encoding(_offered(client), declared)


def cut_suggestion(params: Any, agent: Any) -> Any:
    """Returns params of `nes/suggest` with the context that the agent advertises."""
    if not isinstance(params, OBJECT) or not isinstance(params.get("context"), OBJECT):
        return params
    nes: Any = agent.get("nes") if isinstance(agent, OBJECT) else None
    wishes: Any = nes.get("context") if isinstance(nes, OBJECT) else None
    cut = cut_context(params["context"], wishes if isinstance(wishes, OBJECT) else None)
    return {**params, "context": cut}


def _offered(client: Any) -> Any:
    if not isinstance(client, OBJECT):
        return []
    offered: Any = client.get("positionEncodings")
    if offered is None and isinstance(client.get("general"), OBJECT):
        offered = client["general"].get("positionEncodings")
    return offered if isinstance(offered, LIST) else []
