"""Agents on other machines: over WebSocket, HTTP, and everything that carries messages."""

from ._runtime.remote.client.http_requests import (
    HttpClient,
    HttpError,
    HttpResponse,
)
from ._runtime.remote.client.http_stream import HttpStream
from ._runtime.remote.messages import WebSocketLike, WebSocketStream, messages
from ._runtime.remote.server.asgi import Request
from ._runtime.remote.server.connection import Caller, RemoteStream
from ._runtime.remote.server.http_app import HttpApp
from ._runtime.remote.streams import streams

__all__ = [
    "Caller",
    "HttpApp",
    "HttpClient",
    "HttpError",
    "HttpResponse",
    "HttpStream",
    "RemoteStream",
    "Request",
    "WebSocketLike",
    "WebSocketStream",
    "messages",
    "streams",
]
