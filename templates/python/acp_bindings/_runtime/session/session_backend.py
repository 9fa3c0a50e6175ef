"""Where the sessions of an agent are stored, so that another process can open them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from .. import sentences
from ..rpc.errors import AcpError, ErrorCode, RpcError


class StoredSession(NamedTuple):
    """A session as a backend keeps it."""

    cwd: str
    """An absolute path."""
    title: str | None
    updated_at: str
    """A date and time of RFC 3339."""
    state: str
    """The state that the store has encoded."""
    prompts: Mapping[str, str] = {}
    """The ids of the messages of prompts, by their `idempotencyKey`."""


class SessionBackend(Protocol):
    """Stores sessions by principal and id: ids of different principals are different sessions.

    The principal is the caller to whom a session belongs; it is empty where all callers are
    one. An id is chosen by the agent, but received from the client: it may be any text.
    """

    async def load(
        self, principal: str, session_id: str
    ) -> tuple[StoredSession, str] | None:
        """Returns a session and its revision; None if there is none."""
        ...

    async def save(
        self,
        principal: str,
        session_id: str,
        session: StoredSession,
        revision: str | None,
    ) -> str:
        """Stores a session, if nobody else has changed it since `revision` was read.

        `revision` is None for a session that must not exist yet. Returns the new revision,
        which is different for every save of the session, those before a deletion included.
        Raises StaleSessionError when the stored revision is another one.
        """
        ...

    async def delete(self, principal: str, session_id: str) -> None:
        """Removes a session; one that does not exist is not an error."""
        ...

    async def list(
        self, principal: str, cwd: str | None, cursor: str | None
    ) -> Mapping[str, Any]:
        """Returns the result of `session/list` as JSON, the newest session first.

        Raises the RpcError "Invalid params" (-32602) for an invalid cursor.
        """
        ...


class StaleSessionError(RpcError):
    """Another process has changed or deleted a session since it was opened here."""

    def __init__(self, session_id: str) -> None:
        text = sentences.session_changed
        data = {"reason": "session_changed", "sessionId": session_id}
        super().__init__(ErrorCode.INTERNAL_ERROR, text, data)


class UnreadableSessionError(AcpError):
    """A stored value is not a session: it is damaged, or another program has written it."""

    def __init__(self, place: str, reason: object) -> None:
        super().__init__(sentences.stored_unreadable(place, str(reason)))


def invalid_cursor() -> RpcError:
    """Returns the error for a cursor that does not come from a page of a list."""
    return RpcError.invalid_params("Invalid cursor", {"pointer": "/cursor"})
