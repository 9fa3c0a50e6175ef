"""The errors of connections, and the codes that responses carry."""

from __future__ import annotations

import errno
from asyncio import CancelledError
from enum import IntEnum
from typing import Any, Final, Literal

from .. import sentences
from ..results import recreate

# The longest JSON pointer in an error that is sent to the peer, in characters.
_POINTER_LIMIT = 400


class ErrorCode(IntEnum):
    """Codes of JSON-RPC 2.0 (section 5.1), of the protocol, and of this runtime."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    REQUEST_CANCELLED = -32800
    AUTHENTICATION_REQUIRED = -32000
    RESOURCE_NOT_FOUND = -32002
    UNSUPPORTED_PROTOCOL_VERSION = -32022
    TOO_MANY_REQUESTS = -32029
    """Of this runtime: too many requests are unanswered."""


class AcpError(Exception):
    """The base class of all errors of a connection."""

    def __init__(self, message: str, method: str | None = None) -> None:
        super().__init__(message)
        self.method = method

    def __reduce__(self) -> tuple[Any, ...]:
        return recreate, (type(self), self.args), self.__dict__


class RpcError(AcpError):
    """An error with a code.

    Raised by a handler, it is sent as the error of the response, so the user on the
    other side may read its message. Received in a response, it ends the call.
    """

    def __init__(
        self,
        code: int,
        message: str,
        data: Any = None,
        *,
        method: str | None = None,
        origin: Literal["local", "remote"] = "local",
    ) -> None:
        super().__init__(message, method)
        self.code = int(code)
        self.message = message
        self.data = data
        self.origin = origin
        """`remote` when the peer sent the error."""

    @staticmethod
    def invalid_params(message: str = "Invalid params", data: Any = None) -> RpcError:
        """The request cannot be served with these params (-32602)."""
        return RpcError(ErrorCode.INVALID_PARAMS, message, data)

    @staticmethod
    def method_not_found(message: str = "Method not found") -> RpcError:
        """The method is not supported (-32601)."""
        return RpcError(ErrorCode.METHOD_NOT_FOUND, message)

    @staticmethod
    def auth_required(message: str = "Authentication required") -> RpcError:
        """The client has to authenticate first (-32000)."""
        return AuthRequiredError(message)

    @staticmethod
    def resource_not_found(
        message: str = "Resource not found", data: Any = None
    ) -> RpcError:
        """A session, a file or another resource does not exist (-32002)."""
        return RpcError(ErrorCode.RESOURCE_NOT_FOUND, message, data)

    @staticmethod
    def request_cancelled(message: str = "Request cancelled") -> RpcError:
        """The request was cancelled (-32800)."""
        return RpcError(ErrorCode.REQUEST_CANCELLED, message)

    @staticmethod
    def internal(message: str, data: Any = None) -> RpcError:
        """The request failed for a reason that the user may read (-32603)."""
        return RpcError(ErrorCode.INTERNAL_ERROR, message, data)

    def to_object(self) -> dict[str, Any]:
        """Returns the error object that is sent."""
        sent: dict[str, Any] = {"code": self.code, "message": self.message}
        return sent if self.data is None else {**sent, "data": self.data}


_BRIDGED: Final = {1, 2}
"""The versions that the command acp-bridge translates into each other."""


class ProtocolVersionError(RpcError):
    """The agent speaks another version of the protocol."""

    def __init__(self, wanted: int, offered: int, method: str) -> None:
        cure = sentences.bridge_translates if _BRIDGED == {wanted, offered} else ""
        text = sentences.other_version(str(wanted), str(offered), cure)
        super().__init__(ErrorCode.UNSUPPORTED_PROTOCOL_VERSION, text, method=method)
        self.wanted = wanted
        self.offered = offered


class AuthRequiredError(RpcError):
    """The agent requires authentication: authenticate, then retry."""

    def __init__(
        self,
        message: str = "Authentication required",
        data: Any = None,
        *,
        method: str | None = None,
        origin: Literal["local", "remote"] = "local",
    ) -> None:
        code = ErrorCode.AUTHENTICATION_REQUIRED
        super().__init__(code, message, data, method=method, origin=origin)


class CapabilityError(AcpError):
    """A message was not sent, because the peer did not advertise what it needs."""

    def __init__(
        self,
        method: str,
        capability: str,
        pointer: str,
        reason: str,
        cure: str = "",
    ) -> None:
        super().__init__(sentences.not_sent(method, pointer, reason, cure), method)
        self.capability = capability
        """The path in the initialize message of the peer."""
        self.pointer = pointer
        """JSON pointer into the params; empty when the method needs the capability."""


class NotInitializedError(AcpError):
    """A call was made before the handshake was complete."""


class RequestTimeoutError(AcpError, TimeoutError):
    """A call was not answered in its time."""


class AgentSilentError(RequestTimeoutError):
    """An agent has written nothing for a time."""

    def __init__(self, seconds: float, last_error: str = "") -> None:
        super().__init__(sentences.agent_silent(f"{seconds:g}", last_error))
        self.last_error = last_error
        """The last line of its standard error, if a function takes the lines."""


class ConnectionClosedError(AcpError, ConnectionError):
    """The connection has ended, so the call cannot be answered."""

    def __init__(self, method: str | None = None, *, reason: str = "") -> None:
        super().__init__(sentences.closed(method or "", reason), method)
        self.reason = reason
        """Why it has ended, e.g. how the process of the agent did; empty if regularly."""


class AgentStartError(AcpError, OSError):
    """A program could not be started; `__cause__` is the error of the system."""

    def __init__(self, command: str, reason: str, code: str = "") -> None:
        super().__init__(f"cannot start {command}{reason}")
        self.command = command
        self.code = code
        """The name of the system's error, e.g. `ENOENT`; empty if it has none."""
        self.errno = getattr(errno, code, None)


