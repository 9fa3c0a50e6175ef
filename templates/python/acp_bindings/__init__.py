"""Bindings of the Agent Client Protocol: one subpackage for each profile."""

from typing import TYPE_CHECKING, Any

from ._runtime.message import UNSET, Message, Unknown, Unset
from ._runtime.results import Failure, InvalidValueError, Issue, Note, Success

if TYPE_CHECKING:
    from ._runtime.remote.messages import messages
    from ._runtime.remote.streams import streams
    from ._runtime.role.connect import connect, connect_in_memory, serve, spawn_agent
    from ._runtime.role.intercept import Call, Proceed
    from ._runtime.role.options.extensions import extension
    from ._runtime.role.proxy.relay import serve_proxy
    from ._runtime.role.role import Context
    from ._runtime.rpc.errors import (
        AcpError,
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
    from ._runtime.session.session_store import SessionStore
    from ._runtime.session.state import SessionState
    from ._runtime.session.state_v1 import SessionStateV1
    from ._runtime.session.state_v2 import SessionStateV2
    from ._runtime.stdio.process import spawn
    from ._runtime.stdio.stdio import stdio

__version__ = "0.0.0"

__all__ = [
    "UNSET",
    "AcpError",
    "AgentStartError",
    "AuthRequiredError",
    "ByteStream",
    "Call",
    "CapabilityError",
    "ConnectionClosedError",
    "ConnectionStats",
    "Context",
    "ErrorCode",
    "Failure",
    "InvalidValueError",
    "Issue",
    "Limits",
    "Message",
    "NotInitializedError",
    "Note",
    "Proceed",
    "ProtocolVersionError",
    "RequestTimeoutError",
    "RpcError",
    "SessionState",
    "SessionStateV1",
    "SessionStateV2",
    "SessionStore",
    "Success",
    "Turn",
    "TurnEnd",
    "Unknown",
    "Unset",
    "__version__",
    "connect",
    "connect_in_memory",
    "create_recorder",
    "extension",
    "memory_streams",
    "messages",
    "serve",
    "serve_proxy",
    "spawn",
    "spawn_agent",
    "stdio",
    "streams",
    "tap",
]

# Connections need asyncio, which programs that only decode do not have to load.
_MODULES = {
    "AcpError": "rpc.errors",
    "AgentStartError": "rpc.errors",
    "AuthRequiredError": "rpc.errors",
    "ByteStream": "rpc.stream",
    "Call": "role.intercept",
    "CapabilityError": "rpc.errors",
    "ConnectionClosedError": "rpc.errors",
    "ConnectionStats": "rpc.noise",
    "Context": "role.role",
    "ErrorCode": "rpc.errors",
    "Limits": "rpc.receiver",
    "NotInitializedError": "rpc.errors",
    "Proceed": "role.intercept",
    "ProtocolVersionError": "rpc.errors",
    "RequestTimeoutError": "rpc.errors",
    "RpcError": "rpc.errors",
    "SessionState": "session.state",
    "SessionStateV1": "session.state_v1",
    "SessionStateV2": "session.state_v2",
    "SessionStore": "session.session_store",
    "Turn": "session.client_turn",
    "TurnEnd": "session.client_turn",
    "connect": "role.connect",
    "connect_in_memory": "role.connect",
    "create_recorder": "rpc.tap",
    "extension": "role.options.extensions",
    "memory_streams": "rpc.stream",
    "messages": "remote.messages",
    "serve": "role.connect",
    "serve_proxy": "role.proxy.relay",
    "spawn": "stdio.process",
    "spawn_agent": "role.connect",
    "stdio": "stdio.stdio",
    "streams": "remote.streams",
    "tap": "rpc.tap",
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
