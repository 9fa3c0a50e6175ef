"""An event loop whose time passes only while everything waits for it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class _Selector(selectors.SelectSelector):
    """Does not wait: the time of its loop passes instead."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if not found:
            if timeout is None:
                raise AssertionError(
                    "everything waits, and nothing can happen any more"
                )
            self.loop.now += max(timeout, 0)
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a time of its own, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


def in_virtual_time(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[..., None]:
    """Runs a test in virtual time. It fails when it waits for what cannot happen."""

    def run(self: Any) -> None:
        loop = VirtualLoop()
        task = loop.create_task(test(self))
        try:
            loop.run_until_complete(task)
        finally:
            left = asyncio.all_tasks(loop)
            for one in left:
                one.cancel()
            if left:
                loop.run_until_complete(asyncio.wait(left))
            loop.close()

    return run
