"""Where the sessions of an agent are stored, so that another process can open them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ..rpc.errors import ErrorCode, RpcError


class StoredSession(NamedTuple):
    """A session as a backend keeps it."""

    cwd: str
    """An absolute path."""
    title: str | None
    updated_at: str
    """A date and time of RFC 3339."""
    state: str
    """The state that the store has encoded."""


class SessionBackend(Protocol):
    """Stores sessions by principal and id: ids of different principals are different sessions.

    The principal is the caller to whom a session belongs; it is empty where all callers are
    one. An id is chosen by the agent, but received from the client: it may be any text.
    """

    async def load(
        self, principal: str, session_id: str
    ) -> tuple[StoredSession, str] | None:
        """Returns a session and its revision, which changes with every save; None if there is none."""
        ...

    async def save(
        self,
        principal: str,
        session_id: str,
        session: StoredSession,
        revision: str | None,
    ) -> str:
        """Stores a session, if nobody else has changed it since `revision` was read.

        `revision` is None for a session that must not exist yet. Returns the new revision.
        Raises StaleSessionError when the stored revision is another one.
        """
        ...

    async def delete(self, principal: str, session_id: str) -> None:
        """Removes a session; one that does not exist is not an error."""
        ...

    async def list(
        self, principal: str, cwd: str | None, cursor: str | None
    ) -> Mapping[str, Any]:
        """Returns the result of `session/list` as JSON, the newest session first."""
        ...


class StaleSessionError(RpcError):
    """Another process has changed or deleted a session since it was opened here."""

    def __init__(self, session_id: str) -> None:
        text = "The session was changed elsewhere and was not saved: open it again"
        data = {"reason": "session_changed", "sessionId": session_id}
        super().__init__(ErrorCode.INTERNAL_ERROR, text, data)


class MemorySessions:
    """A backend that keeps sessions in the memory of this process, for several stores."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], tuple[StoredSession, str]] = {}

    async def load(
        self, principal: str, session_id: str
    ) -> tuple[StoredSession, str] | None:
        return self._sessions.get((principal, session_id))

    async def save(
        self,
        principal: str,
        session_id: str,
        session: StoredSession,
        revision: str | None,
    ) -> str:
        key = (principal, session_id)
        if (self._sessions[key][1] if key in self._sessions else None) != revision:
            raise StaleSessionError(session_id)
        new_revision = os.urandom(16).hex()
        # The newest session is the last one.
        self._sessions.pop(key, None)
        self._sessions[key] = session, new_revision
        return new_revision

    async def delete(self, principal: str, session_id: str) -> None:
        self._sessions.pop((principal, session_id), None)

    async def list(
        self, principal: str, cwd: str | None, cursor: str | None
    ) -> Mapping[str, Any]:
        found = [
            entry_of(session_id, session)
            for (owner, session_id), (session, _) in reversed(self._sessions.items())
            if owner == principal and cwd in (None, session.cwd)
        ]
        return {"sessions": found}


def entry_of(session_id: str, session: StoredSession) -> dict[str, Any]:
    """Returns the entry of `session/list` for a stored session."""
    title = {} if session.title is None else {"title": session.title}
    facts = {"cwd": session.cwd, "updatedAt": session.updated_at}
    return {"sessionId": session_id, **facts, **title}
