"""Prompts that are sent again with their `idempotencyKey`, after version 1."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from ..rpc.after_response import AfterResponse

if TYPE_CHECKING:
    from ..link import Link
    from ..protocol import Method

_MAX_REMEMBERED = 1000
"""How many sessions, and prompts in each, a connection remembers."""


class PromptMessages(Protocol):
    """Remembers the messages of prompts with a key, with their sessions."""

    def find_message(self, session_id: str, key: str) -> str | None:
        """Returns the id of the message that the prompt with a key has inserted.

        The session has to be open.
        """
        ...

    def keep_message(self, session_id: str, key: str, message_id: str) -> None:
        """Remembers a message as long as its session."""
        ...


class _Remembered:
    """The prompts of a session: what their handlers return, by their keys."""

    def __init__(self) -> None:
        self.answers: dict[str, asyncio.Future[Any]] = {}
        self.is_closed = False


class PromptRetries:
    """Answers a prompt that is sent again as the first time, without its handler."""

    def __init__(self, connection: Link) -> None:
        self._connection = connection
        self._sessions: dict[str, _Remembered] = {}

    async def run(
        self, params: Any, later: AfterResponse, handle: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Handles a prompt, unless it is a retry."""
        session_id, key = params["sessionId"], params.get("idempotencyKey")
        # Sessions without keys leave nothing behind.
        if key is None:
            return await handle()
        session = self._sessions.setdefault(session_id, _Remembered())
        _forget_oldest(self._sessions)
        if session.is_closed:
            return await handle()
        store: PromptMessages | None = self._connection.role.session_store
        message_id = store and store.find_message(session_id, key)
        known = session.answers.get(key)
        if message_id or known is not None:
            # Whoever retries may have missed the end of the work.
            later.add(lambda: self._connection.turns.report_state(session_id))
            if message_id:
                return {"messageId": message_id}
            assert known is not None
            return await asyncio.shield(known)
        answer = asyncio.get_running_loop().create_future()
        session.answers[key] = answer
        _forget_oldest(session.answers)
        try:
            result = await handle()
        except BaseException as error:
            session.answers.pop(key, None)
            if isinstance(error, Exception):
                answer.set_exception(error)
                # There may be no retry that takes it.
                answer.exception()
            else:
                answer.cancel()
            raise
        answer.set_result(result)
        if store is not None:
            store.keep_message(session_id, key, result["messageId"])
        return result

    def handled(self, method: Method, params: Any) -> None:
        """Takes a method that was handled: a closed session has no prompts until it is resumed."""
        is_closed = "ends-session" in method.traits
        if is_closed or "resumes-session" in method.traits:
            session = self._sessions.get(params["sessionId"])
            if session is not None:
                session.is_closed = is_closed


def _forget_oldest(remembered: dict[str, Any]) -> None:
    if len(remembered) > _MAX_REMEMBERED:
        del remembered[next(iter(remembered))]
