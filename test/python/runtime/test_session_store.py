"""The store of an agent's sessions, and its backends."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from acp_bindings import (
    FileSessions,
    KeyValueSessions,
    MemorySessions,
    RpcError,
    SessionBackend,
    SessionStore,
    StaleSessionError,
    StoredSession,
    connect_in_memory,
)
from acp_bindings.v2.mocks import MockAgent, MockClient

NOT_FOUND = "Session not found"


def state(*turns: str) -> dict[str, Any]:
    return {"cwd": "/a", "turns": list(turns)}


class Slow:
    """A backend whose saves end when they may."""

    def __init__(self, backend: SessionBackend) -> None:
        self.backend = backend
        self.begun = asyncio.Event()
        self.end = asyncio.Event()
        self.load = backend.load
        self.delete = backend.delete
        self.list = backend.list

    async def save(self, *given: Any) -> str:
        self.begun.set()
        await self.end.wait()
        return await self.backend.save(*given)


async def add(store: SessionStore[Any], session_id: str, turn: str) -> None:
    async with store.turn(session_id) as found:
        found["turns"].append(turn)


class Stores(unittest.IsolatedAsyncioTestCase):
    """Stores with each backend. The rules of backends are in session-backends.test.ts."""

    def backends(self) -> list[SessionBackend]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return [MemorySessions(), FileSessions(folder.name)]

    def stores(self) -> list[tuple[SessionStore[Any], SessionStore[Any]]]:
        return [
            (SessionStore(backend=one), SessionStore(backend=one))
            for one in self.backends()
        ]

    async def assert_missing(self, store: SessionStore[Any], session_id: str) -> None:
        with self.assertRaisesRegex(RpcError, NOT_FOUND):
            await store.open(session_id)

    async def test_the_first_owner_cannot_save_after_a_second_one(self) -> None:
        for a, b in self.stores():
            session_id = a.create(state())
            await add(a, session_id, "1")
            await b.open(session_id)
            for turn in ("2", "3", "4"):
                await add(b, session_id, turn)
            with self.assertRaises(StaleSessionError) as raised:
                await add(a, session_id, "lost")
            self.assertEqual(raised.exception.code, -32603)
            self.assertNotIn(session_id, a)
            self.assertEqual(await a.open(session_id), state("1", "2", "3", "4"))
            await add(a, session_id, "5")
            with self.assertRaises(StaleSessionError):
                await b.save(session_id)

    async def test_turns_run_while_a_session_is_closed_and_opened_again(self) -> None:
        for store, _ in self.stores():
            session_id = store.create(state())
            await add(store, session_id, "1")
            end = asyncio.Event()

            async def run(name: str, end: asyncio.Event = end) -> None:
                async with store.turn(session_id) as found:
                    found["turns"].append(name)
                    await end.wait()

            turns = [asyncio.ensure_future(run(name)) for name in ("2", "3")]
            await asyncio.sleep(0)
            for _ in range(2):
                found = await store.open(session_id)
                self.assertEqual(found["turns"], ["1", "2", "3"])
                self.assertIn(session_id, store)
                await store.close(session_id)
            end.set()
            await asyncio.gather(*turns)
            self.assertEqual((store, store._open), ({}, {}))
            await store.open(session_id)
            await add(store, session_id, "4")

    async def test_a_slow_load_does_not_replace_what_was_opened_meanwhile(self) -> None:
        backend = MemorySessions()
        first = SessionStore[Any](backend=backend)
        first.create(state(), "a")
        await add(first, "a", "1")
        slow = Slow(backend)
        slow.end.set()
        store = SessionStore[Any](backend=slow)
        begun, end = asyncio.Event(), asyncio.Event()

        async def load(*given: Any) -> Any:
            slow.load = backend.load
            loaded = await slow.load(*given)
            begun.set()
            await end.wait()
            return loaded

        slow.load = load
        opening = asyncio.ensure_future(store.open("a"))
        await begun.wait()
        await store.open("a")
        await add(store, "a", "2")
        end.set()
        self.assertEqual(await opening, state("1", "2"))
        await add(store, "a", "3")

    async def test_a_turn_that_fails_or_is_cancelled_is_stored(self) -> None:
        for a, b in self.stores():
            session_id = a.create(state())
            with self.assertRaisesRegex(ValueError, "model"):
                async with a.turn(session_id) as found:
                    found["turns"].append("1")
                    raise ValueError("model is down")
            self.assertEqual(await b.open(session_id), state("1"))

            async def wait() -> None:
                async with a.turn(session_id) as found:
                    found["turns"].append("2")
                    await asyncio.Event().wait()

            task = asyncio.ensure_future(wait())
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait((task,))
            self.assertEqual(await b.open(session_id), state("1", "2"))

    async def test_a_turn_that_is_cancelled_while_it_is_saved_is_stored(self) -> None:
        for backend in self.backends():
            slow = Slow(backend)
            a = SessionStore[Any](backend=slow)
            session_id = a.create(state())
            for turns in (["1"], ["1", "2"]):
                task = asyncio.ensure_future(add(a, session_id, turns[-1]))
                await slow.begun.wait()
                for _ in range(2):
                    task.cancel()
                    await asyncio.sleep(0.01)
                self.assertFalse(task.done())
                slow.end.set()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                slow.begun.clear()
                slow.end.clear()
                found = await SessionStore[Any](backend=backend).open(session_id)
                self.assertEqual(found["turns"], turns)
            # A failure to save is worth more than the cancellation.
            b = SessionStore[Any](backend=backend)
            await b.open(session_id)
            await add(b, session_id, "3")
            task = asyncio.ensure_future(add(a, session_id, "lost"))
            await slow.begun.wait()
            task.cancel()
            slow.end.set()
            with self.assertRaises(StaleSessionError):
                await task

    async def test_a_state_with_numbers_outside_json_is_not_stored(self) -> None:
        for a, b in self.stores():
            for number in (float("nan"), float("inf"), -float("inf")):
                session_id = a.create({**state(), "score": number})
                with self.assertRaisesRegex(ValueError, "cannot be stored as JSON"):
                    await a.save(session_id)
                await self.assert_missing(b, session_id)

    async def test_no_principal_and_an_empty_one_are_the_same(self) -> None:
        for backend in self.backends():
            none = SessionStore[Any](backend=backend, principal=None)
            empty = SessionStore[Any](backend=backend, principal="")
            session_id = none.create(state())
            await add(none, session_id, "1")
            self.assertEqual(await empty.open(session_id), state("1"))
        for wrong in (1, ("ana",), ["ana"], True):
            with self.assertRaises(TypeError):
                SessionStore[Any](principal=wrong)  # type: ignore[arg-type]

    async def test_a_deleted_session_is_not_stored_by_its_last_turn(self) -> None:
        for a, b in self.stores():
            session_id = a.create(state())
            async with a.turn(session_id):
                await a.delete(session_id)
            await self.assert_missing(b, session_id)
            await a.delete(session_id)
            self.assertEqual((await a.list())["sessions"], [])

    async def test_principals_do_not_see_each_other(self) -> None:
        for backend in self.backends():
            ana, bo = (
                SessionStore[Any](backend=backend, principal=name)
                for name in ("ana", "bo")
            )
            session_id = ana.create(state())
            await add(ana, session_id, "ana")
            await self.assert_missing(bo, session_id)
            self.assertEqual((await bo.list())["sessions"], [])
            bo.create(state(), session_id)
            await add(bo, session_id, "bo")
            await bo.delete(session_id)
            self.assertEqual(await ana.open(session_id), state("ana"))

    async def test_without_a_backend_open_sessions_are_kept(self) -> None:
        store = SessionStore[Any]()
        session_id = store.create(state())
        await add(store, session_id, "1")
        self.assertEqual(await store.open(session_id), state("1"))
        self.assertEqual(len((await store.list("/a"))["sessions"]), 1)
        with self.assertRaisesRegex(RpcError, "cursor"):
            await store.list(cursor="0" * 16)
        await store.close(session_id)
        await store.close(session_id)
        await self.assert_missing(store, session_id)

    async def test_a_state_without_a_folder_needs_a_description(self) -> None:
        store = SessionStore[Any](backend=MemorySessions())
        with self.assertRaisesRegex(TypeError, "describe"):
            async with store.turn(store.create({})):
                pass
        described = SessionStore[Any](
            backend=MemorySessions(), describe=lambda found: {"cwd": "/c"}
        )
        async with described.turn(described.create({})):
            pass
        self.assertEqual((await described.list())["sessions"][0]["cwd"], "/c")


class Files(unittest.IsolatedAsyncioTestCase):
    async def test_a_damaged_session_is_logged_once_by_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = SessionStore[Any](backend=FileSessions(folder))
            for session_id in ("a", "b"):
                async with store.turn(store.create(state(), session_id)):
                    pass
            (path, _) = Path(folder).rglob("*.json")
            path.write_text("")
            with self.assertLogs("acp_bindings", "WARNING") as logged:
                for _ in range(2):
                    self.assertEqual(len((await store.list())["sessions"]), 1)
            (text,) = logged.output
            self.assertIn(path.parent.parent.name, text)
            self.assertIn(path.stem, text)

    def test_a_save_is_kept_or_refused_whenever_another_one_saves(self) -> None:
        for saves in (1, 3):
            ends: set[tuple[str, str]] = set()
            at = calls = 0
            while calls >= at:
                with tempfile.TemporaryDirectory() as folder:
                    *end, calls = interrupted_save(FileSessions(folder), at, saves)
                    ends.add((end[0], end[1]))
                at += 1
            other = " other" * saves
            kept = {("first own", "kept"), (f"first own{other}", "kept")}
            self.assertEqual(ends, {*kept, (f"first{other}", "refused")})


class Crowded:
    """A store of one session in which others keep copies of it under names of their own."""

    def __init__(self) -> None:
        self.value = self.name = ""

    async def get(self, owner: str, name: str) -> tuple[str, str] | None:
        return self.value, "1"

    async def set(self, owner: str, name: str, value: str, revision: Any) -> str:
        self.name, self.value = name, value
        return "1"

    async def delete(self, owner: str, name: str) -> None:
        pass

    async def names(self, owner: str) -> list[str]:
        name = self.name
        others = (
            name.upper(),
            f"{name}0",
            f"{name}.json",
            f"{name}\n",
            name[1:],
            f".{name}",
        )
        return [name, *others]


class Names(unittest.IsolatedAsyncioTestCase):
    async def test_values_with_other_names_are_not_listed(self) -> None:
        store = SessionStore[Any](backend=KeyValueSessions(Crowded()))
        async with store.turn(store.create(state(), "s")):
            pass
        found = [one["sessionId"] for one in (await store.list())["sessions"]]
        self.assertEqual(found, ["s"])


HOOKS: list[Callable[[], None]] = []
"""Called once before a call of the file system; `sys.addaudithook` has no way back."""


def _audit(event: str, _: object) -> None:
    if HOOKS and (event == "open" or event.startswith(("os.", "shutil."))):
        HOOKS[-1]()


sys.addaudithook(_audit)


def interrupted_save(
    backend: SessionBackend, at: int, saves: int
) -> tuple[str, str, int]:
    """Saves a session, and has another process save it before a call of the file system.

    Returns the state at the end, what has become of the save, and how many calls it had.
    """

    def stored(text: str) -> StoredSession:
        return StoredSession("/a", None, "2026-01-01T00:00:00Z", text)

    async def load() -> tuple[str, str]:
        loaded = await backend.load("", "s")
        assert loaded is not None
        return loaded[0].state, loaded[1]

    async def save_others() -> None:
        for _ in range(saves):
            text, revision = await load()
            await backend.save("", "s", stored(f"{text} other"), revision)

    calls = 0

    def hook() -> None:
        nonlocal calls
        calls += 1
        if calls == at + 1:
            found = HOOKS.pop()
            asyncio.run(save_others())
            HOOKS.append(found)

    async def run() -> tuple[str, str, int]:
        first = await backend.save("", "s", stored("first"), None)
        HOOKS.append(hook)
        try:
            await backend.save("", "s", stored("first own"), first)
            end = "kept"
        except StaleSessionError:
            end = "refused"
        finally:
            HOOKS.clear()
        return (await load())[0], end, calls

    return asyncio.run(run())


class Agents(unittest.IsolatedAsyncioTestCase):
    async def test_the_key_of_a_prompt_is_stored_with_its_session(self) -> None:
        backend = MemorySessions()

        def later() -> MockAgent:
            store = SessionStore[Any](backend=backend)

            async def resume(params: Any, context: Any) -> Any:
                await store.open(params.session_id)

            async def prompt(params: Any, context: Any) -> Any:
                return await context.session.start_turn(
                    lambda turn: add(store, turn.id, "one")  # type: ignore[arg-type]
                )

            agent = MockAgent(
                session_new=lambda *_: {"sessionId": store.create(state())},
                session_resume=resume,
                session_prompt=prompt,
            )
            agent.session_store = store
            return agent

        async with connect_in_memory(later(), MockClient()) as agent:
            session = await agent.new_session("/a")
            end = await session.prompt("one", idempotency_key="k")
        async with connect_in_memory(later(), MockClient()) as agent:
            again = await agent.resume_session(session.id, "/a")
            retried = await again.prompt("one", idempotency_key="k")
            self.assertEqual(retried.response, end.response)
        other = SessionStore[Any](backend=backend)
        self.assertEqual(await other.open(session.id), state("one"))
