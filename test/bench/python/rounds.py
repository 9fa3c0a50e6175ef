"""Rounds of measurements, and the CPU time of programs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

WARMUP = 2
TURNS = os.path.join(os.path.dirname(__file__), "turns.py")


def cpu_of(*arguments: str) -> float:
    """Returns the CPU seconds of a program and of what it has started."""
    process = subprocess.Popen([sys.executable, TURNS, *arguments])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def per_update(side: str, updates: int) -> Callable[[], float]:
    """Returns what measures an update of a turn, without the start of its processes."""
    return lambda: (cpu_of(side, str(updates)) - cpu_of(side, "1")) / updates


def interleave(
    implementations: dict[str, Callable[[], float]], measured: int
) -> dict[str, list[float]]:
    """Lets implementations take turns, so that noise meets them alike."""
    times: dict[str, list[float]] = {name: [] for name in implementations}
    names = list(implementations)
    for number in range(WARMUP + measured):
        for place in range(len(names)):
            name = names[(number + place) % len(names)]
            taken = implementations[name]()
            if number >= WARMUP:
                times[name].append(taken)
    return times
