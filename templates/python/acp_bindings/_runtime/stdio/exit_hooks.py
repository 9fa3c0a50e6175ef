"""What runs when this program ends, also by a signal."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_hooks: dict[Callable[[], None], int] = {}
"""The hooks, and the process that each belongs to: one that was forked inherits them."""
_caught: set[int] = set()


def add_exit_hook(hook: Callable[[], None]) -> None:
    """Runs a function when the interpreter exits, or a signal without a handler ends it.

    Signals are only caught when this is called in the main thread. SIGKILL and crashes are not
    detected. A program that sets a handler for a signal decides what happens.
    """
    _hooks[hook] = os.getpid()
    if threading.current_thread() is threading.main_thread():
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _end_by)
                _caught.add(number)


def remove_exit_hook(hook: Callable[[], None]) -> None:
    """Removes a hook; the last one also removes the handlers of this module."""
    _hooks.pop(hook, None)
    if _hooks or threading.current_thread() is not threading.main_thread():
        return
    for number in _caught:
        if signal.getsignal(number) is _end_by:
            signal.signal(number, signal.SIG_DFL)
    _caught.clear()


@atexit.register
def _run_hooks() -> None:
    for hook, process in list(_hooks.items()):
        if process == os.getpid():
            hook()


def _end_by(number: int, _frame: FrameType | None) -> None:
    _run_hooks()
    # As without the handler.
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
