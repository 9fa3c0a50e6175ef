"""The state of a session in version 2."""

from __future__ import annotations

from typing import Any

from .entities import TerminalState
from .state import SessionState


class SessionStateV2(SessionState):
    """The state of a session in version 2.

    Everything has an id, and the first update with an id creates the item. In a patch,
    an absent field is kept, null clears it and a value replaces it; `_meta` is merged by
    top-level key. A chunk is appended; its `_meta` is not kept.
    """

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = None
        """The last `state_update`; a session without one is idle."""
        self.terminals: dict[str, TerminalState] = {}
        """The terminals of the agent."""
