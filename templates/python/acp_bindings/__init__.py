"""Bindings of the Agent Client Protocol: one subpackage for each profile."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._runtime.message import UNSET, Message, Unknown, Unset
from ._runtime.results import Failure, InvalidValueError, Issue, Note, Success

if TYPE_CHECKING:
    from ._runtime.role.agent_session import AgentSession, ToolCall
    from ._runtime.role.client_session import Turn
    from ._runtime.role.connect import connect, connect_in_memory, serve, spawn_agent
    from ._runtime.role.role import Context
    from ._runtime.role.stdio import spawn, stdio
    from ._runtime.rpc.errors import (
        AcpError,
        AuthRequiredError,
        CapabilityError,
        ConnectionClosedError,
        ErrorCode,
        NotInitializedError,
        RequestTimeoutError,
        RpcError,
    )
    from ._runtime.rpc.receiver import Limits
    from ._runtime.rpc.stream import ByteStream, memory_streams
    from ._runtime.session.state import SessionState
    from ._runtime.session.state_v1 import SessionStateV1
    from ._runtime.session.state_v2 import SessionStateV2

__all__ = [
    "UNSET",
    "AcpError",
    "AgentSession",
    "AuthRequiredError",
    "ByteStream",
    "CapabilityError",
    "ConnectionClosedError",
    "Context",
    "ErrorCode",
    "Failure",
    "InvalidValueError",
    "Issue",
    "Limits",
    "Message",
    "NotInitializedError",
    "Note",
    "RequestTimeoutError",
    "RpcError",
    "SessionState",
    "SessionStateV1",
    "SessionStateV2",
    "Success",
    "ToolCall",
    "Turn",
    "Unknown",
    "Unset",
    "connect",
    "connect_in_memory",
    "memory_streams",
    "serve",
    "spawn",
    "spawn_agent",
    "stdio",
]

# Connections need asyncio, which programs that only decode do not have to load.
_MODULES = {
    "AcpError": "rpc.errors",
    "AgentSession": "role.agent_session",
    "AuthRequiredError": "rpc.errors",
    "ByteStream": "rpc.stream",
    "CapabilityError": "rpc.errors",
    "ConnectionClosedError": "rpc.errors",
    "Context": "role.role",
    "ErrorCode": "rpc.errors",
    "Limits": "rpc.receiver",
    "NotInitializedError": "rpc.errors",
    "RequestTimeoutError": "rpc.errors",
    "RpcError": "rpc.errors",
    "SessionState": "session.state",
    "SessionStateV1": "session.state_v1",
    "SessionStateV2": "session.state_v2",
    "ToolCall": "role.agent_session",
    "Turn": "role.client_session",
    "connect": "role.connect",
    "connect_in_memory": "role.connect",
    "memory_streams": "rpc.stream",
    "serve": "role.connect",
    "spawn": "role.stdio",
    "spawn_agent": "role.connect",
    "stdio": "role.stdio",
}


# Type checkers know every name, and report the others.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Imports a part of the package when it is first used."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f"._runtime.{_MODULES[name]}", __name__)
        globals()[name] = value = getattr(module, name)
        return value
