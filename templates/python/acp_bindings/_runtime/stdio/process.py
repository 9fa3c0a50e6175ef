"""Agents that this program starts as child processes."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import errno
import inspect
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import IO, TypeVar, cast

from .. import sentences
from ..rpc.errors import AgentSilentError, AgentStartError, RequestTimeoutError
from ..rpc.patience import Patience, within
from .command_line import (
    Surroundings,
    explain_missing,
    merge_environment,
    resolve_command,
)
from .input_reader import InputReader
from .pipe_stream import PipeStream
from .process_tree import KILL, ProcessTree

T = TypeVar("T")

_log = logging.getLogger("acp_bindings")

_EXIT = 0.2
"""How long the end of the output waits for the exit that explains it, in seconds."""
_DRAIN = 1.0
"""How long a pipe is still read after the process does not read any more, or has ended."""
_TRACE = re.compile(r"\s+(at |\w+:)|\}|Node\.js v")
"""What Node.js prints behind an error: the trace, the properties of the error, its own version."""

_LONGEST_LINE = 64 * 1024
"""The longest line of standard error that a function takes, in characters."""
_SHOWN = 200
"""How much of the last line of standard error is a part of the reason of an end."""


class AgentProcess(PipeStream):
    """The standard input and output of a child process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(_taken(process.stdout), _taken(process.stdin))
        self.tree = ProcessTree(process)
        self.end_reason = ""
        """How the process ended, if it has ended by itself."""
        self.last_error = ""
        """The last line of standard error, if a function takes the lines."""
        self.errors: asyncio.Future[None] | None = None
        """Done when standard error has ended."""
        self._waits: set[Patience] = set()
        """The waits that everything renews that the process writes."""
        self._ending = asyncio.ensure_future(self._end_without_writer())

    async def read(self) -> bytes:
        chunk = await self.reader.read()
        self.renew()
        if not chunk and not self.end_reason:
            await self._explain_end()
        return chunk

    async def wait_for(self, work: Awaitable[T], *, silence: float) -> T:
        """Returns the result of work, such as a call, while the process writes.

        Raises AgentSilentError when it has written nothing for `silence` seconds: neither
        messages nor, if a function takes them, lines of standard error. A program that
        installs itself, and says so, thus gets the time that it needs. Raises ValueError for a
        silence that is not a positive number.
        """
        is_number = isinstance(cast(object, silence), (int, float))
        if isinstance(silence, bool) or not is_number or not silence > 0:
            if inspect.iscoroutine(work):
                # It was not started, and nobody waits for it.
                work.close()
            text = f"silence needs a positive number, not {silence!r}"
            raise ValueError(f"{text}: process.wait_for(work, silence=10)")
        patience = Patience(silence)
        self._waits.add(patience)
        try:
            return await patience.wait_for(work)
        except TimeoutError as error:
            if isinstance(error, RequestTimeoutError):
                raise
            last = (self.last_error or "")[:_SHOWN]
            raise AgentSilentError(silence, last) from None
        finally:
            self._waits.discard(patience)

    def renew(self) -> None:
        """Takes note that the process has written something."""
        for patience in self._waits:
            patience.renew()

    async def _explain_end(self) -> None:
        await _waits(self.tree.exited, _EXIT)
        code = self.tree.code
        if code is None:
            return
        if self.errors is not None:
            # What the process wrote last explains its end; another one may keep the pipe open.
            await asyncio.wait((self.errors,), timeout=_EXIT)
        how = (
            sentences.exited(str(code))
            if code >= 0
            else f"was ended by {_name_of(-code)}"
        )
        self.end_reason = sentences.agent_ended(how, (self.last_error or "")[:_SHOWN])

    async def _end_without_writer(self) -> None:
        """Ends the output of a process that has ended; another one may keep the pipe open."""
        await self.tree.exited.wait()
        received = -1
        while received < self.reader.received or self.reader.is_waiting:
            received = self.reader.received
            await asyncio.sleep(_DRAIN)
        self.reader.end()

    def _output_broken(self) -> None:
        # What the process wrote before it has ended is read first.
        asyncio.get_running_loop().call_later(_DRAIN, self.reader.end)

    async def close(self) -> None:
        self._ending.cancel()
        await super().close()


@contextlib.asynccontextmanager
async def spawn(
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str | None] | None = None,
    inherit_env: bool = True,
    stderr: int | IO[bytes] | Callable[[str], None] | None = None,
    grace: float = 2.0,
) -> AsyncGenerator[AgentProcess, None]:
    """Starts a program, and gives its standard input and output.

    On Windows this also starts what npm installs, such as `npx`; there, a relative command
    is searched for in `cwd`.

    At the end its input is closed. After `grace` seconds it is terminated with its child
    processes, and killed after as many again. They get SIGTERM as well when this program
    exits, or is ended by SIGTERM or SIGHUP.

    `env` adds to the environment of this program, and None removes a variable; with
    `inherit_env=False` it is the whole environment. `stderr` may be a function that takes
    the lines of standard error; they are inherited by default.

    Raises AgentStartError, an OSError, if the program cannot be started, and ValueError for
    arguments that cannot be passed to it.
    """
    take_line = stderr if callable(stderr) else None
    try:
        process = _start(
            command,
            arguments,
            cwd=cwd,
            env=env,
            inherit_env=inherit_env,
            stderr=subprocess.PIPE if callable(stderr) else stderr,
        )
    except OSError as error:
        raise _start_error(command, cwd, env or {}, inherit_env, error) from error
    stream = AgentProcess(process)
    errors = asyncio.ensure_future(_read_lines(process, take_line, stream))
    stream.errors = errors
    try:
        yield stream
    finally:
        await _end(stream, errors, grace)


