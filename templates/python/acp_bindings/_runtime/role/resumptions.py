"""The resumptions of sessions that an agent has not answered, after version 1."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ..gates.paths import read


class Resumptions:
    """Reports the state of a session that is resumed when its handler has not.

    The agent must send it before its answer, with or without a replay.
    """

    def __init__(self, report_state: Callable[[str], Awaitable[None]]) -> None:
        self._report_state = report_state
        self._without_state: dict[object, str] = {}
        """Those since which no state was sent, with the ids of their sessions."""

    async def run(self, params: Any, handle: Callable[[], Awaitable[Any]]) -> Any:
        """Handles a request. Returns its result once the state of the session was sent."""
        resumption, session_id = object(), params["sessionId"]
        self._without_state[resumption] = session_id
        try:
            result = await handle()
            if resumption in self._without_state:
                await self._report_state(session_id)
        finally:
            self._without_state.pop(resumption, None)
        return result

    def sent(self, params: Any) -> None:
        """Takes the params of a message that was sent."""
        if not self._without_state:
            return
        if read(params, ["update", "sessionUpdate"]) != "state_update":
            return
        session_id = params.get("sessionId")
        for resumption, one in list(self._without_state.items()):
            if one == session_id:
                del self._without_state[resumption]
