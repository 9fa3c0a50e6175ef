"""How a program is started, above all on Windows, where npm installs `.cmd` files."""

from __future__ import annotations

import errno
import ntpath
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

_PROGRAMS = (".com", ".exe", ".bat", ".cmd")
"""The endings of files that Windows can start without a program that is named for them."""
_LONGEST = 8191
"""The longest command line of cmd.exe, in characters."""
_SAFE = re.compile(r"[A-Za-z0-9#$*+\-./:?@\\_]*[A-Za-z0-9#$*+\-./:?@_]")


class Surroundings(NamedTuple):
    """What decides about a command line, so that every rule can be tried on any platform."""

    platform: str
    cwd: str
    """The folder of the new process, absolute."""
    environment: Mapping[str, str]
    """The environment of the new process."""
    system_root: str
    is_file: Callable[[str], bool]


class CommandLine(NamedTuple):
    """The file to start, and its arguments."""

    file: str
    arguments: list[str]
    is_verbatim: bool
    """Whether the arguments are quoted already."""


def resolve_command(
    command: str, arguments: Sequence[str], around: Surroundings
) -> CommandLine:
    """Finds the file of a command. Only Windows needs this.

    Windows starts `.exe` and `.com` files; others need cmd.exe, with arguments that it does
    not interpret. The file is searched for in the folders of PATH, with the endings of
    PATHEXT, and never in the current folder, unless PATH or the command names it.

    Raises FileNotFoundError, and ValueError for arguments that cmd.exe cannot pass on.
    """
    if around.platform != "win32":
        return CommandLine(command, list(arguments), False)
    file = _find(command, around)
    if not file.lower().endswith((".bat", ".cmd")):
        return CommandLine(file, list(arguments), False)
    line = " ".join((f'"{_unexpanded(file)}"', *map(quote_for_batch, arguments)))
    shell = system_program("cmd.exe", around.system_root)
    # /d: no AutoRun; /e:ON, /v:OFF: what `quote_for_batch` needs; /s: only the outer quotes go.
    switches = ["/d", "/e:ON", "/v:OFF", "/s", "/c"]
    if len(shell) + len(line) + 40 > _LONGEST:
        text = f"the arguments of {file} are longer than cmd.exe, which runs it, can pass on"
        raise ValueError(text)
    return CommandLine(shell, [*switches, f'"{line}"'], True)


def quote_for_batch(argument: str) -> str:
    """Quotes an argument of a batch file, as Rust's standard library does.

    It stays quoted however often cmd.exe reads it, as it does when a batch file passes `%*`
    on, since each inner quote is doubled; so no other character has a meaning. `%cd:~,%`
    expands to nothing, and separates a `%` from the name of a variable.

    Raises ValueError for line breaks, at which cmd.exe would cut the line.
    """
    if "\n" in argument or "\r" in argument:
        raise ValueError("a batch file cannot get a line break in an argument")
    if _SAFE.fullmatch(argument):
        return argument
    escaped = re.sub(r'(\\*)(")', r'\1\1""', argument)
    escaped = re.sub(r"(\\+)$", r"\1\1", escaped)
    return f'"{_unexpanded(escaped)}"'


def _unexpanded(text: str) -> str:
    return text.replace("%", "%%cd:~,%")


def system_program(name: str, root: str | None = None) -> str:
    """Returns the path of a program of Windows, which the current folder may have as well."""
    return ntpath.join(
        root or os.environ.get("SystemRoot") or r"C:\Windows", "System32", name
    )


def merge_environment(
    platform: str,
    inherited: Mapping[str, str],
    added: Mapping[str, str | None],
    *,
    inherits: bool,
) -> dict[str, str]:
    """Returns the inherited variables with others on top, of which None removes one.

    The names of Windows have no case.
    """
    merged = dict(inherited) if inherits else {}
    for name, value in added.items():
        for other in list(merged) if platform == "win32" else [name]:
            if other == name or other.lower() == name.lower():
                merged.pop(other, None)
        if value is not None:
            merged[name] = value
    return merged


def explain_missing(command: str, folder: str, environment: Mapping[str, str]) -> str:
    """Returns why a program was not found, on other platforms than Windows."""
    if "/" in command:
        file = os.path.normpath(os.path.join(folder, command))
        if os.path.exists(file):
            return f"{file} exists, but not the interpreter in its first line"
        return f"there is no file {file}"
    path = environment.get("PATH", "not set")
    return f"it is in none of the folders of PATH ({path})"


def _find(command: str, around: Surroundings) -> str:
    endings = _endings(around.environment)
    own = ntpath.splitext(command)[1].lower()
    names = [command] if own in _PROGRAMS else []
    names += [command + ending for ending in endings]
    is_path = re.search(r"[\\/]|^[A-Za-z]:", command) is not None
    folders = [around.cwd] if is_path else _folders(around)
    for folder in folders:
        for name in names:
            file = _join(folder, name)
            if around.is_file(file):
                return file
    raise FileNotFoundError(
        errno.ENOENT, _missing(command, names, folders, around), command
    )


def _missing(
    command: str, names: list[str], folders: list[str], around: Surroundings
) -> str:
    looked = ", ".join(names)
    if re.search(r"[\\/]|^[A-Za-z]:", command) is None:
        places = "; ".join(folders) or "none"
        return f"there is no {looked} in the folders of PATH ({places})"
    file = _join(around.cwd, command)
    if around.is_file(file):
        return f"{file} is not a program of Windows; start its interpreter with it"
    return f"there is no {looked} in {around.cwd}"


def _endings(environment: Mapping[str, str]) -> list[str]:
    """Returns the endings of PATHEXT that we can start, else all of these."""
    given = [
        one.strip().lower() for one in _variable(environment, "PATHEXT").split(";")
    ]
    return [one for one in given if one in _PROGRAMS] or list(_PROGRAMS)


def _folders(around: Surroundings) -> list[str]:
    """Returns the folders of PATH; a quoted one may contain semicolons."""
    path = _variable(around.environment, "PATH")
    parts = re.findall(r'(?:"[^"]*"?|[^;"])+', path)
    plain = [part.replace('"', "").strip() for part in parts]
    return [_join(around.cwd, folder) for folder in plain if folder]


def _variable(environment: Mapping[str, str], name: str) -> str:
    for other in sorted(environment):
        if other.upper() == name:
            return environment[other]
    return ""


def _join(folder: str, name: str) -> str:
    is_absolute = re.match(r"([A-Za-z]:|[\\/])", name) is not None
    return ntpath.normpath(name if is_absolute else f"{folder}\\{name}")
