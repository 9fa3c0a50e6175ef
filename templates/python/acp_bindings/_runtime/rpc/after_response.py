"""Functions that run right after the response to a request."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

Function: TypeAlias = Callable[[], Any]
"""A function or an async function."""

_running: set[asyncio.Future[Any]] = set()
"""The functions that have not ended; the loop itself does not keep its tasks."""


class AfterResponse:
    """Runs functions in their order, once a request was answered with a result.

    An answer with an error drops them. Nothing waits for async functions.
    """

    def __init__(
        self, report: Callable[[BaseException], None], hold: Callable[[], None]
    ) -> None:
        """`hold` makes what follows on the wire wait until async functions have begun."""
        self._report = report
        self._hold = hold
        self._state: Literal["open", "sent", "dropped"] = "open"
        self._functions: list[Function] = []
        self.at_end: Callable[[], None] | None = None
        """Called when the request was answered with a result or an error."""

    def add(self, function: Function) -> None:
        """Runs a function after the response; at once if it was sent already."""
        if self._state == "open":
            self._functions.append(function)
        elif self._state == "sent":
            self._run(function)

    def end(self, is_result: bool) -> None:
        """Runs the functions, because the response was sent, or drops them."""
        self._state = "sent" if is_result else "dropped"
        functions, self._functions = self._functions, []
        for function in functions if is_result else ():
            self._run(function)
        if self.at_end is not None:
            self.at_end()

    def _run(self, function: Function) -> None:
        try:
            result = function()
        except Exception as error:  # noqa: BLE001
            self._report(error)
            return
        if inspect.isawaitable(result):
            task = asyncio.ensure_future(result)
            _running.add(task)
            task.add_done_callback(self._ended)
            self._hold()

    def _ended(self, task: asyncio.Future[Any]) -> None:
        _running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._report(error)
