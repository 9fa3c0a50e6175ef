"""The sessions of an agent, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from .. import sentences
from ..rpc.errors import AcpError


async def sessions_of(
    method: str, read: Callable[[Any], Awaitable[Any]], cursor: Any
) -> AsyncIterator[Any]:
    """Iterates over the sessions of pages, which `read` gets by their cursor.

    Raises AcpError when the agent gives a cursor again.
    """
    cursors: set[str] = set()
    while True:
        page = await read(cursor)
        for session in page.sessions:
            yield session
        cursor = page.next_cursor
        if not isinstance(cursor, str):
            return
        if cursor in cursors:
            raise AcpError(sentences.repeated_cursor(method), method)
        cursors.add(cursor)
