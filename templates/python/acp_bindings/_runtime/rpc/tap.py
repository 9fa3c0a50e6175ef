"""Functions that see every message of a stream."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any, Literal, TypeAlias

from ..json_text import parse_json
from .stream import ByteStream, LineSplitter, LongLine

_log = logging.getLogger("acp_bindings")

Direction: TypeAlias = Literal["incoming", "outgoing"]
"""The direction of a message, as the side that uses the stream sees it."""

Listener: TypeAlias = Callable[[Any, Direction, datetime], None]


def tap(stream: ByteStream, listener: Listener) -> ByteStream:
    """Returns a stream that calls a function for every message of another one.

    The function takes the message as JSON, its direction, and the time; its errors are
    logged. Lines that are not JSON are left out.
    """
    return _Tapped(stream, listener)


def create_recorder(
    side: Literal["agent", "client"], write: Callable[[str], object]
) -> Listener:
    """Returns a function for `tap` that writes each message as one line of JSON.

    The lines have a time and a sender: a transcript that `acp-codegen inspect` reads.
    `side` is the side that uses the stream.
    """
    other = "client" if side == "agent" else "agent"

    def record(message: Any, direction: Direction, time: datetime) -> None:
        sender = side if direction == "outgoing" else other
        entry = {"time": time.isoformat(), "from": sender, "message": message}
        write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")

    return record


class _Tapped:
    """A stream whose messages are seen in both directions."""

    def __init__(self, stream: ByteStream, listener: Listener) -> None:
        self._stream = stream
        self._listener = listener
        self._incoming = LineSplitter()
        self._outgoing = LineSplitter()

    @property
    def end_reason(self) -> str:
        """How the stream has ended; empty where the stream gives no reason."""
        reason: str = getattr(self._stream, "end_reason", "")
        return reason

    @property
    def unsent(self) -> int:
        """The bytes that are queued; 0 where the stream does not count them."""
        unsent: int = getattr(self._stream, "unsent", 0)
        return unsent

    async def read(self) -> bytes:
        chunk = await self._stream.read()
        self._see(chunk, self._incoming, "incoming")
        return chunk

    def write(self, data: bytes) -> None:
        self._stream.write(data)
        self._see(data, self._outgoing, "outgoing")

    async def drain(self) -> None:
        await self._stream.drain()

    async def close(self) -> None:
        await self._stream.close()

    def _see(self, data: bytes, lines: LineSplitter, direction: Direction) -> None:
        time = datetime.now(timezone.utc)  # noqa: UP017 - Python 3.10
        for line in lines.feed(data) if data else lines.finish():
            if isinstance(line, LongLine):
                continue
            try:
                message = parse_json(line)
            except (ValueError, RecursionError):
                continue
            try:
                self._listener(message, direction, time)
            except Exception:  # noqa: BLE001
                _log.exception("the function of a tap failed")
