"""Continues a session in one of the ways that the agent has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, Literal, TypeAlias, TypeVar

from ..rpc.errors import CapabilityError, ErrorCode, RpcError

SessionT = TypeVar("SessionT")

History: TypeAlias = Literal["known", "replay"]
Way: TypeAlias = Literal["resume", "load"]

_REFUSALS = frozenset(
    (
        ErrorCode.RESOURCE_NOT_FOUND,
        ErrorCode.METHOD_NOT_FOUND,
        ErrorCode.INVALID_PARAMS,
        ErrorCode.INTERNAL_ERROR,
    )
)
"""The codes of agents that do not know a session, a method or its params, or that failed.

The user has to sign in, or the connection is closed, for every way.
"""


class ContinuedSession(Generic[SessionT]):
    """A session that was continued, or a new one in its place."""

    def __init__(
        self,
        how: Way | Literal["new"],
        session: SessionT,
        reasons: Sequence[CapabilityError | RpcError],
    ) -> None:
        self.how = how
        """`resume`: the session continues. `load`: it continues, and the agent has replayed
        its messages. `new`: it could not be continued, and this session knows nothing of it."""
        self.session = session
        self.reasons = reasons
        """Why other ways failed, in the order in which they were tried: what the agent did
        not advertise, or its answer."""

    def __repr__(self) -> str:
        return f"<ContinuedSession {self.how} {self.session!r}>"


async def continued(
    session_id: str | None,
    history: History,
    ways: Mapping[Way, Callable[[str], Awaitable[SessionT]]],
    create: Callable[[], Awaitable[SessionT]],
) -> ContinuedSession[SessionT]:
    """Continues a session in one of the ways that the agent has, or opens a new one."""
    reasons: list[CapabilityError | RpcError] = []
    order: tuple[Way, Way] = (
        ("load", "resume") if history == "replay" else ("resume", "load")
    )
    for way in order:
        if session_id is None or way not in ways:
            continue
        try:
            return ContinuedSession(way, await ways[way](session_id), reasons)
        except CapabilityError as error:
            reasons.append(error)
        except RpcError as error:
            if error.code not in _REFUSALS:
                raise
            reasons.append(error)
    return ContinuedSession("new", await create(), reasons)
