"""What runs when this program ends, also by a signal."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_NUDGE = 0.05
"""How often the main thread is woken until it handles a signal, in seconds."""

_hooks: dict[Callable[[], None], int] = {}
"""The hooks, and the process that each belongs to: one that was forked inherits them."""
_caught: set[int] = set()
_waker = -1
"""The descriptor to which the interpreter writes the numbers of signals."""


def add_exit_hook(hook: Callable[[], None]) -> None:
    """Runs a function when the interpreter exits, or a signal without a handler ends it.

    Signals are only caught when this is called in the main thread. SIGKILL and crashes are not
    detected. A program that sets a handler for a signal decides what happens.
    """
    _hooks[hook] = os.getpid()
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end_by)
            _caught.add(number)
    _start_waker()


def remove_exit_hook(hook: Callable[[], None]) -> None:
    """Removes a hook; the last one also removes the handlers of this module."""
    _hooks.pop(hook, None)
    if _hooks or threading.current_thread() is not threading.main_thread():
        return
    for number in _caught:
        if signal.getsignal(number) is _end_by:
            signal.signal(number, signal.SIG_DFL)
    _caught.clear()
    other = signal.set_wakeup_fd(-1)
    if other not in (-1, _waker):
        signal.set_wakeup_fd(other)


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


def _start_waker() -> None:
    """Makes sure that a signal wakes the main thread, unless something else does that.

    Handlers run in the main thread. When a signal arrives just before that starts to wait for
    input, it would wait on.
    """
    global _waker
    if sys.platform == "win32":
        return
    other = signal.set_wakeup_fd(-1)
    if other != -1:
        signal.set_wakeup_fd(other)
        return
    if _waker == -1:
        source, _waker = os.pipe()
        os.set_blocking(_waker, False)
        threading.Thread(target=_wake_main_thread, args=(source,), daemon=True).start()
    signal.set_wakeup_fd(_waker, warn_on_full_buffer=False)


def _forget_waker() -> None:
    """A process that was forked must not wake the one that it was forked from."""
    global _waker
    if _waker != -1:
        signal.set_wakeup_fd(-1)
        _waker = -1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_waker)


def _wake_main_thread(source: int) -> None:
    if sys.platform == "win32":
        return
    main = threading.main_thread().ident or 0
    while numbers := os.read(source, 1):
        time.sleep(_NUDGE)
        # If it has been handled, it has ended the program.
        number = numbers[0]
        if number in _caught and signal.getsignal(number) is _end_by:
            signal.pthread_kill(main, number)
