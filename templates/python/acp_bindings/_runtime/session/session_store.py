"""The sessions of an agent."""

from __future__ import annotations

import os
from typing import TypeVar

from ..rpc.errors import RpcError

StateT = TypeVar("StateT")


class SessionStore(dict[str, StateT]):
    """The state that an agent keeps for each session, by id.

    An id that it does not have raises the RpcError "Session not found" (-32002), which a
    handler may leave to the client.
    """

    def create(self, state: StateT, session_id: str | None = None) -> str:
        """Stores the state of a session. Returns its id, a random one by default."""
        own_id = os.urandom(16).hex() if session_id is None else session_id
        self[own_id] = state
        return own_id

    def __missing__(self, session_id: str) -> StateT:
        data = {"sessionId": session_id}
        raise RpcError.resource_not_found("Session not found", data)
