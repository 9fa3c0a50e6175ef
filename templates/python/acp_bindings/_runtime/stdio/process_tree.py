"""A child process together with what it has started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from .command_line import system_program
from .exit_hooks import add_exit_hook, remove_exit_hook

_FIRST_WAIT = 0.005
_LONGEST_WAIT = 0.25
"""How often a group is tried, from the end of its leader on until it is empty, in seconds."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

Send = Callable[[int, int], bool]
"""Sends a signal to the group of a process, 0 for none. Returns whether it has members."""


class ProcessTree:
    """Signals a process and its descendants, and waits for their end.

    The process leads a group of its own, except on Windows. When it ends, its descendants get
    SIGTERM, and all of them do when this program ends. From the moment at which the group was
    found empty it gets no signal any more, since another group may have its number by then.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], send: Send | None = None
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = process
        self._send = send or (end_tree if sys.platform == "win32" else _signal_group)
        self._lock = threading.RLock()
        self._is_over = False
        self.code: int | None = None
        """The exit code, or the negative number of a signal, when the process has ended."""
        self.exited = asyncio.Event()
        self.ended = asyncio.Event()
        """Whether the process has ended, and whether all of its descendants have."""
        add_exit_hook(self._terminate)
        threading.Thread(target=self._watch, daemon=True).start()

    def signal(self, number: int) -> bool:
        """Sends a signal, 0 for none. Returns whether there was a process to get it.

        On Windows, which has no signals, it ends them all.
        """
        with self._lock:
            return not self._is_over and self._send(self._process.pid, number)

    def _terminate(self) -> None:
        self.signal(signal.SIGTERM)

    def _watch(self) -> None:
        if sys.platform != "win32":
            self._wait_for_leader()
            self._terminate()
        self.code = self._process.wait()
        self._call(self.exited.set)
        wait = _FIRST_WAIT
        while sys.platform != "win32" and self.signal(0):
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)
        with self._lock:
            self._is_over = True
        self._call(self._end)

    def _wait_for_leader(self) -> None:
        """Waits for the end of the process, and leaves its number to it where that is possible."""
        if sys.platform == "win32":
            return
        # macOS has it from Python 3.13 on.
        if not hasattr(os, "waitid"):
            self._process.wait()
            return
        # Another part of the program may have collected it.
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)

    def _end(self) -> None:
        remove_exit_hook(self._terminate)
        self.ended.set()

    def _call(self, function: Callable[[], None]) -> None:
        # The loop may have ended.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function)


def _signal_group(pid: int, number: int) -> bool:
    if sys.platform == "win32":
        return False
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        # macOS refuses when all members have ended.
        return False
    return True


def end_tree(pid: int, number: int) -> bool:
    if number == 0:
        return True
    command = [system_program("taskkill.exe"), "/pid", str(pid), "/T", "/F"]
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    with contextlib.suppress(OSError):
        subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=flags,
        )
    return True
