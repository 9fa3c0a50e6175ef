"""Calls that are unanswered, as a transport knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rpc.messages import MessageId, classify, read_id


class OpenCalls:
    """The unanswered requests of one side, with the sessions that they name."""

    def __init__(self) -> None:
        self._sessions: dict[MessageId, str | None] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __contains__(self, message: Mapping[str, Any]) -> bool:
        """Returns whether the id of a message is that of a request."""
        return read_id(message.get("id")) in self._sessions

    def add(self, message: Mapping[str, Any], session: str | None) -> None:
        """Notes a message if it is a request that is answered."""
        if classify(message, null_ids=True).kind == "request":
            self._sessions[read_id(message["id"])] = session

    def take(self, response: Mapping[str, Any]) -> str | None:
        """Removes the request of a response, and returns the session that it names."""
        return self._sessions.pop(read_id(response.get("id")), None)

    def name(self, session: str) -> bool:
        """Returns whether one of them names a session."""
        return session in self._sessions.values()
