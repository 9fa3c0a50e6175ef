"""The sessions of a connection and their subagents, as updates report them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..gates.paths import read
from ..json_values import LIST, OBJECT

if TYPE_CHECKING:
    from ..protocol import Method

_MAX_SESSIONS = 1000

_CHANGING = frozenset(
    (
        "starts-turn",
        "cancels-turn",
        "ends-session",
        "sets-mode",
        "sets-config-option",
        "sets-title",
    )
)
"""The traits of methods that change a session."""


class _Node:
    """What the updates of a connection have said about a session."""

    def __init__(self) -> None:
        self.parent: str | None = None
        """The session that has announced it as a subagent; None for other sessions."""
        self.capabilities: Any = None
        """What the client may change in a subagent."""
        self.background: list[Any] = []
        """The background work of its last state."""


class SessionTree:
    """The sessions of a connection and their subagents. Memory is bounded."""

    def __init__(self) -> None:
        self._nodes: dict[str, _Node] = {}

    def update(self, params: Any) -> None:
        """Takes the params of a `session/update` that was sent or received."""
        tag = read(params, ["update", "sessionUpdate"])
        if tag == "state_update":
            self._set_state(params["sessionId"], params["update"])
        elif tag == "subagent_update":
            update = params["update"]
            child = update["sessionId"]
            node = self._node(child)
            node.parent = node.parent or params["sessionId"]
            if "capabilities" in update:
                node.capabilities = update["capabilities"]
            if "state" in update:
                self._set_state(child, update["state"])

    def path(self, session_id: str, *, is_closing: bool = False) -> list[str]:
        """Returns the sessions whose cancellation reaches a session.

        These are the session and its ancestors, up to one that lists it as background work,
        which only closing ends.
        """
        path = [session_id]
        for child in path:
            parent = self._nodes[child].parent if child in self._nodes else None
            if parent is None or parent in path:
                continue
            works = [] if is_closing else self.background(parent)
            if not any(_names(work, child) for work in works):
                path.append(parent)
        return path

    def background(self, session_id: str) -> list[Any]:
        """Returns the background work in the last state of a session."""
        return self._nodes[session_id].background if session_id in self._nodes else []

    def is_refused(self, method: Method, params: Any) -> bool:
        """Returns whether a call would change a subagent that does not permit it."""
        node = self._nodes.get(read(params, ["sessionId"]) or "")
        if node is None or node.parent is None or _CHANGING.isdisjoint(method.traits):
            return False
        is_cancel = method.kind == "notification"
        return not is_cancel or read(node.capabilities, ["cancel"]) is None

    def _set_state(self, session_id: str, state: Any) -> None:
        listed: Any = read(state, ["background"])
        background: list[Any] = listed if isinstance(listed, LIST) else []
        if background or session_id in self._nodes:
            self._node(session_id).background = background

    def _node(self, session_id: str) -> _Node:
        if session_id not in self._nodes:
            self._nodes[session_id] = _Node()
            if len(self._nodes) > _MAX_SESSIONS:
                del self._nodes[next(iter(self._nodes))]
        return self._nodes[session_id]


def _names(work: Any, session_id: str) -> bool:
    return (
        isinstance(work, OBJECT)
        and work.get("type") == "subagent"
        and work.get("sessionId") == session_id
    )
