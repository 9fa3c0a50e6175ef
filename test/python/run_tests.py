"""Runs a file of tests, each test for at most a minute: python run_tests.py <file>."""

from __future__ import annotations

import faulthandler
import sys
import unittest
from pathlib import Path
from typing import Any

LIMIT_S = 60
"""A test that takes longer ends the run, with the traceback of every thread."""

run = unittest.TestCase.run


def run_limited(test: unittest.TestCase, result: Any = None) -> Any:
    print(test.id(), file=sys.stderr)
    faulthandler.dump_traceback_later(LIMIT_S, exit=True)
    try:
        return run(test, result)
    finally:
        faulthandler.cancel_dump_traceback_later()


unittest.TestCase.run = run_limited  # type: ignore[method-assign]
file = Path(sys.argv.pop(1))
sys.path.insert(0, str(file.parent))
unittest.main(file.stem)
