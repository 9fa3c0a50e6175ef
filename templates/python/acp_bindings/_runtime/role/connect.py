"""Connects a role with a stream: an agent serves, a client starts the handshake."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import IO, Any, TypeVar, overload

from ..rpc.errors import RpcError
from ..rpc.stream import ByteStream, memory_streams
from ..stdio.stdio import stdio
from .handshake import shake_hands
from .peer import Peer
from .role import Role
from .role_connection import RoleConnection
from .versions import Leased, choose_agent, is_other_version, roles_of

PeerT = TypeVar("PeerT", bound=Peer)


async def serve(
    agent: Role[Any] | Sequence[Role[Any]], stream: ByteStream | None = None
) -> None:
    """Serves a client until it ends the connection; over standard input and output.

    Of several agents, one for each version of the protocol, the one with the newest version
    that the client knows serves it.
    """
    own = stream or stdio()
    try:
        chosen, own = await choose_agent(roles_of(agent, "agent"), own)
    except BaseException:
        # The other side must not wait for ever.
        await own.close()
        raise
    connection = await _start(chosen, own)
    try:
        await connection.rpc.wait_closed()
    finally:
        await connection.rpc.close()


@overload
def connect(
    client: Role[PeerT], stream: ByteStream, *, timeout: float | None = None
) -> AbstractAsyncContextManager[PeerT]: ...


@overload
def connect(
    client: Sequence[Role[Any]], stream: ByteStream, *, timeout: float | None = None
) -> AbstractAsyncContextManager[Peer]: ...


@contextlib.asynccontextmanager
async def connect(
    client: Role[Any] | Sequence[Role[Any]],
    stream: ByteStream,
    *,
    timeout: float | None = None,
) -> AsyncGenerator[Any, None]:
    """Connects a client to an agent, completes the handshake, and gives the agent.

    `timeout` is for the handshake, in seconds. Of several clients, one for each version of
    the protocol, the one with the newest version that the agent speaks is connected: the
    class of the agent shows which it is.
    """
    try:
        clients = roles_of(client, "client")
        connection = await _agree(clients, Leased(stream), timeout)
        try:
            yield connection.peer
        finally:
            await connection.rpc.close()
    finally:
        await stream.close()


@contextlib.asynccontextmanager
async def connect_in_memory(
    agent: Role[Any] | Sequence[Role[Any]], client: Role[PeerT]
) -> AsyncGenerator[PeerT, None]:
    """Connects an agent and a client of the same program, and gives the agent."""
    here, there = memory_streams()
    serving = asyncio.ensure_future(serve(agent, there))
    try:
        async with connect(client, here) as peer:
            yield peer
    finally:
        await serving


@overload
def spawn_agent(
    client: Role[PeerT],
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str | None] | None = None,
    inherit_env: bool = True,
    stderr: int | IO[bytes] | Callable[[str], None] | None = None,
    timeout: float | None = None,
    silence: float | None = None,
) -> AbstractAsyncContextManager[PeerT]: ...


@overload
def spawn_agent(
    client: Sequence[Role[Any]],
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str | None] | None = None,
    inherit_env: bool = True,
    stderr: int | IO[bytes] | Callable[[str], None] | None = None,
    timeout: float | None = None,
    silence: float | None = None,
) -> AbstractAsyncContextManager[Peer]: ...


@contextlib.asynccontextmanager
async def spawn_agent(
    client: Any,
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str | None] | None = None,
    inherit_env: bool = True,
    stderr: int | IO[bytes] | Callable[[str], None] | None = None,
    timeout: float | None = None,
    silence: float | None = None,
) -> AsyncGenerator[Any, None]:
    """Starts an agent as a process, completes the handshake, and gives the agent.

    The agent ends with the block, together with the processes that it has started. Several
    clients are possible as in `connect`. What is started, and `cwd`, `env`, `inherit_env`
    and `stderr`, are as in `spawn`: `env` adds to the environment. `timeout` is for the
    handshake, in seconds. `silence` is as well, and everything renews it that the agent
    writes; see `AgentProcess.wait_for`.
    """
    from ..stdio.process import spawn

    async with spawn(
        command,
        *arguments,
        cwd=cwd,
        env=env,
        inherit_env=inherit_env,
        stderr=stderr,
    ) as stream:
        try:
            agreement = _agree(roles_of(client, "client"), Leased(stream), timeout)
            if silence is not None:
                agreement = stream.wait_for(agreement, silence=silence)
            connection = await agreement
            try:
                yield connection.peer
            finally:
                await connection.rpc.close()
        finally:
            await stream.close()


async def _agree(
    clients: list[Role[Any]], stream: ByteStream, timeout: float | None
) -> RoleConnection:
    """Connects the first of the clients whose version the agent speaks."""
    for client in clients:
        connection = await _start(client, stream)
        try:
            await shake_hands(connection, timeout)
            return connection
        except RpcError as error:
            await connection.rpc.close()
            if client is clients[-1] or not is_other_version(error):
                raise
        except BaseException:
            await connection.rpc.close()
            raise
    raise ValueError("there is no client to connect")


async def _start(role: Role[Any], stream: ByteStream) -> RoleConnection:
    try:
        connection = RoleConnection(role, stream)
    except BaseException:
        # The other side must not wait for ever.
        await stream.close()
        raise
    connection.rpc.start()
    return connection
