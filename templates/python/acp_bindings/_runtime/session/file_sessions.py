"""A backend that keeps sessions in files."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from .. import sentences
from .key_value_sessions import KeyValueSessions
from .session_backend import UnreadableSessionError

_TAKEN = (errno.EEXIST, errno.ENOTEMPTY)
"""Errors of a folder that cannot be renamed because there is one of this name."""
_DRAFT = re.compile(r"[0-9a-f]{32,64}\..*(json|draft|deleted)")
"""Matches the names of drafts of saves and sessions, and of sessions that are being deleted."""
_ABANDONED = 3_600 * 10**9
"""A draft that is older than a new save by this many nanoseconds was left by a process that
died."""


class FileSessions(KeyValueSessions):
    """A backend that keeps sessions in files, for processes that share a folder.

    A session is a folder. An empty file, `<revision>.current`, names its last save, which is
    the file `saves/<revision>.json`. A save writes its own file first, then renames the empty
    file from the revision that it is based on to its own. Of several processes, only one can do
    so, and only while that revision is the last one. Revisions are random, so that one that was
    read before a deletion never fits a session that was created afterwards. Other files, such
    as those of a file manager, are ignored. The TypeScript bindings read and write the same
    files.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """`folder` is created when it does not exist; only its owner can read it."""
        super().__init__(_Files(Path(folder)))


class _Files:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def get(self, owner: str, name: str) -> tuple[str, str] | None:
        place = self._folder / owner / name
        try:
            return await asyncio.to_thread(_read_current, place)
        except (
            NotADirectoryError,
            IsADirectoryError,
            PermissionError,
            UnicodeDecodeError,
        ) as error:
            raise UnreadableSessionError(str(place), error) from error

    async def set(
        self, owner: str, name: str, value: str, revision: str | None
    ) -> str | None:
        place = self._folder / owner / name
        if revision is None:
            return await asyncio.to_thread(_write_first, place, value)
        return await asyncio.to_thread(_write_next, place, value, revision)

    async def delete(self, owner: str, name: str) -> None:
        await asyncio.to_thread(_remove, self._folder / owner / name)

    async def names(self, owner: str) -> list[str]:
        return await asyncio.to_thread(_newest_first, self._folder / owner)


def _current_in(folder: Path, revision: str) -> Path:
    return folder / f"{revision}.current"


def _save_in(folder: Path, revision: str) -> Path:
    return folder / "saves" / f"{revision}.json"


def _create_revision() -> str:
    """Returns a new revision, which is also the name of a draft."""
    return os.urandom(16).hex()


def _read_current(folder: Path) -> tuple[str, str] | None:
    """Reads the last save of a session; None if there is none."""
    last: str | None = ""
    while True:
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return None
        found = (re.fullmatch(r"([0-9a-f]{32})\.current", name) for name in names)
        revision = next((match[1] for match in found if match is not None), None)
        if revision is not None:
            path = _save_in(folder, revision)
            with suppress(FileNotFoundError):
                # Reading a pipe would wait for a writer.
                if not stat.S_ISREG(path.stat().st_mode):
                    reason = sentences.save_is_no_file
                    raise UnreadableSessionError(str(folder), reason)
                return path.read_text("utf-8"), revision
        # A later save has renamed or replaced the file, or the session was deleted.
        if revision == last:
            raise UnreadableSessionError(str(folder), sentences.save_missing)
        last = revision


def _write_first(folder: Path, value: str) -> str | None:
    """Creates the folder of a session; returns None when there is one."""
    revision = _create_revision()
    draft = folder.with_name(f"{folder.name}.{revision}.draft")
    for new in (folder.parent.parent, folder.parent, draft, draft / "saves"):
        new.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        _write_through(_save_in(draft, revision), value)
        _write_through(_current_in(draft, revision), "")
        draft.rename(folder)
    except OSError as error:
        if error.errno in _TAKEN:
            return None
        raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    _remove_abandoned(folder)
    return revision


def _write_next(folder: Path, value: str, revision: str) -> str | None:
    """Writes the save behind a revision; returns None when there is one already."""
    next_one = _create_revision()
    draft = _save_in(folder, next_one)
    try:
        _write_through(draft, value)
        _current_in(folder, revision).rename(_current_in(folder, next_one))
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, FileNotFoundError):
            return None
        raise
    with suppress(OSError):
        _save_in(folder, revision).unlink(missing_ok=True)
    _remove_abandoned(draft)
    return next_one


def _remove_abandoned(save: Path) -> None:
    """Removes what processes that died have left beside a new save, if it is an hour older.

    Such a draft is based on an earlier save, so it can no longer succeed. The new save does not
    fail with this.
    """
    with suppress(OSError):
        oldest = save.stat().st_mtime_ns - _ABANDONED
        for name in os.listdir(save.parent):
            path = save.parent / name
            if _DRAFT.fullmatch(name) is not None and path.stat().st_mtime_ns < oldest:
                _remove(path)


def _write_through(path: Path, text: str) -> None:
    """Writes a file that is on the disk when this returns."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, 0o600), "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    """Removes a folder or a file from its name at once, and then from the disk."""
    removed = path.with_name(f"{path.name}.{_create_revision()}.deleted")
    try:
        path.rename(removed)
    except FileNotFoundError:
        return
    if removed.is_dir():
        shutil.rmtree(removed, ignore_errors=True)
    else:
        removed.unlink(missing_ok=True)


def _newest_first(parent: Path) -> list[str]:
    """Returns the names in an owner's folder, that of the session that was saved last first."""
    try:
        names = os.listdir(parent)
    except FileNotFoundError:
        return []
    dated: list[tuple[int, str]] = []
    for name in names:
        # Each save has renamed a file in the folder of its session, which changes the time;
        # drafts do not.
        with suppress(FileNotFoundError):
            dated.append(((parent / name).stat().st_mtime_ns, name))
    return [name for _, name in sorted(dated, reverse=True)]
