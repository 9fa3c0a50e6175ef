"""Connects a role with a stream: an agent serves, a client starts the handshake."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Mapping
from typing import IO, Any, TypeVar

from ..json_values import OBJECT
from ..rpc.errors import ErrorCode, RpcError
from ..rpc.stream import ByteStream, memory_streams
from .peer import Peer
from .role import Role
from .role_connection import RoleConnection
from .stdio import spawn, stdio

PeerT = TypeVar("PeerT", bound=Peer)


async def serve(agent: Role[Any], stream: ByteStream | None = None) -> None:
    """Serves a client until it ends the connection; over standard input and output."""
    connection = await _start(agent, stream or stdio())
    try:
        await connection.rpc.wait_closed()
    finally:
        await connection.rpc.close()


@contextlib.asynccontextmanager
async def connect(
    client: Role[PeerT], stream: ByteStream
) -> AsyncGenerator[PeerT, None]:
    """Connects a client to an agent, completes the handshake, and gives the agent."""
    connection = await _start(client, stream)
    try:
        await _shake_hands(connection)
        yield connection.peer
    finally:
        await connection.rpc.close()


@contextlib.asynccontextmanager
async def connect_in_memory(
    agent: Role[Any], client: Role[PeerT]
) -> AsyncGenerator[PeerT, None]:
    """Connects an agent and a client of the same program, and gives the agent."""
    here, there = memory_streams()
    serving = asyncio.ensure_future(serve(agent, there))
    try:
        async with connect(client, here) as peer:
            yield peer
    finally:
        await serving


@contextlib.asynccontextmanager
async def spawn_agent(
    client: Role[PeerT],
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    stderr: int | IO[bytes] | None = None,
) -> AsyncGenerator[PeerT, None]:
    """Starts an agent as a process, completes the handshake, and gives the agent.

    The agent ends with the block, together with the processes that it has started.
    """
    async with (
        spawn(command, *arguments, cwd=cwd, env=env, stderr=stderr) as stream,
        connect(client, stream) as agent,
    ):
        yield agent


async def _start(role: Role[Any], stream: ByteStream) -> RoleConnection:
    try:
        connection = RoleConnection(role, stream)
    except BaseException:
        # The other side must not wait for ever.
        await stream.close()
        raise
    connection.rpc.start()
    return connection


async def _shake_hands(connection: RoleConnection) -> None:
    protocol = connection.protocol
    sent = {"protocolVersion": protocol.version, **connection.role.advertised}
    result = await connection.rpc.request("initialize", sent, None)
    method = protocol.find("agent", "request", "initialize")
    assert method is not None
    found: Any = result.get("protocolVersion") if isinstance(result, OBJECT) else None
    if isinstance(found, int) and found != protocol.version:
        text = (
            f"the agent speaks version {found} of the protocol, not {protocol.version}"
        )
        raise RpcError(ErrorCode.UNSUPPORTED_PROTOCOL_VERSION, text)
    connection.peer._read_result(method, result)
