"""Errors that nobody is answered with: how a role gets them, and how they are logged."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from ..results import Note
from .errors import AcpError, ConnectionClosedError

_log = logging.getLogger("acp_bindings")

LOGGED = 20
"""How many errors of messages are logged. A peer can cause any number of them, and a program
whose standard error is not read would wait for its own log."""


class ErrorLog:
    """The log of a role that does not override `on_error`."""

    def __init__(self) -> None:
        self._count = 0

    def add(self, error: BaseException, source: str) -> None:
        """Logs an error, unless it is one of too many that messages have caused."""
        is_of_message = isinstance(error, AcpError)
        self._count += is_of_message
        if is_of_message and self._count > LOGGED:
            return
        # An error that was not raised has no traceback to show. A peer that has left while a
        # handler waited for its answer is not a mistake in the handler.
        is_regular = isinstance(error, ConnectionClosedError)
        has_lines = error.__traceback__ is not None and not is_regular
        shown = error if has_lines else None
        _log.warning("%s: %s", source, error, exc_info=shown)
        if is_of_message and self._count == LOGGED:
            _log.warning("further errors of messages are not logged; see on_error")


def report(
    on_error: Callable[[BaseException, str | None], None],
    error: BaseException,
    method: str | None,
) -> None:
    """Calls `on_error` of a role. What it raises is logged, and ends nothing."""
    try:
        on_error(error, method)
    except Exception:  # noqa: BLE001
        _log.exception("on_error failed")


class _Listener(Protocol):
    def on_error(self, error: BaseException, method: str | None) -> None: ...

    def on_notes(self, notes: tuple[Note, ...], method: str) -> None: ...


def give_notes(role: _Listener, notes: tuple[Note, ...], method: str) -> None:
    """Calls `on_notes` of a role. What it raises is reported, and ends nothing."""
    try:
        if notes:
            role.on_notes(notes, method)
    except Exception as error:  # noqa: BLE001
        report(role.on_error, error, method)
