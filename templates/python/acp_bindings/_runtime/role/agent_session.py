"""A session as agents use it: text, thoughts, plans, tool calls and permission."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from ..results import Failure, InvalidValueError

if TYPE_CHECKING:
    from ..schema import Schema
    from .role_connection import RoleConnection


class ToolCall:
    """A tool call that runs. It is completed or failed when its block ends."""

    def __init__(self, session: AgentSession, tool_call_id: str) -> None:
        self._session = session
        self.id = tool_call_id
        self.status = "completed"
        """The status that is reported at the end."""

    async def update(self, **properties: Any) -> None:
        """Changes properties of the tool call, by their names in JSON."""
        update = {"sessionUpdate": "tool_call_update", "toolCallId": self.id}
        await self._session.send({**update, **properties})

    async def text(self, text: str) -> None:
        """Shows a text as the content of the tool call."""
        block = {"type": "text", "text": text}
        await self.update(content=[{"type": "content", "content": block}])


class AgentSession:
    """Sends the updates of one session; made with `session` of a connected client."""

    def __init__(self, connection: RoleConnection, session_id: str) -> None:
        self._connection = connection
        self._version = connection.protocol.version
        self._message: tuple[str, str] = ("", "")
        self.id = session_id

    async def send(self, update: dict[str, Any]) -> None:
        """Sends an update as JSON, checked like every message."""
        if update["sessionUpdate"] != self._message[0]:
            self._message = ("", "")
        protocol = self._connection.protocol
        schema = protocol.params_schema("client", "notification", "session/update")
        params = _parse_exactly(schema, {"sessionId": self.id, "update": update})
        await self._connection.peer._notify("session/update", params)

    async def text(self, text: str) -> None:
        """Sends a part of the answer."""
        await self._chunk("agent_message_chunk", {"type": "text", "text": text})

    async def thought(self, text: str) -> None:
        """Sends a part of the agent's reasoning."""
        await self._chunk("agent_thought_chunk", {"type": "text", "text": text})

    async def content(self, block: dict[str, Any]) -> None:
        """Sends a content block, as JSON, as a part of the answer."""
        await self._chunk("agent_message_chunk", block)

    async def plan(self, *steps: str) -> None:
        """Sends a plan of steps, all of them pending."""
        entries = [
            {"content": step, "priority": "medium", "status": "pending"}
            for step in steps
        ]
        if self._version == 1:
            await self.send({"sessionUpdate": "plan", "entries": entries})
        else:
            plan = {"type": "items", "planId": "plan", "entries": entries}
            await self.send({"sessionUpdate": "plan_update", "plan": plan})

    @contextlib.asynccontextmanager
    async def tool_call(
        self, title: str, kind: str = "other", **properties: Any
    ) -> AsyncGenerator[ToolCall, None]:
        """Reports a tool call that runs, and at the end its status.

        An error in the block fails the tool call, and is raised.
        """
        call = ToolCall(self, f"call_{uuid.uuid4().hex[:12]}")
        first = "tool_call" if self._version == 1 else "tool_call_update"
        await self.send(
            {
                "sessionUpdate": first,
                "toolCallId": call.id,
                "title": title,
                "kind": kind,
                "status": "in_progress",
                **properties,
            }
        )
        try:
            yield call
        except BaseException:
            await call.update(status="failed")
            raise
        await call.update(status=call.status)

    async def ask(
        self, call: ToolCall, title: str, options: Sequence[dict[str, str]] = ()
    ) -> str | None:
        """Asks the user for permission to run a tool call.

        Returns the id of the chosen option; None when the user cancelled. Without
        options, the user can allow or reject it once: `allow` or `reject`.
        """
        given = list(options) or [
            {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
            {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
        ]
        params: dict[str, Any] = {"sessionId": self.id, "options": given}
        tool_call = {"toolCallId": call.id, "title": title}
        if self._version == 1:
            params["toolCall"] = tool_call
        else:
            params["title"] = title
            params["subject"] = {"type": "tool_call", "toolCall": tool_call}
        name = "session/request_permission"
        schema = self._connection.protocol.params_schema("client", "request", name)
        peer = self._connection.peer
        result = await peer._call(name, _parse_exactly(schema, params), None)
        outcome = result.outcome
        selected = getattr(outcome, "outcome", None) == "selected"
        return outcome.option_id if selected else None

    async def running(self) -> None:
        """Reports, in version 2, that the agent works."""
        if self._version > 1:
            await self.send({"sessionUpdate": "state_update", "state": "running"})

    async def idle(self, stop_reason: str = "end_turn") -> None:
        """Reports, in version 2, that the agent has stopped, and why."""
        if self._version > 1:
            state = {"sessionUpdate": "state_update", "state": "idle"}
            await self.send({**state, "stopReason": stop_reason})

    async def _chunk(self, kind: str, content: dict[str, Any]) -> None:
        update: dict[str, Any] = {"sessionUpdate": kind, "content": content}
        if self._version > 1:
            if self._message[0] != kind:
                self._message = (kind, f"msg_{uuid.uuid4().hex[:12]}")
            update["messageId"] = self._message[1]
        await self.send(update)


def _parse_exactly(schema: Schema[Any], value: Any) -> Any:
    """Returns a value as its type. Raises InvalidValueError where it would be repaired."""
    decoded = schema.decode(value)
    if isinstance(decoded, Failure):
        raise InvalidValueError(schema.definition, decoded.issues)
    if any(note.kind == "repaired" for note in decoded.notes):
        raise InvalidValueError(schema.definition, schema.issues(value))
    return decoded.value
