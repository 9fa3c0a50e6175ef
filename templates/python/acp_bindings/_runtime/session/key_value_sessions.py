"""Backends that keep each session as a value of a store."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from .session_backend import StaleSessionError, StoredSession

MOST_LISTED = 200
"""How many sessions a list has at most."""
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
        """Returns the names of an owner's values, the one that was set last first."""
        ...


class KeyValueSessions:
    """A backend that keeps each session as one value.

    Owners and names are hashes of the principal and of the id, which can be any string. Lists
    have the 200 newest sessions. The TypeScript bindings store the same values.
    """

    def __init__(self, store: KeyValueStore) -> None:
        self._store = store

    async def load(
        self, principal: str, session_id: str
    ) -> tuple[StoredSession, str] | None:
        found = await self._store.get(_hash(principal), _hash(session_id))
        if found is None:
            return None
        value, revision = found
        return _session_of(json.loads(value)["session"]), revision

    async def save(
        self,
        principal: str,
        session_id: str,
        session: StoredSession,
        revision: str | None,
    ) -> str:
        content = {
            "principal": principal,
            "sessionId": session_id,
            "session": {**_facts_of(session), "state": session.state},
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
        names = await self._store.names(owner)
        sessions: list[dict[str, Any]] = []
        for at in range(0, len(names), _READ_AT_ONCE):
            part = names[at : at + _READ_AT_ONCE]
            reads = [self._store.get(owner, name) for name in part]
            for found in filter(None, await asyncio.gather(*reads)):
                value = json.loads(found[0])
                session = _session_of(value["session"])
                if cwd in (None, session.cwd):
                    entry = {"sessionId": value["sessionId"], **_facts_of(session)}
                    sessions.append(entry)
            if len(sessions) >= MOST_LISTED:
                break
        return {"sessions": sessions[:MOST_LISTED]}


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


def _session_of(found: Mapping[str, Any]) -> StoredSession:
    title = found.get("title")
    return StoredSession(found["cwd"], title, found["updatedAt"], found["state"])


def _facts_of(session: StoredSession) -> dict[str, Any]:
    title = {} if session.title is None else {"title": session.title}
    return {"cwd": session.cwd, "updatedAt": session.updated_at, **title}
