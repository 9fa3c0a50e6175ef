"""Requests to an ASGI application in memory, as any client may send them."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

JSON_TYPE = {"content-type": "application/json"}
EVENTS = {"accept": "text/event-stream"}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


class Exchange:
    """A request, and what is sent as its response."""

    def __init__(self, app: Any, method: str, headers: dict[str, str]) -> None:
        pairs = {"host": "localhost", **headers}.items()
        encoded = [(name.encode(), value.encode("latin-1")) for name, value in pairs]
        self.scope = {"type": "http", "method": method, "headers": encoded}
        self.app = app
        self.events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []
        self.is_paused = asyncio.Event()
        self.is_paused.set()
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def start(self) -> Exchange:
        self.task = asyncio.ensure_future(
            self.app(self.scope, self.events.get, self._send)
        )
        return self

    def give(self, body: bytes, *, more: bool = False) -> None:
        event = {"type": "http.request", "body": body, "more_body": more}
        self.events.put_nowait(event)

    def leave(self) -> None:
        self.events.put_nowait({"type": "http.disconnect"})

    async def _send(self, event: dict[str, Any]) -> None:
        await self.is_paused.wait()
        self.sent.append(event)
        self.changed.set()

    @property
    def is_done(self) -> bool:
        return self.task is not None and self.task.done()

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"]) if self.sent else 0

    @property
    def headers(self) -> dict[str, str]:
        return {
            name.decode(): value.decode("latin-1")
            for name, value in self.sent[0]["headers"]
        }

    @property
    def text(self) -> str:
        return b"".join(event.get("body", b"") for event in self.sent[1:]).decode()

    @property
    def messages(self) -> list[Any]:
        """The messages in the events so far."""
        lines = self.text.split("\n")
        return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]

    @property
    def ids(self) -> list[int]:
        lines = self.text.split("\n")
        return [int(line[4:]) for line in lines if line.startswith("id: ")]

    async def answer(self) -> Answer:
        assert self.task is not None
        await asyncio.wait_for(self.task, 5)
        return Answer(self.status, self.headers, self.text)


async def call(
    app: Any, method: str, headers: dict[str, str], body: bytes = b""
) -> Answer:
    exchange = Exchange(app, method, headers).start()
    exchange.give(body)
    return await exchange.answer()


async def post(app: Any, headers: dict[str, str], body: bytes) -> Answer:
    return await call(app, "POST", {**JSON_TYPE, **headers}, body)


async def open_stream(app: Any, headers: dict[str, str]) -> Exchange:
    """Opens a stream, and returns when its first piece was sent, or it was refused."""
    exchange = Exchange(app, "GET", {**EVENTS, **headers}).start()
    exchange.give(b"")
    while len(exchange.sent) < 2:
        exchange.changed.clear()
        await asyncio.wait_for(exchange.changed.wait(), 5)
    return exchange


class Socket(Exchange):
    """A request for a WebSocket."""

    def __init__(
        self, app: Any, headers: dict[str, str], *, knows_denial: bool
    ) -> None:
        super().__init__(app, "GET", headers)
        extensions = {"websocket.http.response": {}} if knows_denial else {}
        self.scope = {
            "type": "websocket",
            "headers": self.scope["headers"],
            "extensions": extensions,
        }
        self.events.put_nowait({"type": "websocket.connect"})

    def say(self, text: str) -> None:
        self.events.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        self.events.put_nowait({"type": "websocket.disconnect", "code": 1000})


async def upgrade(
    app: Any, headers: dict[str, str], *, knows_denial: bool = True
) -> Answer:
    """Asks for a WebSocket; its status is 101 when it was accepted, and it is left then."""
    socket = Socket(app, headers, knows_denial=knows_denial).start()
    while not socket.sent:
        socket.changed.clear()
        await asyncio.wait_for(socket.changed.wait(), 5)
    kind = socket.sent[0]["type"]
    socket.leave()
    await asyncio.wait_for(socket.task or asyncio.sleep(0), 5)
    if kind == "websocket.accept":
        return Answer(101, socket.headers, "")
    if kind == "websocket.close":
        return Answer(403, {}, "")
    return Answer(socket.status, socket.headers, socket.text)
