"""The connection of an agent over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from ... import sentences
from ...record import Record
from ...rpc.stream import ByteStream
from ...stdio.turns import Turns
from ..backlog import Inbox, Signal
from ..open_calls import OpenCalls
from ..wire import is_response, read_message, session_of
from .asgi import Reply, Request
from .event_queue import EventQueue, EventReader
from .replay_buffer import NumberedMessage, ReplayBuffer

_MAX_SESSIONS = 1024
"""The most sessions of a connection that have streams; messages of others go to its own stream."""

_UNOPENED = 0.3
"""The time after which messages of a session go to the stream of the connection, in seconds."""

_PATIENCE = 5.0
"""How long a message waits for an agent that does not read, in seconds."""


class Caller(Record):
    """Who has opened a connection."""

    request: Request
    """The request that opened it."""
    principal: str | None
    """The name that `authenticate` has returned."""
    connection_id: str


class RemoteStream(ByteStream, Protocol):
    """The stream of a connection that a client has opened."""

    @property
    def caller(self) -> Caller:
        """Who has opened it."""
        ...


class Settings(Record):
    """Limits of a connection; see `HttpApp`."""

    max_message_bytes: int
    max_buffered_bytes: int
    replay_bytes: int
    idle_timeout: float
    keep_alive: float


class HttpConnection:
    """The stream of an agent whose client sends requests and reads streams of events."""

    def __init__(self, caller: Caller, settings: Settings) -> None:
        self.caller = caller
        self.keep_alive = settings.keep_alive
        loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[bytes | None] = loop.create_future()
        """The answer to the first request; None when the connection ends before."""
        self.is_closed = False
        self.end_reason = ""
        """Why the connection was ended by this side."""
        self.calls = OpenCalls()
        self._settings = settings
        self._main = EventQueue(self)
        self._sessions: dict[str, EventQueue] = {}
        self._unopened: dict[EventQueue, asyncio.TimerHandle | None] = {}
        """Sessions whose stream is not open; the time until it is given up, None behind it."""
        self._replay: ReplayBuffer[EventQueue] = ReplayBuffer(settings.replay_bytes)
        self._inbox = Inbox(settings.max_buffered_bytes)
        self._begun = b""
        self._last_number = 0
        """The number of the client's last message."""
        self._count = 0
        self._buffered = 0
        self._progress = Signal()
        self._open_streams = 0
        self._idle: asyncio.TimerHandle | None = None
        self._turns = Turns()
        self.touch()

    # ---- The agent's side

    async def read(self) -> bytes:
        """Waits for messages of the client; none at the end."""
        return await self._inbox.read()

    def write(self, data: bytes) -> None:
        """Queues messages for the client."""
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            if line and not self.is_closed:
                # A line break outside of strings would end an event.
                self._send(line.replace(b"\r", b" "))

    @property
    def unsent(self) -> int:
        """The bytes that the client has not taken."""
        return self._buffered

    async def drain(self) -> None:
        """Waits while too much is unread; ends the connection when nothing is read."""
        if self._turns.are_due():
            await self._turns.give()
        while self._is_behind:
            if not await self._progress.wait(self._settings.idle_timeout):
                self.end("the client reads nothing")

    async def close(self) -> None:
        """Ends both directions; what was queued is sent while streams are open."""
        self.end()

    def end(self, reason: str = "") -> None:
        """Ends the connection for the agent and, behind the messages that wait, for the client."""
        if self.is_closed:
            return
        self.is_closed = True
        self.end_reason = reason
        self.touch()
        self._inbox.end()
        self._progress.give()
        if not self.answer.done():
            self.answer.set_result(None)
        for queue, timer in self._unopened.items():
            if timer is not None:
                timer.cancel()
            self._move_to_main(queue)
        for queue in (self._main, *self._sessions.values()):
            queue.close(self._settings.idle_timeout)

    # ---- The client's side

    @property
    def is_settled(self) -> bool:
        """Whether no call is unanswered, and the client has taken all messages."""
        queues = (self._main, *self._sessions.values())
        is_idle = len(self.calls) == 0 and all(one.is_settled for one in queues)
        return self.is_closed or is_idle

    async def is_ready(self) -> bool:
        """Waits while the agent has not read too much; returns whether a message may come."""
        return await self._inbox.has_room(_PATIENCE)

    def touch(self) -> None:
        """Begins the time without an open stream anew, after which the connection ends."""
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._open_streams == 0 and not self.is_closed:
            loop = asyncio.get_running_loop()
            reason = sentences.no_stream
            self._idle = loop.call_later(self._settings.idle_timeout, self.end, reason)

    def is_new(self, number: int | None) -> bool:
        """Returns whether a message is new, and notes its number."""
        if number is None:
            return True
        if number <= self._last_number:
            return False
        self._last_number = number
        return True

    def receive(
        self, text: bytes, message: Mapping[str, Any], session: str | None
    ) -> None:
        """Delivers a message; `session` is what its header names, which the message precedes."""
        self.calls.add(message, session_of(message) or session)
        self._inbox.put(text)
        self.touch()

    def open(self, session: str | None, last: int | None) -> EventReader | Reply:
        """Opens the stream of a session, or that of the connection.

        `last` is the last number that the client has received; None for a new stream.
        """
        queue = self._main if session is None else self._queue_of(session)
        if queue is None:
            return Reply(429, "Too many streams")
        if last is None:
            if queue.is_open:
                return Reply(409, sentences.stream_is_open)
            return queue.open([])
        again = self._replay.take_after(queue, last)
        if again is None:
            self.end("the client has missed messages that are kept no longer")
            return Reply(410, sentences.messages_gone)
        self._buffered += sum(len(message.text) for message in again)
        return queue.open(again)

    # ---- Streams

    def changed(self, *, is_open: bool) -> None:
        """Called when a stream was opened, and when it has ended."""
        self._open_streams += 1 if is_open else -1
        for queue in [queue for queue in self._unopened if queue.is_open]:
            timer = self._unopened.pop(queue)
            if timer is not None:
                timer.cancel()
        self.touch()

    def sent(self, queue: EventQueue, message: NumberedMessage) -> None:
        """Takes a message that was handed to the reader of a stream."""
        self._replay.add(queue, message)
        self._buffered -= len(message.text)
        self._progress.give()

    @property
    def _is_behind(self) -> bool:
        too_many = self._buffered > self._settings.max_buffered_bytes
        return too_many and not self.is_closed

    def _send(self, line: bytes) -> None:
        message = read_message(line)
        if is_response(message):
            session = self.calls.take(message)
            if not self.answer.done():
                self.answer.set_result(line)
                return
        else:
            session = session_of(message)
        self._count += 1
        self._buffered += len(line)
        self._queue_for(session).push(NumberedMessage(self._count, line))

    def _queue_of(self, session: str) -> EventQueue | None:
        queue = self._sessions.get(session)
        if queue is None and len(self._sessions) < _MAX_SESSIONS:
            queue = self._sessions[session] = EventQueue(self)
        return queue

    def _queue_for(self, session: str | None) -> EventQueue:
        """Returns the queue for a message.

        A client may leave the stream of a session closed. After some time, what waits for it
        goes to the stream of the connection.
        """
        queue = self._main if session is None else self._queue_of(session)
        if queue is None or queue is self._main or queue.is_open:
            return queue or self._main
        if queue not in self._unopened:
            loop = asyncio.get_running_loop()
            self._unopened[queue] = loop.call_later(_UNOPENED, self._give_up, queue)
        return self._main if self._unopened[queue] is None else queue

    def _give_up(self, queue: EventQueue) -> None:
        self._unopened[queue] = None
        self._move_to_main(queue)

    def _move_to_main(self, queue: EventQueue) -> None:
        for message in queue.take_all():
            self._main.push(message)
