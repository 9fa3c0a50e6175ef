"""Agents for several versions of the protocol in one program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..json_text import parse_json
from ..json_values import OBJECT
from ..protocol import INITIALIZE, Side
from ..rpc.errors import ErrorCode, RpcError
from ..rpc.stream import ByteStream, LineSplitter, LongLine
from .role import Role

# Type checkers do not narrow by it.
_SEVERAL: Any = Sequence
_NEWEST = 2**31
_LONGEST_START = 1024 * 1024
"""How many bytes may come before `initialize`."""


def roles_of(given: Any, side: Side) -> list[Role[Any]]:
    """Returns one role or several as a list, that of the newest version first.

    Raises TypeError for what is not a role of this side, ValueError for two of one version.
    """
    roles: list[Any] = [*given] if isinstance(given, _SEVERAL) else [given]
    for one in roles:
        if isinstance(one, type):
            name = one.__name__
            raise TypeError(f"{name} is a class: pass an object, e.g. {name}(info=...)")
        if getattr(one, "SIDE", None) != side:
            article = "an" if side == "agent" else "a"
            raise TypeError(f"{type(one).__name__} is not {article} {side}")
    versions = [one.PROTOCOL.version for one in roles]
    for version in versions:
        if versions.count(version) > 1:
            raise ValueError(
                f"version {version} was given twice: pass one {side} for each version"
            )
    return sorted(roles, key=lambda one: -one.PROTOCOL.version)


def is_other_version(error: RpcError) -> bool:
    """Returns whether a handshake has failed because of the version."""
    return error.code == ErrorCode.UNSUPPORTED_PROTOCOL_VERSION


async def choose_agent(
    agents: list[Role[Any]], stream: ByteStream
) -> tuple[Role[Any], ByteStream]:
    """Reads until `initialize`. Returns the agent to answer it, and the stream as it was.

    It is the first of the agents whose version does not exceed the requested one, else
    the last; messages before `initialize` are left to it.
    """
    if not agents:
        raise ValueError("there is no agent to connect")
    if len(agents) == 1:
        return agents[0], stream
    lines = LineSplitter()
    read: list[bytes] = []
    requested: int | None = None
    while requested is None and sum(map(len, read)) < _LONGEST_START:
        chunk = await stream.read()
        read.append(chunk)
        if not chunk:
            break
        for line in lines.feed(chunk):
            requested = _requested_version(line) if requested is None else requested
    chosen = agents[0]
    if requested is not None:
        fitting = [one for one in agents if one.PROTOCOL.version <= requested]
        chosen = fitting[0] if fitting else agents[-1]
    return chosen, _Replayed(b"".join(read), stream)


def _requested_version(line: bytes | LongLine) -> int | None:
    """Returns the version that an `initialize` request asks for.

    A malformed version is left to the newest agent, which refuses it.
    """
    if isinstance(line, LongLine) or b"initialize" not in line:
        return None
    try:
        message: Any = parse_json(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, OBJECT) or message.get("method") != INITIALIZE:
        return None
    params = message.get("params")
    version = params.get("protocolVersion") if isinstance(params, OBJECT) else None
    return version if isinstance(version, int) else _NEWEST


class Leased:
    """A stream that one connection after the other uses."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream

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
        return await self._stream.read()

    def write(self, data: bytes) -> None:
        self._stream.write(data)

    async def drain(self) -> None:
        await self._stream.drain()

    async def close(self) -> None:
        """Leaves the stream open for the next connection."""


class _Replayed(Leased):
    """A stream of which the beginning was read already."""

    def __init__(self, start: bytes, stream: ByteStream) -> None:
        super().__init__(stream)
        self._start = start

    async def read(self) -> bytes:
        start, self._start = self._start, b""
        return start or await self._stream.read()

    async def close(self) -> None:
        await self._stream.close()
