"""The sessions of an agent."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from time import gmtime, strftime
from typing import Any, Generic, TypeVar, cast

from ..message import Unset
from ..rpc.errors import RpcError
from .session_backend import (
    SessionBackend,
    StaleSessionError,
    StoredSession,
    invalid_cursor,
)

StateT = TypeVar("StateT")
_Result = TypeVar("_Result")


def _to_json(state: Any) -> str:
    try:
        return json.dumps(state, allow_nan=False)
    except ValueError as error:
        text = f"the state of a session cannot be stored as JSON: {error}"
        raise ValueError(text) from error


class _OpenSession(Generic[StateT]):
    """An open session. One that is replaced keeps its revision, so its turns cannot be saved."""

    def __init__(
        self,
        state: StateT,
        revision: str | None = None,
        prompts: Mapping[str, str] | None = None,
    ) -> None:
        self.state = state
        self.prompts = dict(prompts or {})
        """The ids of the messages of prompts, by their `idempotencyKey`."""
        self.revision = revision
        """The stored revision that the state is based on; None before it was saved."""
        self.turns = 0
        """How many turns run."""
        self.is_deleted = False
        self.lock = asyncio.Lock()
        """Held while the backend is called: a save needs the revision of the one before."""


class SessionStore(dict[str, StateT]):
    """The state that an agent keeps for each open session, by id.

    An id that it does not have raises the RpcError "Session not found" (-32002), which a
    handler may leave to the client.
    """

    def __init__(
        self,
        states: Mapping[str, StateT] | Iterable[tuple[str, StateT]] = (),
        /,
        *,
        backend: SessionBackend | None = None,
        principal: str | None = None,
        encode: Callable[[StateT], str] = _to_json,
        decode: Callable[[str], Any] = json.loads,
        describe: Callable[[StateT], Mapping[str, Any]] | None = None,
    ) -> None:
        """
        `backend` keeps the sessions, so that another process can open them; without one,
        they are kept while they are open. `principal` is the caller whose sessions these
        are; those of others do not exist for the store. Without one, and with an empty one,
        all callers are the same. `encode` writes a state, as JSON by default, which has
        neither NaN nor Infinity, and `decode` reads it. `describe` returns the facts for `session/list`, by
        default the `cwd` and the `title` of the state, as attributes or items.
        """
        # Programs without types pass what their authentication returns.
        if not isinstance(cast(object, principal), (str, type(None))):
            raise TypeError("the principal of SessionStore is not a string")
        super().__init__(states)
        self._open: dict[str, _OpenSession[StateT]] = {}
        """The sessions that have had a turn. Closed ones are kept while turns run, which must
        not be in the way of a session that is opened again."""
        self._backend = backend
        self._principal = "" if principal is None else principal
        self._encode = encode
        self._decode = decode
        self._describe = _facts if describe is None else describe

    def create(self, state: StateT, session_id: str | None = None) -> str:
        """Opens a new session, which is stored when its first turn ends.

        Returns its id, a random one by default.
        """
        own_id = os.urandom(16).hex() if session_id is None else session_id
        self[own_id] = state
        return own_id

    async def open(self, session_id: str) -> StateT:
        """Opens a session for `session/load` and `session/resume`, and returns its state.

        It is as it is stored, or, when nobody has changed it since, as it is in memory.
        """
        if self._backend is None:
            return self[session_id]
        while True:
            before = self._open.get(session_id)
            async with nullcontext() if before is None else before.lock:
                loaded = await self._backend.load(self._principal, session_id)
            if self._open.get(session_id) is before:
                break
            # It was opened meanwhile, and may have changed since it was loaded.
        revision = None if loaded is None else loaded[1]
        known = self._known(session_id)
        if known is None or known.revision != revision:
            self._forget(session_id)
            if loaded is None:
                return self[session_id]
            stored = loaded[0]
            state = self._decode(stored.state)
            known = _OpenSession(state, revision, stored.prompts)
        self._open[session_id] = known
        self[session_id] = known.state
        return known.state

    @asynccontextmanager
    async def turn(self, session_id: str) -> AsyncGenerator[StateT, None]:
        """Runs a turn with the state of an open session, and stores the session at its end.

        Answer the prompt after that, since the client may then open the session elsewhere. A
        turn that fails or is cancelled is stored as well. Raises StaleSessionError when the session was
        changed elsewhere; it is then not open any longer.
        """
        session = self._session(session_id)
        session.turns += 1
        try:
            try:
                yield session.state
            except (Exception, asyncio.CancelledError):
                # The failure of the turn matters more than that of storing it.
                with suppress(Exception):
                    await self._save(session_id, session)
                raise
            await self._save(session_id, session)
        finally:
            session.turns -= 1
            if session_id not in self:
                self._drop(session_id, session)

    async def save(self, session_id: str) -> None:
        """Stores an open session, after a change outside of a turn; see `turn`."""
        await self._save(session_id, self._session(session_id))

    def find_message(self, session_id: str, key: str) -> str | None:
        """Returns the id of the message that the prompt with a key has inserted."""
        session = self._open.get(session_id) if session_id in self else None
        return None if session is None else session.prompts.get(key)

    def keep_message(self, session_id: str, key: str, message_id: str) -> None:
        """Remembers a message as long as its session, and stores it at the end of the turn."""
        if session_id in self:
            self._session(session_id).prompts[key] = message_id

    async def list(
        self, cwd: str | Unset | None = None, cursor: str | Unset | None = None
    ) -> Mapping[str, Any]:
        """Returns the result of `session/list`.

        Raises the RpcError "Invalid params" (-32602) for an invalid cursor.
        """
        folder = None if isinstance(cwd, Unset) else cwd
        place = None if isinstance(cursor, Unset) else cursor
        if self._backend is not None:
            return await self._backend.list(self._principal, folder, place)
        # All open sessions are one page.
        if place is not None:
            raise invalid_cursor()
        found = [
            {"sessionId": name, **self._describe(state)} for name, state in self.items()
        ]
        return {"sessions": [one for one in found if folder in (None, one["cwd"])]}

    async def close(self, session_id: str) -> None:
        """Closes a session, if it is open. It can be opened again when it was stored."""
        self.pop(session_id, None)
        session = self._open.get(session_id)
        if session is not None:
            self._drop(session_id, session)

    async def delete(self, session_id: str) -> None:
        """Deletes a session, if it exists. Turns of it that run are not stored."""
        session = self._open.get(session_id)
        self._forget(session_id)
        if session is not None:
            session.is_deleted = True
        if self._backend is not None:
            await _uncancelled(self._remove(self._backend, session_id, session))

    def __missing__(self, session_id: str) -> StateT:
        data = {"sessionId": session_id}
        raise RpcError.resource_not_found("Session not found", data)

    def _known(self, session_id: str) -> _OpenSession[StateT] | None:
        """Returns a session that is open, or whose turns still run."""
        if session_id in self:
            return self._session(session_id)
        return self._open.get(session_id)

    def _session(self, session_id: str) -> _OpenSession[StateT]:
        """Returns an open session, with the state that it has now."""
        state = self[session_id]
        session = self._open.setdefault(session_id, _OpenSession(state))
        session.state = state
        return session

    def _forget(self, session_id: str) -> None:
        self.pop(session_id, None)
        self._open.pop(session_id, None)

    def _drop(self, session_id: str, session: _OpenSession[StateT]) -> None:
        if session.turns == 0 and self._open.get(session_id) is session:
            del self._open[session_id]

    async def _remove(
        self,
        backend: SessionBackend,
        session_id: str,
        session: _OpenSession[StateT] | None,
    ) -> None:
        async with nullcontext() if session is None else session.lock:
            await backend.delete(self._principal, session_id)

    async def _save(self, session_id: str, session: _OpenSession[StateT]) -> None:
        """Stores a session, even if this is cancelled: the store must know the revision."""
        if self._backend is None:
            return
        try:
            await _uncancelled(self._save_to(self._backend, session_id, session))
        except StaleSessionError:
            if self._open.get(session_id) is session:
                self._forget(session_id)
            raise

    async def _save_to(
        self, backend: SessionBackend, session_id: str, session: _OpenSession[StateT]
    ) -> None:
        async with session.lock:
            if session.is_deleted:
                return
            if self._open.get(session_id) is session and session_id in self:
                session.state = self[session_id]
            stored = self._stored(session)
            session.revision = await backend.save(
                self._principal, session_id, stored, session.revision
            )

    def _stored(self, session: _OpenSession[StateT]) -> StoredSession:
        facts = self._describe(session.state)
        now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
        title = facts.get("title")
        text = self._encode(session.state)
        return StoredSession(facts["cwd"], title, now, text, dict(session.prompts))


async def _uncancelled(call: Coroutine[Any, Any, _Result]) -> _Result:
    """Awaits a call to its end; a cancellation is raised afterwards, unless the call failed."""
    task = asyncio.ensure_future(call)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    result = task.result()
    if cancelled is not None:
        raise cancelled
    return result


def _facts(state: Any) -> Mapping[str, Any]:
    """Returns the facts that a state has as items or as attributes."""
    read: Callable[[str], Any] = (
        cast(Mapping[str, Any], state).get
        if isinstance(state, Mapping)
        else lambda name: getattr(state, name, None)
    )
    cwd, title = read("cwd"), read("title")
    if not isinstance(cwd, str):
        text = (
            "the state of a session has no cwd: give SessionStore a function `describe`"
        )
        raise TypeError(text)
    return {"cwd": cwd, "title": title} if isinstance(title, str) else {"cwd": cwd}
