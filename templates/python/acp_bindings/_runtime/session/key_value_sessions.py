"""Backends that keep each session as a value of a store."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from .. import sentences
from .session_backend import (
    StaleSessionError,
    StoredSession,
    UnreadableSessionError,
    invalid_cursor,
)

_log = logging.getLogger("acp_bindings")

PAGE_SIZE = 200
"""The number of sessions in a page of a list; with a filter, there may be up to
`_READ_AT_ONCE` more."""
_READ_AT_ONCE = 20
"""How many sessions a list reads at the same time."""


class KeyValueStore(Protocol):
    """A store that sets a value only if nobody else has changed it.

    Such as the table of a database, a bucket, a folder. A value is found by an owner and a
    name, which have 64 hexadecimal digits each.
    """

    async def get(self, owner: str, name: str) -> tuple[str, str] | None:
        """Returns a value and its revision; None if there is none."""
        ...

    async def set(
        self, owner: str, name: str, value: str, revision: str | None
    ) -> str | None:
        """Sets a value, if its revision is still the given one.

        `revision` is None for a value that must not exist yet. Returns a revision that no value
        of this name has had, not even before a deletion; None if the value has another
        revision than the given one.
        """
        ...

    async def delete(self, owner: str, name: str) -> None:
        """Removes a value; one that does not exist is not an error."""
        ...

    async def names(self, owner: str) -> Sequence[str]:
        """Returns the names of all values of an owner, the one that was set last first."""
        ...


class KeyValueSessions:
    """A backend that keeps each session as one value.

    Owners and names are hashes of the principal and of the id, which can be any string. The
    TypeScript bindings store the same values.

    A list has pages, and sessions may be saved and deleted while a client reads them. A session
    that does not change in the meantime is listed exactly once; one that changes moves to the
    front, so that it may be missing or listed twice. If all of the last 16 sessions of a page
    change or are deleted before the next page is read, that page may also repeat sessions that
    have not changed. A value that is not a session is not listed, but logged once.
    """

    def __init__(self, store: KeyValueStore) -> None:
        self._store = store
        self._reported: set[str] = set()

    async def load(
        self, principal: str, session_id: str
    ) -> tuple[StoredSession, str] | None:
        found = await self._read(_hash(principal), _hash(session_id))
        return None if found is None else found[1:]

    async def save(
        self,
        principal: str,
        session_id: str,
        session: StoredSession,
        revision: str | None,
    ) -> str:
        prompts = {"prompts": session.prompts} if session.prompts else {}
        content = {
            "principal": principal,
            "sessionId": session_id,
            "session": {**_facts_of(session), "state": session.state, **prompts},
            # Makes each value another one, for stores whose revisions are hashes.
            "save": os.urandom(16).hex(),
        }
        place = _hash(principal), _hash(session_id)
        saved = await self._store.set(*place, json.dumps(content), revision)
        if saved is None:
            raise StaleSessionError(session_id)
        return saved

    async def delete(self, principal: str, session_id: str) -> None:
        await self._store.delete(_hash(principal), _hash(session_id))

    async def list(
        self, principal: str, cwd: str | None, cursor: str | None
    ) -> Mapping[str, Any]:
        owner = _hash(principal)
        names = [
            name
            for name in await self._store.names(owner)
            if re.fullmatch("[0-9a-f]{64}", name)
        ]
        sessions: list[dict[str, Any]] = []
        at = 0 if cursor is None else _place_behind(cursor, names)
        while at < len(names) and len(sessions) < PAGE_SIZE:
            part = names[at : at + _READ_AT_ONCE]
            reads = [self._read_entry(owner, name) for name in part]
            for entry in filter(None, await asyncio.gather(*reads)):
                if cwd in (None, entry["cwd"]):
                    sessions.append(entry)
            at += _READ_AT_ONCE
        next_page = {"nextCursor": _cursor_of(names[:at])} if at < len(names) else {}
        return {"sessions": sessions, **next_page}

    async def _read(
        self, owner: str, name: str
    ) -> tuple[str, StoredSession, str] | None:
        """Returns the id of a session, the session and its revision."""
        found = await self._store.get(owner, name)
        if found is None:
            return None
        value, revision = found
        return *_parse(value, f"{owner}/{name} with revision {revision}"), revision

    async def _read_entry(self, owner: str, name: str) -> dict[str, Any] | None:
        try:
            found = await self._read(owner, name)
        except UnreadableSessionError as error:
            text = str(error)
            if text not in self._reported:
                _log.warning("%s", text)
            self._reported.add(text)
            return None
        return found and {"sessionId": found[0], **_facts_of(found[1])}


class MemorySessions(KeyValueSessions):
    """A backend that keeps sessions in the memory of this process, for several stores."""

    def __init__(self) -> None:
        super().__init__(_Memory())


class _Memory:
    def __init__(self) -> None:
        self._values: dict[tuple[str, str], tuple[str, str]] = {}

    async def get(self, owner: str, name: str) -> tuple[str, str] | None:
        return self._values.get((owner, name))

    async def set(
        self, owner: str, name: str, value: str, revision: str | None
    ) -> str | None:
        key = owner, name
        if (self._values[key][1] if key in self._values else None) != revision:
            return None
        # The newest value is the last one.
        self._values.pop(key, None)
        self._values[key] = value, os.urandom(16).hex()
        return self._values[key][1]

    async def delete(self, owner: str, name: str) -> None:
        self._values.pop((owner, name), None)

    async def names(self, owner: str) -> list[str]:
        return [name for other, name in reversed(self._values) if other == owner]


def _hash(text: str) -> str:
    """Returns the SHA-256 of a string in JSON, with lone surrogates as JavaScript prints them."""
    printed = json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return hashlib.sha256(printed).hexdigest()


def _cursor_of(names: Sequence[str]) -> str:
    """Returns the cursor of a page that ends with the last of some names.

    It consists of prefixes of the last 16, since some of their sessions may have changed or
    been deleted when the next page is read.
    """
    return "".join(name[:16] for name in names[-16:])


def _place_behind(cursor: str, names: Sequence[str]) -> int:
    """Returns the index behind the names of a cursor.

    Sessions that have changed since are in front of all others, so the last name that is found
    belongs to a session that has not.
    """
    if re.fullmatch("([0-9a-f]{16}){1,16}", cursor) is None:
        raise invalid_cursor()
    listed = {cursor[at : at + 16] for at in range(0, len(cursor), 16)}
    places = (at for at, name in enumerate(names, 1) if name[:16] in listed)
    return max(places, default=0)


def _parse(text: str, place: str) -> tuple[str, StoredSession]:
    """Returns the id of a session and the session that a value has."""
    try:
        value = json.loads(text)
        found = value["session"]
        facts = found["cwd"], found.get("title"), found["updatedAt"], found["state"]
        prompts = found.get("prompts", {})
        texts = value["sessionId"], *facts, *prompts.values()
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise UnreadableSessionError(place, repr(error)) from error
    if all(isinstance(one, str) or one is facts[1] is None for one in texts):
        return texts[0], StoredSession(*facts, prompts)
    raise UnreadableSessionError(place, sentences.value_is_no_session)


def _facts_of(session: StoredSession) -> dict[str, Any]:
    title = {} if session.title is None else {"title": session.title}
    return {"cwd": session.cwd, "updatedAt": session.updated_at, **title}
