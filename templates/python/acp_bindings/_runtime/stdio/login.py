"""Logins that the user carries out in a terminal."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import sentences
from ..rpc.errors import AcpError
from .process import start_inherited


class TerminalLogin(NamedTuple):
    """How a login in a terminal is started."""

    command: str
    args: list[str]
    env: dict[str, str | None]
    """Variables that are added to the environment; None removes one."""


def terminal_login(
    method: Any,
    command: str,
    *arguments: str,
    env: Mapping[str, str | None] | None = None,
) -> TerminalLogin:
    """Returns how a login in a terminal is started.

    That is the agent's program, as the client starts it with `command`, `arguments` and `env`,
    with the arguments of the method behind its own, and the variables of the method over its
    own. An agent cannot choose the program. Raises ValueError for a method that is not of the
    type `terminal`, which `authenticate` or `auth/login` is called for.
    """
    if getattr(method, "type", None) != "terminal":
        raise ValueError(sentences.no_terminal_login)
    own: Any = method.env or {}
    added: Mapping[str, str] = (
        own if hasattr(own, "keys") else {one.name: one.value for one in own}
    )
    args = [*arguments, *(method.args or ())]
    return TerminalLogin(command, args, {**(env or {}), **added})


async def login(
    method: Any,
    command: str,
    *arguments: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str | None] | None = None,
) -> None:
    """Runs a login in the terminal of this process, for a client that has one.

    The agent has to be started again afterwards, since it knows nothing of a login in another
    process. Raises AcpError when the login has failed, and AgentStartError when it could not
    be started.
    """
    launch = terminal_login(method, command, *arguments, env=env)
    process = start_inherited(launch.command, launch.args, cwd=cwd, env=launch.env)
    try:
        code = await asyncio.to_thread(process.wait)
    except asyncio.CancelledError:
        process.terminate()
        raise
    if code != 0:
        how = (
            sentences.exited(str(code)) if code > 0 else f"was ended by signal {-code}"
        )
        raise AcpError(f"the login {how}")