def to_rpc_error(error: dict[str, Any], method: str) -> RpcError:
    """Returns the error for the error object of a response."""
    code, message, data = error["code"], error["message"], error.get("data")
    if code == ErrorCode.AUTHENTICATION_REQUIRED:
        return AuthRequiredError(message, data, method=method, origin="remote")
    return RpcError(code, message, data, method=method, origin="remote")


def only_rpc_error(error: BaseException) -> RpcError | None:
    """Returns an error of a handler as RpcError.

    A group, as of `asyncio.TaskGroup`, counts as the one error that has ended its tasks.
    """
    leaves: Any = getattr(error, "exceptions", None)
    if isinstance(error, RpcError) or leaves is None:
        return error if isinstance(error, RpcError) else None
    causes = [one for one in leaves if not isinstance(one, CancelledError)]
    return only_rpc_error(causes[0]) if len(causes) == 1 else None


def broken_response(problem: str, method: str = "") -> RpcError:
    """Returns the error for a call whose response cannot be used."""
    text = sentences.invalid_response(problem)
    return RpcError(ErrorCode.INTERNAL_ERROR, text, method=method)


def invalid_part(method: str, part: str, pointer: str, rule: str) -> RpcError:
    """
    Returns the error for params or a result that the schema or a gate refuses: the
    pointer and the rule, never the value, since the peer receives it. A pointer contains
    keys of the message, so a long one is shortened to that of an enclosing value.
    """
    if len(pointer) > _POINTER_LIMIT:
        pointer = pointer[: max(pointer.rfind("/", 0, _POINTER_LIMIT + 1), 0)]
    is_params = part == "params"
    code = ErrorCode.INVALID_PARAMS if is_params else ErrorCode.INTERNAL_ERROR
    data = {"pointer": pointer, "rule": rule}
    text = sentences.invalid_part(part, pointer, rule)
    return RpcError(code, text, data, method=method)
