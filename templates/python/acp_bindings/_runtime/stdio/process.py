"""Agents that this program starts as child processes."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import IO

from ..rpc.stream import ByteStream

_log = logging.getLogger("acp_bindings")

_CHUNK = 64 * 1024
_EXIT = 0.2
"""How long the end of the output waits for the exit that explains it, in seconds."""
_POLL = 0.005
"""How often the end of a process is looked for, in seconds."""
_LONGEST_LINE = 64 * 1024
"""The longest line of standard error that a function takes, in characters."""


class _ProcessStream:
    """The standard input and output of a child process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        self.end_reason = ""
        """How the process ended, if it has ended by itself."""

    async def read(self) -> bytes:
        chunk = await self._output.read(_CHUNK)
        if not chunk:
            await self._explain_end()
        return chunk

    async def _explain_end(self) -> None:
        code = await _exit_code(self._process, _EXIT)
        if code is not None:
            self.end_reason = (
                f"the agent exited with code {code}"
                if code >= 0
                else f"the agent was ended by {_name_of(-code)}"
            )

    def write(self, data: bytes) -> None:
        if not self._input.is_closing():
            self._input.write(data)

    async def drain(self) -> None:
        with contextlib.suppress(ConnectionError):
            await self._input.drain()

    async def close(self) -> None:
        self._input.close()


@contextlib.asynccontextmanager
async def spawn(
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    stderr: int | IO[bytes] | Callable[[str], None] | None = None,
    grace: float = 2.0,
) -> AsyncGenerator[ByteStream, None]:
    """Starts a program, and gives its standard input and output.

    At the end its input is closed. After `grace` seconds it is terminated with its
    child processes, and killed after as many again. `env` replaces the environment.
    `stderr` may be a function that takes the lines of standard error; they are inherited
    by default.
    """
    take_line = stderr if callable(stderr) else None
    process = await asyncio.create_subprocess_exec(
        command,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if callable(stderr) else stderr,
        cwd=cwd,
        env=env,
        start_new_session=sys.platform != "win32",
    )
    stream = _ProcessStream(process)
    errors = asyncio.ensure_future(_read_lines(process.stderr, take_line))
    try:
        yield stream
    finally:
        await stream.close()
        # A program that still writes must not wait for a reader.
        rest = asyncio.ensure_future(_discard(stream))
        for number in (None, signal.SIGTERM, getattr(signal, "SIGKILL", None)):
            _signal(process, number)
            if await _exit_code(process, grace) is not None:
                break
        # Children that have outlived the program end as well.
        _signal(process, getattr(signal, "SIGKILL", None))
        await asyncio.wait((rest, errors), timeout=grace)
        rest.cancel()
        errors.cancel()


async def _exit_code(process: asyncio.subprocess.Process, timeout: float) -> int | None:
    """Waits for the end of a process; None if it has not ended in this time."""
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout
    # `Process.wait` also waits for the pipes, which children of the process may keep open.
    while process.returncode is None and loop.time() < end:
        await asyncio.sleep(_POLL)
    return process.returncode


async def _read_lines(
    errors: asyncio.StreamReader | None, take: Callable[[str], None] | None
) -> None:
    """Gives the lines of standard error to a function, also when they are malformed."""
    if errors is None or take is None:
        return

    def give(line: str) -> None:
        try:
            take(line)
        except Exception:  # noqa: BLE001
            # An agent whose standard error is not read any more would wait for ever.
            _log.exception("the function for standard error failed")

    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    while chunk := await errors.read(_CHUNK):
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        if len(rest) > _LONGEST_LINE:
            lines, rest = [*lines, rest], ""
        for line in lines:
            give(line.removesuffix("\r"))
    if rest:
        give(rest)


async def _discard(stream: ByteStream) -> None:
    with contextlib.suppress(RuntimeError):
        while await stream.read():
            pass


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        # Real-time signals have no names.
        return f"signal {number}"


def _signal(process: asyncio.subprocess.Process, number: int | None) -> None:
    if number is None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform != "win32":
            os.killpg(process.pid, number)
        elif process.returncode is None:
            process.terminate()
