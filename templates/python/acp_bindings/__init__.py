"""Bindings of the Agent Client Protocol: one subpackage for each profile."""

from typing import TYPE_CHECKING, Any

from ._runtime.message import UNSET, Message, Unknown, Unset
from ._runtime.results import Failure, InvalidValueError, Issue, Note, Success

if TYPE_CHECKING:
    from ._runtime.elicitation import check_elicitation, elicitation_defaults
    from ._runtime.file_uri import file_path, file_uri
    from ._runtime.mcp_launch import McpAddress, McpCommand, mcp_launch
    from ._runtime.remote.messages import messages
    from ._runtime.remote.streams import streams
    from ._runtime.role.connect import connect, connect_in_memory, serve, spawn_agent
    from ._runtime.role.intercept import Call, Proceed
    from ._runtime.role.options.extensions import extension
    from ._runtime.role.proxy.relay import serve_proxy
    from ._runtime.role.role import Context
    from ._runtime.rpc.errors import (
        AcpError,
        AgentSilentError,
        AgentStartError,
        AuthRequiredError,
        CapabilityError,
        ConnectionClosedError,
        ErrorCode,
        NotInitializedError,
        ProtocolVersionError,
        RequestTimeoutError,
        RpcError,
    )
    from ._runtime.rpc.noise import ConnectionStats
    from ._runtime.rpc.receiver import Limits
    from ._runtime.rpc.stream import ByteStream, memory_streams
    from ._runtime.rpc.tap import create_recorder, tap
    from ._runtime.session.client_turn import Turn, TurnEnd
    from ._runtime.session.continue_session import ContinuedSession
    from ._runtime.session.file_sessions import FileSessions
    from ._runtime.session.key_value_sessions import (
        KeyValueSessions,
        KeyValueStore,
        MemorySessions,
    )
    from ._runtime.session.session_backend import (
        SessionBackend,
        StaleSessionError,
        StoredSession,
    )
    from ._runtime.session.session_store import SessionStore
    from ._runtime.session.state import SessionState
    from ._runtime.session.state_v1 import SessionStateV1
    from ._runtime.session.state_v2 import SessionStateV2
    from ._runtime.stdio.login import TerminalLogin, login, terminal_login
    from ._runtime.stdio.process import AgentProcess, spawn
    from ._runtime.stdio.stdio import stdio

__version__ = "0.0.0"

__all__ = [
    "UNSET",
    "AcpError",
    "AgentProcess",
    "AgentSilentError",
    "AgentStartError",
    "AuthRequiredError",
    "ByteStream",
    "Call",
    "CapabilityError",
    "ConnectionClosedError",
    "ConnectionStats",
    "Context",
    "ContinuedSession",
    "ErrorCode",
    "Failure",
    "FileSessions",
    "InvalidValueError",
    "Issue",
    "KeyValueSessions",
    "KeyValueStore",
    "Limits",
    "McpAddress",
    "McpCommand",
    "MemorySessions",
    "Message",
    "NotInitializedError",
    "Note",
    "Proceed",
    "ProtocolVersionError",
    "RequestTimeoutError",
    "RpcError",
    "SessionBackend",
    "SessionState",
    "SessionStateV1",
    "SessionStateV2",
    "SessionStore",
    "StaleSessionError",
    "StoredSession",
    "Success",
    "TerminalLogin",
    "Turn",
    "TurnEnd",
    "Unknown",
    "Unset",
    "__version__",
    "check_elicitation",
    "connect",
    "connect_in_memory",
    "create_recorder",
    "elicitation_defaults",
    "extension",
    "file_path",
    "file_uri",
    "login",
    "mcp_launch",
    "memory_streams",
    "messages",
    "serve",
    "serve_proxy",
    "spawn",
    "spawn_agent",
    "stdio",
    "streams",
    "tap",
    "terminal_login",
]

# Connections need asyncio, which programs that only decode do not have to load.
_MODULES = {
    "AcpError": "rpc.errors",
    "AgentProcess": "stdio.process",
    "AgentSilentError": "rpc.errors",
    "AgentStartError": "rpc.errors",
    "AuthRequiredError": "rpc.errors",
    "ByteStream": "rpc.stream",
    "Call": "role.intercept",
    "CapabilityError": "rpc.errors",
    "ConnectionClosedError": "rpc.errors",
    "ConnectionStats": "rpc.noise",
    "Context": "role.role",
    "ContinuedSession": "session.continue_session",
    "ErrorCode": "rpc.errors",
    "FileSessions": "session.file_sessions",
    "KeyValueSessions": "session.key_value_sessions",
    "KeyValueStore": "session.key_value_sessions",
    "Limits": "rpc.receiver",
    "McpAddress": "mcp_launch",
    "McpCommand": "mcp_launch",
    "MemorySessions": "session.key_value_sessions",
    "NotInitializedError": "rpc.errors",
    "Proceed": "role.intercept",
    "ProtocolVersionError": "rpc.errors",
    "RequestTimeoutError": "rpc.errors",
    "RpcError": "rpc.errors",
    "SessionState": "session.state",
    "SessionStateV1": "session.state_v1",
    "SessionStateV2": "session.state_v2",
    "SessionBackend": "session.session_backend",
    "SessionStore": "session.session_store",
    "StaleSessionError": "session.session_backend",
    "StoredSession": "session.session_backend",
    "TerminalLogin": "stdio.login",
    "Turn": "session.client_turn",
    "TurnEnd": "session.client_turn",
    "check_elicitation": "elicitation",
    "connect": "role.connect",
    "connect_in_memory": "role.connect",
    "create_recorder": "rpc.tap",
    "elicitation_defaults": "elicitation",
    "extension": "role.options.extensions",
    "file_path": "file_uri",
    "file_uri": "file_uri",
    "login": "stdio.login",
    "mcp_launch": "mcp_launch",
    "memory_streams": "rpc.stream",
    "messages": "remote.messages",
    "serve": "role.connect",
    "serve_proxy": "role.proxy.relay",
    "spawn": "stdio.process",
    "spawn_agent": "role.connect",
    "stdio": "stdio.stdio",
    "streams": "remote.streams",
    "tap": "rpc.tap",
    "terminal_login": "stdio.login",
}


# Type checkers know every name, and report the others.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Imports a part of the package when it is first used."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f"._runtime.{_MODULES[name]}", __name__)
        globals()[name] = value = getattr(module, name)
        return value

    def __dir__() -> list[str]:
        """Lists the names that are not imported yet as well, for shells and editors."""
        return sorted({*globals(), *_MODULES})
