"""The connection of a role, for its peer, its handlers and its sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .gates.gates import Gates
    from .protocol import Method
    from .protocol import Protocol as Schema
    from .role.update_handlers import UpdateHandlers
    from .rpc.connection import Connection
    from .session.session_tree import SessionTree


class Link(Protocol):
    """Names what these parts use of the connection, which makes them: so it imports them."""

    role: Any
    peer: Any
    protocol: Schema
    gates: Gates
    rpc: Connection
    is_initialized: bool
    is_used: bool
    sign_ins: Any
    listeners: list[Callable[[Method, Any, Any], None]]
    on_close: list[Callable[[BaseException], None]]
    tree: SessionTree
    update_handlers: UpdateHandlers
    resumptions: Any
    retries: Any

    @property
    def sessions(self) -> Any: ...

    @property
    def turns(self) -> Any: ...

    def agree(self, client: dict[str, Any], agent: dict[str, Any]) -> None: ...

    def cancel_prompts(
        self, params: Any, *, is_closing: bool = False
    ) -> list[asyncio.Task[None]]: ...

    def decode(self, method: Method, params: Any) -> Any: ...

    def has_turn(self, session_id: str) -> bool: ...

    def report(self, error: BaseException, method: str | None) -> None: ...
