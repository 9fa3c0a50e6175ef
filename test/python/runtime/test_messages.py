"""The order in which handlers start, what they share, and lines that are not messages."""

from __future__ import annotations

import asyncio
import contextvars
import json
import unittest
from collections.abc import Callable
from typing import Any

from acp_bindings import Limits, RpcError, memory_streams
from acp_bindings._runtime.rpc.connection import Connection

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

    def plain(self, name: Any) -> None:
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

    async def cancel_itself(self, _: Any) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    async def store_task(self, name: Any) -> None:
        task = asyncio.current_task()
        assert task is not None
        if name is not None:
            self.tasks.append(task)
        self.seen.append(task.get_name())

    def cancel_stored_later(self, _: Any) -> None:
        for task in self.tasks:
            asyncio.get_running_loop().call_soon(task.cancel)

    async def fail(self, _: Any) -> None:
        raise asyncio.CancelledError


def message(method: str, name: str, request_id: Any = None) -> dict[str, Any]:
    call = {"jsonrpc": "2.0", "method": method, "params": name}
    return call if request_id is None else {**call, "id": request_id}


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

    async def test_what_an_agent_prints_as_json_is_counted_and_reported_once(
        self,
    ) -> None:
        await self.receive(*[b'{"level":30}', b'[{"jsonrpc":"2.0"}]'] * 3, b"no JSON")
        await self.receive(b'{"level":20,"method":"GET","result":200}')
        await self.receive(json.dumps(message("quick", "a")).encode())
        self.assertEqual(self.receiver.seen, ["a"])
        self.assertEqual(self.connection.stats.malformed, 8)
        self.assertEqual(self.connection.stats.ignored, 0)
        (error,) = self.receiver.errors
        self.assertRegex(str(error), r"""not a message: '{"level":30}'; further""")

    async def test_a_response_that_no_call_waits_for_is_ignored_and_reported(
        self,
    ) -> None:
        broken = b'{"jsonrpc":"2.0","id":9,"result":1,"error":2}'
        ambiguous = b'{"jsonrpc":"2.0","id":9,"method":"a","result":1}'
        invalid = b'{"jsonrpc":"2.0"}'
        # They end the row of malformed messages.
        await self.receive(invalid, invalid, broken, invalid, invalid, ambiguous)
        await self.receive(json.dumps(message("quick", "a")).encode())
        self.assertEqual(self.receiver.seen, ["a"])
        self.assertEqual(self.connection.stats.ignored, 2)
        self.assertEqual(self.connection.stats.malformed, 4)

    async def test_an_unreadable_response_without_an_id_fails_all_calls(self) -> None:
        for line in (b'{"jsonrpc":"2.0","result":{', b'{"result":"' + b"x" * 900):
            calls = [
                asyncio.ensure_future(self.connection.request("ask", None, None))
                for _ in range(2)
            ]
            await self.receive(line)
            for call in calls:
                with self.assertRaisesRegex(RpcError, "cannot be used"):
                    await asyncio.wait_for(call, 1)
        self.assertEqual(self.receiver.errors, [])


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

    async def test_handlers_start_in_the_order_of_the_wire(self) -> None:
        kinds = ["slow", "quick", "plain", "slow", "slow", "plain", "quick", "quick"]
        calls = [
            message(kind, str(at), at if at % 3 == 0 and kind != "plain" else None)
            for at, kind in enumerate(kinds * 4)
        ]
        seen = await self.receive(*calls)
        self.assertEqual(seen, [str(at) for at in range(len(calls))])

    async def test_what_follows_a_response_comes_after_its_caller_has_continued(
        self,
    ) -> None:
        seen = self.receiver.seen

        async def call(name: str) -> None:
            await self.connection.request("ask", None, None)
            seen.append(name)

        async def in_tasks() -> None:
            both = asyncio.gather(asyncio.create_task(call("b")), call("c"))
            await asyncio.wait_for(asyncio.shield(both), 5)
            seen.append("both")

        async def given_up() -> None:
            await self.connection.request("ask", None, None)

        calls = [asyncio.ensure_future(call("a")), asyncio.ensure_future(in_tasks())]
        leaver = asyncio.ensure_future(given_up())
        await self.receive()
        leaver.cancel()

        def answer(own_id: int) -> dict[str, Any]:
            return {"jsonrpc": "2.0", "id": own_id, "result": {}}

        messages = [
            message("plain", "1"),
            answer(0),
            message("quick", "2", 7),
            answer(1),
            message("plain", "3"),
            answer(3),
            answer(2),
            message("plain", "4"),
        ]
        data = b"".join(json.dumps(one).encode() + b"\n" for one in messages)
        for part in (data[at : at + 40] for at in range(0, len(data), 40)):
            self.stream.write(part)
        await asyncio.gather(*calls)
        await self.receive()
        self.assertEqual(seen, ["1", "a", "2", "3", "c", "b", "both", "4"])

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

    async def test_a_cancelled_handler_leaves_the_others_alone(self) -> None:
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request"}
        seen = await self.receive(
            message("cancel_itself", ""),
            message("late", "a"),
            message("fail", ""),
            message("slow", "b", 1),
            {**cancel, "params": {"requestId": 1}},
            message("late", "c"),
        )
        self.assertEqual(
            sorted(seen), ["a continues", "b", "b was cancelled", "c continues"]
        )

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


if __name__ == "__main__":
    unittest.main()
