"""Tasks of handlers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any


def start_task(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Starts a task, at once where Python can: most handlers end without waiting."""
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return loop.create_task(coroutine)
