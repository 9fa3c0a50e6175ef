"""The connection of an agent over a WebSocket."""

from __future__ import annotations

import asyncio

from ..messages import MessageStream
from ..open_calls import OpenCalls
from ..wire import is_response, read_message
from .asgi import Receive, Send
from .connection import Caller, Settings

_REGULAR = 1000
_TOO_LONG = 1009
"""Close codes: done, and a message that is too long."""


class SocketConnection(MessageStream):
    """The stream of an agent whose client has opened a WebSocket."""

    def __init__(
        self, caller: Caller, settings: Settings, receive: Receive, send: Send
    ) -> None:
        super().__init__(self._receive_text, self._send_text, self._close_socket)
        self.caller = caller
        self.calls = OpenCalls()
        self._receive_event = receive
        self._send_event = send
        self._max_message_bytes = settings.max_message_bytes
        self._code = _REGULAR
        # A client that asks nothing takes the place of another.
        loop = asyncio.get_running_loop()
        silence = TimeoutError("the client has sent no request")
        self._first = loop.call_later(settings.idle_timeout, self.end, silence)
        """The time for the first request."""

    @property
    def is_settled(self) -> bool:
        """Whether no call is unanswered, and everything was sent."""
        return self.is_closed or (len(self.calls) == 0 and self._outbox.unsent == 0)

    def end(self, error: BaseException | None = None) -> None:
        """Ends both directions at once."""
        self._first.cancel()
        super().end(error)

    async def _receive_text(self) -> str | None:
        while True:
            event = await self._receive_event()
            if event["type"] == "websocket.disconnect":
                return None
            # Frames of bytes have no meaning here.
            if isinstance(text := event.get("text"), str):
                break
        if len(text) > self._max_message_bytes:
            self._code = _TOO_LONG
            return None
        self.calls.add(read_message(text.encode()), None)
        if len(self.calls) > 0:
            self._first.cancel()
        return text

    async def _send_text(self, text: str) -> None:
        await self._send_event({"type": "websocket.send", "text": text})
        # Most messages are notifications of our own spelling.
        if not text.startswith('{"jsonrpc":"2.0","method":'):
            message = read_message(text.encode())
            if is_response(message):
                self.calls.take(message)

    async def _close_socket(self) -> None:
        await self._send_event({"type": "websocket.close", "code": self._code})
