"""A backend that keeps sessions in files."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .session_backend import StaleSessionError, StoredSession, entry_of

MOST_LISTED = 200
"""How many sessions a list has at most."""


class FileSessions:
    """A backend that keeps sessions in files, for processes that share a folder.

    A session is a folder, and each save a file whose name is the next number. The file is
    linked to its name when it is complete, which fails when another process has taken the
    number. Principals and ids are hashed, since they may be no file names. Lists have the 200
    newest sessions. The TypeScript bindings read and write the same files.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """`folder` is created when it does not exist; only its owner can read it."""
        self._folder = Path(folder)

    async def load(
        self, principal: str, session_id: str
    ) -> tuple[StoredSession, str] | None:
        folder = self._folder_of(principal, session_id)
        found = await asyncio.to_thread(_read_newest, folder)
        return None if found is None else (_session_of(found[0]), str(found[1]))

    async def save(
        self,
        principal: str,
        session_id: str,
        session: StoredSession,
        revision: str | None,
    ) -> str:
        entry = entry_of(session_id, session)
        file = {"principal": principal, **entry, "state": session.state}
        folder = self._folder_of(principal, session_id)
        text = json.dumps(file)
        written = await asyncio.to_thread(_write_next, folder, text, int(revision or 0))
        if written is None:
            raise StaleSessionError(session_id)
        return str(written)

    async def delete(self, principal: str, session_id: str) -> None:
        folder = self._folder_of(principal, session_id)
        await asyncio.to_thread(_remove_folder, folder)

    async def list(
        self, principal: str, cwd: str | None, cursor: str | None
    ) -> Mapping[str, Any]:
        parent = self._folder / _hash(principal)
        return {"sessions": await asyncio.to_thread(_list, parent, cwd)}

    def _folder_of(self, principal: str, session_id: str) -> Path:
        return self._folder / _hash(principal) / _hash(session_id)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _session_of(file: dict[str, Any]) -> StoredSession:
    return StoredSession(
        file["cwd"], file.get("title"), file["updatedAt"], file["state"]
    )


def _revisions_in(folder: Path) -> tuple[int, ...]:
    """Returns the numbers of the saves of a folder; none for one that does not exist."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return ()
    bare = [name[:-5] for name in names if name.endswith(".json")]
    return tuple(int(name) for name in bare if name.isdecimal())


def _file_of(folder: Path, revision: int) -> Path:
    return folder / f"{revision}.json"


def _read_newest(folder: Path) -> tuple[dict[str, Any], int] | None:
    """Reads the last save of a session; None if there is none."""
    while revision := max(_revisions_in(folder), default=0):
        # A file that is missing was replaced by a later save, or the session was deleted.
        with suppress(FileNotFoundError):
            return json.loads(_file_of(folder, revision).read_bytes()), revision
    return None


def _write_next(folder: Path, text: str, revision: int) -> int | None:
    """Writes the save behind a revision; returns None when there is one already."""
    if revision == 0:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    next_one = revision + 1
    draft = folder / f"{os.urandom(16).hex()}.draft"
    try:
        _write_through(draft, text)
        os.link(draft, _file_of(folder, next_one))
    except (FileExistsError, FileNotFoundError):
        return None
    finally:
        draft.unlink(missing_ok=True)
    others = [number for number in _revisions_in(folder) if number != next_one]
    # The number may be free because others have saved more than once since.
    is_last = all(number < next_one for number in others)
    for number in others if is_last else [next_one]:
        _file_of(folder, number).unlink(missing_ok=True)
    return next_one if is_last else None


def _write_through(path: Path, text: str) -> None:
    """Writes a file that is on the disk when this returns."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
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


def _list(parent: Path, cwd: str | None) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = []
    for folder in _newest_first(parent):
        if len(listed) == MOST_LISTED:
            break
        found = _read_newest(folder)
        if found is not None and cwd in (None, found[0]["cwd"]):
            listed.append(entry_of(found[0]["sessionId"], _session_of(found[0])))
    return listed


def _newest_first(parent: Path) -> list[Path]:
    """Returns the folders of sessions, the one that was changed last first."""
    dated: list[tuple[int, Path]] = []
    with suppress(FileNotFoundError):
        for entry in os.scandir(parent):
            with suppress(FileNotFoundError):
                if len(entry.name) == 64:
                    dated.append((entry.stat().st_mtime_ns, Path(entry.path)))
    return [path for _, path in sorted(dated, key=lambda one: one[0], reverse=True)]
