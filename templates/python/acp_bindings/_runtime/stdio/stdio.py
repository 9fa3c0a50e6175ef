"""Standard input and output of this process."""

from __future__ import annotations

import os
import sys

from ..rpc.stream import ByteStream
from .pipe_stream import PipeStream


def stdio() -> ByteStream:
    """Returns standard input and output as the stream of a connection.

    From then on, `print` writes to standard error, and standard input is empty. Messages are
    written by a thread of their own, so that they leave the process while its event loop and
    its other threads are busy, and a handler that only sends gives the loop a turn about once a
    millisecond: it can iterate a synchronous stream, and still be cancelled.
    """
    return PipeStream(_take_input(), _take_output())


def _take_input() -> int:
    """Takes standard input: programs that this one starts must not read its messages."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    if sys.__stdin__ is None:
        # It was closed when the program was started; its number may be that of another file.
        return nothing
    source = os.dup(0)
    os.dup2(nothing, 0)
    os.close(nothing)
    return source


def _take_output() -> int:
    """Takes standard output: what the program prints must not come between the messages."""
    if sys.__stdout__ is None:
        return os.open(os.devnull, os.O_WRONLY)
    sink = os.dup(1)
    os.dup2(2 if sys.__stderr__ is not None else os.open(os.devnull, os.O_WRONLY), 1)
    return sink
