"""A session as the handlers of an agent use it: what the generated classes share."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import sentences
from ..json_values import LIST, OBJECT
from ..message import Unknown
from ..rpc.errors import AcpError
from ..rpc.messages import MessageId

if TYPE_CHECKING:
    from ..link import Link

_OF_TURNS = frozenset(
    (
        "agent_message_chunk",
        "agent_message_clear",
        "agent_thought_chunk",
        "plan",
        "plan_removed",
        "plan_update",
        "tool_call",
        "tool_call_update",
        "user_message_chunk",
    )
)
"""The updates of version 1 that are part of a turn; others are about the session."""


_APPROVALS = ("allow_once", "allow_always")
"""The kinds of options that allow a tool call."""


class BaseAgentSession:
    """The base class of the generated `AgentSession`."""

    def __init__(
        self,
        connection: Link,
        session_id: str,
        prompt: Any = None,
        request_id: MessageId = None,
    ) -> None:
        """`prompt`: the content of the prompt that the session belongs to, a request."""
        self._connection = connection
        self._update_method = connection.protocol.named(
            "updates-session", "notification"
        )
        self._prompt = prompt
        self._is_of_prompt = prompt is not None and self._version == 1
        # The session may be used first when its prompt has been answered already.
        is_known = prompt is not None
        self._request = connection.rpc.inbound.find(request_id) if is_known else None
        self._has_ended = False
        """Whether the turn that the session belongs to has ended."""
        # The kind and the id of the message that the next chunk continues, in version 2.
        self._message = ("", "")
        self.id = session_id

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id!r}>"

    if TYPE_CHECKING:

        async def send(self, update: Any) -> None:
            """Sends an update; see the generated class."""

    def _message_id(self, kind: str) -> str:
        if self._message[0] != kind:
            self._message = (kind, f"msg_{os.urandom(16).hex()}")
        return self._message[1]

    def _end_message(self) -> None:
        self._message = ("", "")

    async def _start_turn(
        self, work: Callable[[Any], Awaitable[str | None]], message: Any
    ) -> str:
        content = self._prompt if message is None else message
        if self._request is not None:
            self._request.is_accepted = True
        message_id: str = await self._connection.turns.start(self, work, content)
        return message_id

    def _call(
        self, name: str, params: Any, timeout: float | None = None
    ) -> Awaitable[Any]:
        call: Awaitable[Any] = self._connection.peer._call(name, params, timeout)
        return call

    def _notify(self, name: str, params: Any) -> Awaitable[None]:
        if name == self._update_method:
            self._refuse_late(params.update)
        call: Awaitable[None] = self._connection.peer._notify(name, params)
        return call

    def _refuse_late(self, update: Any) -> None:
        """Raises AcpError for an update of a turn that has ended."""
        tag = _tag_of(update)
        request = self._request
        is_answered = self._is_of_prompt and (request is None or request.is_answered)
        if self._has_ended or is_answered and tag in _OF_TURNS:
            raise AcpError(sentences.after_turn(tag), self._update_method)

    def _to_json(self, value: Any) -> dict[str, Any]:
        result: dict[str, Any] = self._connection.protocol.to_json(value)
        return result

    @property
    def _version(self) -> int:
        return self._connection.protocol.version


def _tag_of(update: Any) -> str:
    raw: Any = update.raw if isinstance(update, Unknown) else update
    if isinstance(raw, OBJECT):
        return str(raw.get("sessionUpdate"))
    return str(getattr(raw, "session_update", "an update"))


class BaseToolCall:
    """The base class of the generated `ToolCall`."""

    def __init__(self, session: BaseAgentSession, tool_call_id: str | None) -> None:
        self._session: Any = session
        self._known: dict[str, Any] = {}
        """What was reported of the tool call, as JSON."""
        self._is_settled = False
        self.id = tool_call_id or f"call_{os.urandom(16).hex()}"
        self.status = "completed"
        """The status that is reported at the end of the block."""

    async def text(self, text: str) -> None:
        """Adds a text to the content of the tool call."""
        await self._change(content=self._content_with(text))

    async def fail(self, reason: object = None) -> None:
        """Reports that the tool call failed, and adds the reason to its content."""
        self.status = "failed"
        self._is_settled = True
        content = {} if reason is None else {"content": self._content_with(str(reason))}
        await self._change(status="failed", **content)

    def _content_with(self, text: str) -> list[Any]:
        content: Any = self._known.get("content")
        block = {"type": "content", "content": {"type": "text", "text": text}}
        return [*(content if isinstance(content, LIST) else ()), block]

    async def _change(self, **properties: Any) -> None:
        update = {"sessionUpdate": "tool_call_update", "toolCallId": self.id}
        await self._update({**update, **properties})

    async def _update(self, update: Any) -> None:
        sent = self._session._to_json(update)
        await self._session.send(update)
        sent.pop("sessionUpdate", None)
        self._known.update(sent)

    async def _cancel(self) -> None:
        """Reports the end of a tool call whose task was cancelled."""
        is_named = self._session._version > 1
        await self._change(status="cancelled" if is_named else "failed")

    async def _ask(self, title: str | None, options: Sequence[Any]) -> Any:
        session = self._session
        known: dict[str, Any] = {**self._known, "toolCallId": self.id}
        known.pop("status", None)
        params: dict[str, Any] = {"sessionId": session.id, "options": list(options)}
        shown = known.get("title") if title is None else title
        if session._version == 1:
            params["toolCall"] = known if shown is None else {**known, "title": shown}
        else:
            call = {"toolCallId": self.id}
            if "kind" in known:
                call["kind"] = known["kind"]
            params["title"] = shown or "Tool call"
            params["subject"] = {"type": "tool_call", "toolCall": call}
        name: str = session._connection.protocol.named("requests-permission")
        result = await session._call(name, params)
        # An unknown outcome, or an option that was not offered or is of an unknown kind, is
        # not an approval.
        chosen = getattr(result.outcome, "option_id", None)
        for option in options:
            if option.option_id == chosen and option.kind in _APPROVALS:
                return option
        return None


@contextlib.asynccontextmanager
async def running(call: Any, update: Any) -> AsyncGenerator[None, None]:
    """Reports a tool call, and the end of what runs in the block."""
    await call._update(update)
    try:
        yield
    except BaseException as error:
        # The failure of the work matters more than that of its report.
        with contextlib.suppress(AcpError, ValueError):
            if isinstance(error, Exception):
                await call.fail(error)
            else:
                await call._cancel()
        raise
    if not call._is_settled:
        await call._change(status=call.status)
