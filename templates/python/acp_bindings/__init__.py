"""Bindings of the Agent Client Protocol: one subpackage for each profile."""

from ._runtime.message import UNSET, Message, Unknown, Unset
from ._runtime.results import Failure, InvalidValueError, Issue, Note, Success
from ._runtime.role.agent_session import AgentSession, ToolCall
from ._runtime.role.client_session import Turn
from ._runtime.role.connect import connect, serve, spawn_agent
from ._runtime.role.role import Context
from ._runtime.role.stdio import spawn, stdio
from ._runtime.rpc.connection import Limits
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
from ._runtime.rpc.stream import ByteStream, memory_streams

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
    "Success",
    "ToolCall",
    "Turn",
    "Unknown",
    "Unset",
    "connect",
    "memory_streams",
    "serve",
    "spawn",
    "spawn_agent",
    "stdio",
]
