"""A backend that keeps sessions in files."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from .key_value_sessions import KeyValueSessions

_TAKEN = (errno.EEXIST, errno.ENOTEMPTY)
"""Errors of a folder that cannot be renamed because there is one of this name."""


class FileSessions(KeyValueSessions):
    """A backend that keeps sessions in files, for processes that share a folder.

    A session is a folder, with a folder of a random name, its life, so that what was read
    before a deletion is not a revision of what is created afterwards. In it, each save is a
    file whose name is the next number. The file is linked to its name when it is complete,
    which fails when another process has taken the number. The TypeScript bindings read and
    write the same files.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """`folder` is created when it does not exist; only its owner can read it."""
        super().__init__(_Files(Path(folder)))


class _Files:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def get(self, owner: str, name: str) -> tuple[str, str] | None:
        return await asyncio.to_thread(_read_newest, self._folder / owner / name)

    async def set(
        self, owner: str, name: str, value: str, revision: str | None
    ) -> str | None:
        place = self._folder / owner / name
        if revision is None:
            return await asyncio.to_thread(_write_first, place, value)
        return await asyncio.to_thread(_write_next, place, value, revision)

    async def delete(self, owner: str, name: str) -> None:
        await asyncio.to_thread(_remove_folder, self._folder / owner / name)

    async def names(self, owner: str) -> list[str]:
        return await asyncio.to_thread(_newest_first, self._folder / owner)


def _names_in(folder: Path) -> list[str]:
    """Returns the names in a folder; none for one that does not exist."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _numbers_in(life: Path) -> tuple[int, ...]:
    """Returns the numbers of the saves in a life."""
    found = (re.fullmatch(r"([0-9]+)\.json", name) for name in _names_in(life))
    return tuple(int(match[1]) for match in found if match is not None)


def _read_newest(folder: Path) -> tuple[str, str] | None:
    """Reads the last save of a session; None if there is none."""
    while True:
        lives = (name for name in _names_in(folder) if not name.endswith(".draft"))
        life = next(lives, None)
        number = 0 if life is None else max(_numbers_in(folder / life), default=0)
        if number == 0:
            return None
        revision = f"{life}/{number}"
        # A file that is missing was replaced by a later save, or the session was deleted.
        with suppress(FileNotFoundError):
            return (folder / f"{revision}.json").read_text("utf-8"), revision


def _write_first(folder: Path, value: str) -> str | None:
    """Begins the life of a session; returns None when there is one."""
    life = os.urandom(16).hex()
    draft = folder.with_name(f"{folder.name}.{life}.draft")
    for new in (folder.parent.parent, folder.parent, draft, draft / life):
        new.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        _write_through(draft / life / "1.json", value)
        draft.rename(folder)
    except OSError as error:
        if error.errno in _TAKEN:
            return None
        raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return f"{life}/1"


def _write_next(folder: Path, value: str, revision: str) -> str | None:
    """Writes the save behind a revision; returns None when there is one already."""
    life, number = revision.split("/")
    next_one = int(number) + 1
    draft = folder / f"{os.urandom(16).hex()}.draft"
    try:
        _write_through(draft, value)
        os.link(draft, folder / life / f"{next_one}.json")
    except (FileExistsError, FileNotFoundError):
        return None
    finally:
        draft.unlink(missing_ok=True)
    others = [found for found in _numbers_in(folder / life) if found != next_one]
    # The number was free because others have saved more than once since.
    is_last = all(number < next_one for number in others)
    for obsolete in others if is_last else [next_one]:
        (folder / life / f"{obsolete}.json").unlink(missing_ok=True)
    return f"{life}/{next_one}" if is_last else None


def _write_through(path: Path, text: str) -> None:
    """Writes a file that is on the disk when this returns."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, 0o600), "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _remove_folder(folder: Path) -> None:
    """Removes a folder from its name at once, and then from the disk."""
    removed = folder.with_name(f"{folder.name}.{os.urandom(16).hex()}.deleted")
    try:
        folder.rename(removed)
    except FileNotFoundError:
        return
    shutil.rmtree(removed, ignore_errors=True)


def _newest_first(parent: Path) -> list[str]:
    """Returns the names of the folders of sessions, the one that was changed last first."""
    dated: list[tuple[int, str]] = []
    for name in _names_in(parent):
        if re.fullmatch("[0-9a-f]{64}", name) is not None:
            # Each save has created its draft here, which changes the time.
            with suppress(FileNotFoundError):
                dated.append(((parent / name).stat().st_mtime_ns, name))
    return [name for _, name in sorted(dated, reverse=True)]
