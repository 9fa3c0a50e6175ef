"""The order in which handlers start, what they share, and lines that are not messages."""

from __future__ import annotations

import asyncio
import contextvars
import json
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from acp_bindings import Limits, RpcError, memory_streams
from acp_bindings._runtime.rpc.connection import Connection
from acp_bindings._runtime.rpc.messages import classify

USER: contextvars.ContextVar[Any] = contextvars.ContextVar("USER", default="nobody")


class Incomparable:
    def __eq__(self, other: object) -> bool:
        raise ValueError

    __hash__ = None  # type: ignore[assignment]


class Recording:
    """Runs the method of its own that a message names, and records what starts."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.errors: list[BaseException] = []
        self.gate = asyncio.Event()
        self.tasks: list[asyncio.Task[Any]] = []

    def request(
        self, method: str, params: Any, request_id: Any, later: Any
    ) -> Callable[[], Any]:
        return self.notification(method, params)

    def notification(self, method: str, params: Any) -> Callable[[], Any]:
        return lambda: getattr(self, method)(params)

    def cancelled_result(self, method: str, by: str) -> Any:
        return None

    def report(self, error: BaseException, method: str | None) -> None:
        self.errors.append(error)

    def response(self, method: str, params: Any, result: Any) -> None:
        pass

    def given_up(self, method: str, request_id: Any) -> bool:
        return True

    def unclaimed(self, method: str, params: Any, result: Any) -> None:
        pass

    def sent(self, method: str, params: Any, request_id: Any) -> None:
        pass

    def answered(self, request_id: Any, *, is_result: bool) -> None:
        pass

    def closed(self, error: BaseException) -> Any:
        return ()

    async def quick(self, name: Any) -> None:
        self.seen.append(name)

    async def slow(self, name: Any) -> str:
        self.seen.append(name)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.seen.append(f"{name} was cancelled")
            raise
        self.seen.append(f"{name} ended")
        return "done"

    async def late(self, name: Any) -> None:
        await asyncio.sleep(0)
        self.seen.append(f"{name} continues")
        await self.gate.wait()

    async def sign_in(self, name: Any) -> None:
        USER.set(name or Incomparable())

    async def who(self, name: Any) -> None:
        self.seen.append(f"{name}: {USER.get()}")

    async def store_task(self, name: Any) -> None:
        task = asyncio.current_task()
        assert task is not None
        if name is not None:
            self.tasks.append(task)
        self.seen.append(task.get_name())

    def cancel_stored_later(self, _: Any) -> None:
        for task in self.tasks:
            asyncio.get_running_loop().call_soon(task.cancel)


def message(method: str, name: str, request_id: Any = None) -> dict[str, Any]:
    call = {"jsonrpc": "2.0", "method": method, "params": name}
    return call if request_id is None else {**call, "id": request_id}


BROKEN = Path(__file__).parents[2] / "fixtures/broken-responses.json"


def line_of(members: str) -> bytes:
    """Returns the line of a message; it is cut where the members are."""
    version = "" if "jsonrpc" in members else '"jsonrpc":"2.0",'
    end = "" if members.endswith(":{") else "}"
    return f"{{{version}{members}{end}".encode()


class Malformed(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.stream, there = memory_streams()
        self.receiver = Recording()
        limits = Limits(max_invalid_in_row=3, max_line_bytes=800)
        self.connection = Connection(
            there, self.receiver, limits, null_ids=False, answers_noise=False
        )
        self.connection.start()
        self.addAsyncCleanup(self.connection.close)

    async def receive(self, *lines: bytes) -> None:
        self.stream.write(b"".join(line + b"\n" for line in lines))
        for _ in range(20):
            await asyncio.sleep(0)

    async def test_an_unreadable_response_without_an_id_fails_all_calls(self) -> None:
        for line in (b'{"jsonrpc":"2.0","result":{', b'{"result":"' + b"x" * 900):
            calls = [
                asyncio.ensure_future(self.connection.request("ask", None, None))
                for _ in range(2)
            ]
            await self.receive(line)
            for call in calls:
                with self.assertRaisesRegex(RpcError, "Invalid response"):
                    await asyncio.wait_for(call, 1)
        self.assertEqual(self.receiver.errors, [])

    async def test_a_broken_response_says_what_is_wrong_with_it(self) -> None:
        table = json.loads(BROKEN.read_text("utf-8"))
        for next_id, (members, problem) in enumerate(table["answers"]):
            call = asyncio.ensure_future(self.connection.request("ask", None, None))
            await asyncio.sleep(0)
            await self.receive(line_of(members.replace("$id", str(next_id))))
            with self.assertRaises(RpcError) as failed:
                await asyncio.wait_for(call, 1)
            self.assertEqual(failed.exception.message, f"Invalid response: {problem}")
        await self.receive(*[line_of(members) for members, _ in table["reports"]])
        start = "received a response that no call is waiting for, with the id "
        self.assertEqual(
            [str(error) for error in self.receiver.errors],
            [start + text for _, text in table["reports"]],
        )

    def test_the_code_of_an_error_is_an_integer(self) -> None:
        for code, kind in (
            (1, "response"),
            (1.0, "response"),
            (1.5, "broken"),
            (True, "broken"),
        ):
            error = {"code": code, "message": "no"}
            response = {"jsonrpc": "2.0", "id": 0, "error": error}
            self.assertEqual(classify(response, null_ids=False).kind, kind)


class Order(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.stream, there = memory_streams()
        self.receiver = Recording()
        self.connection = Connection(
            there, self.receiver, Limits(), null_ids=False, answers_noise=True
        )
        self.connection.start()
        self.addAsyncCleanup(self.connection.close)

    async def receive(self, *messages: dict[str, Any]) -> list[str]:
        """Receives messages in one chunk. Returns what was recorded."""
        if messages:
            texts = [json.dumps(one) + "\n" for one in messages]
            self.stream.write("".join(texts).encode())
        for _ in range(10 + 5 * len(messages)):
            await asyncio.sleep(0)
        return self.receiver.seen

    async def test_a_variable_that_a_handler_sets_is_its_own(self) -> None:
        seen = await self.receive(
            message("sign_in", "ann"),
            message("who", "first"),
            message("sign_in", ""),
            message("sign_in", ""),
            message("who", "next"),
            message("sign_in", "bob", 1),
            message("who", "last"),
        )
        self.assertEqual(seen, ["first: nobody", "next: nobody", "last: nobody"])

    async def test_a_task_that_a_handler_has_stored_runs_no_other_handler(self) -> None:
        seen = await self.receive(
            message("store_task", "a"),
            message("cancel_stored_later", ""),
            message("late", "b"),
            message("store_task", "c"),
            message("late", "d"),
        )
        self.assertEqual(
            [one for one in seen if one.endswith("continues")],
            ["b continues", "d continues"],
        )
        self.assertEqual(len(set(self.receiver.tasks)), 2)

    async def test_a_task_that_no_handler_has_stored_runs_the_next_one(self) -> None:
        nameless: Any = None
        seen = await self.receive(*[message("store_task", nameless)] * 5)
        self.assertEqual(len(seen), 5)
        self.assertEqual(len(set(seen)), 1)