def start_inherited(
    command: str,
    arguments: Sequence[str],
    *,
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str | None],
) -> subprocess.Popen[bytes]:
    """Starts a program in the terminal of this one; see `spawn` for the errors."""
    try:
        return _start(
            command,
            tuple(arguments),
            cwd=cwd,
            env=env,
            inherit_env=True,
            stderr=None,
            is_inherited=True,
        )
    except OSError as error:
        raise _start_error(command, cwd, env, True, error) from error


def _start(
    command: str,
    arguments: tuple[str, ...],
    *,
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str | None] | None,
    inherit_env: bool,
    stderr: int | IO[bytes] | None,
    is_inherited: bool = False,
) -> subprocess.Popen[bytes]:
    """`is_inherited`: whether the process gets the standard input and output of this one."""
    pipe = None if is_inherited else subprocess.PIPE
    environment = merge_environment(
        sys.platform, os.environ, env or {}, inherits=inherit_env
    )
    root = os.environ.get("SystemRoot", "")
    if sys.platform == "win32" and root:
        # Without it, programs of Windows do not start.
        environment.setdefault("SystemRoot", root)
    folder = os.path.abspath(os.fsdecode(os.fspath(cwd or ".")))
    around = Surroundings(sys.platform, folder, environment, root, os.path.isfile)
    file, given, is_verbatim = resolve_command(command, arguments, around)
    return subprocess.Popen(
        " ".join((f'"{file}"', *given)) if is_verbatim else [file, *given],
        bufsize=0,
        stdin=pipe,
        stdout=pipe,
        stderr=stderr,
        cwd=cwd,
        env=environment,
        start_new_session=sys.platform != "win32" and not is_inherited,
        creationflags=0 if is_inherited else getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _start_error(
    command: str,
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str | None],
    inherit_env: bool,
    error: OSError,
) -> AgentStartError:
    """Returns the error for a program that could not be started, with what was searched."""
    folder = os.path.abspath(os.fsdecode(os.fspath(cwd or ".")))
    place = "" if cwd is None else f" in {os.fsdecode(os.fspath(cwd))}"
    reason = error.strerror or str(error)
    if error.errno == errno.ENOENT:
        if not os.path.isdir(folder):
            reason = f"the folder {folder} does not exist"
        elif sys.platform != "win32":
            reason = explain_missing(
                command,
                folder,
                merge_environment(sys.platform, os.environ, env, inherits=inherit_env),
            )
    code = errno.errorcode.get(error.errno or 0, "")
    return AgentStartError(command, f"{place}: {reason}", code)


async def _end(
    stream: AgentProcess, errors: asyncio.Future[None], grace: float
) -> None:
    """Closes the input of a process, and ends it and its child processes."""
    tree = stream.tree
    closing = asyncio.ensure_future(stream.close())
    # A program that still writes must not wait for a reader.
    rest = asyncio.ensure_future(_discard(stream.reader))
    try:
        if not await _waits(tree.exited, grace):
            tree.signal(signal.SIGTERM)
        if not await _waits(tree.ended, grace):
            tree.signal(KILL)
            await _waits(tree.exited, grace)
        await asyncio.wait((closing, rest, errors), timeout=grace)
    finally:
        # Also when this is cancelled.
        tree.signal(KILL)
        for task in (closing, rest, errors):
            task.cancel()


async def _waits(event: asyncio.Event, timeout: float) -> bool:
    """Waits for an event. Returns whether it has come within a time."""
    with contextlib.suppress(TimeoutError):
        await within(timeout, event.wait())
    return event.is_set()


async def _read_lines(
    process: subprocess.Popen[bytes],
    take: Callable[[str], None] | None,
    stream: AgentProcess,
) -> None:
    """Gives the lines of standard error to a function, also when they are malformed."""
    if process.stderr is None:
        return
    errors = InputReader(_taken(process.stderr))
    if take is None:
        return await _discard(errors)

    def give(line: str) -> None:
        if _TRACE.match(line) is None:
            stream.last_error = line.strip() or stream.last_error
        stream.renew()
        try:
            take(line)
        except Exception:  # noqa: BLE001
            # An agent whose standard error is not read any more would wait for ever.
            _log.exception("the function for standard error failed")

    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    while chunk := await errors.read():
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        if len(rest) > _LONGEST_LINE:
            lines, rest = [*lines, rest], ""
        for line in lines:
            give(line.removesuffix("\r"))
    if rest:
        give(rest)


def _taken(pipe: IO[bytes] | None) -> int:
    """Returns the descriptor of a pipe, which the caller closes."""
    assert pipe is not None
    taken = os.dup(pipe.fileno())
    pipe.close()
    return taken


async def _discard(reader: InputReader) -> None:
    while await reader.read():
        pass


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        # Real-time signals have no names.
        return f"signal {number}"
