"""Questions of the agent in a turn that the client has cancelled."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any

from acp_bindings import connect, memory_streams, v1_full, v2
from acp_bindings._runtime.role.cancelled_turns import CancelledTurns

INFO = v2.types.Implementation(name="test", version="1")
S = {"sessionId": "s"}


def state(value: str) -> dict[str, Any]:
    return {**S, "update": {"sessionUpdate": "state_update", "state": value}}


class Turns(unittest.TestCase):
    def test_version_1_asks_again_after_the_answers_and_another_prompt(self) -> None:
        turns = CancelledTurns(1)
        turns.prompt(1, S)
        turns.prompt(2, S)
        turns.cancel(S)
        turns.answered(1, is_result=True)
        turns.prompt(3, S)
        self.assertIn("s", turns)
        turns.answered(2, is_result=False)
        self.assertNotIn("s", turns)
        turns.cancel(S)
        turns.answered(3, is_result=True)
        self.assertIn("s", turns)
        turns.prompt(4, S)
        self.assertNotIn("s", turns)

    def test_a_cancellation_between_turns_lasts_until_the_next_prompt(self) -> None:
        for version in (1, 2):
            turns = CancelledTurns(version)
            turns.cancel(S)
            self.assertIn("s", turns)
            self.assertNotIn("t", turns)
            self.assertNotIn(["s"], turns)
            turns.prompt(1, S)
            self.assertNotIn("s", turns)

    def test_version_2_asks_again_after_the_session_was_idle(self) -> None:
        turns = CancelledTurns(2)
        turns.prompt(1, S)
        turns.answered(1, is_result=True)
        turns.cancel(S)
        turns.update(state("running"))
        self.assertIn("s", turns)
        turns.update(state("idle"))
        self.assertIn("s", turns)
        turns.update(state("running"))
        self.assertNotIn("s", turns)
        turns.cancel(S)
        turns.prompt(2, S)
        self.assertIn("s", turns)
        turns.update(state("idle"))
        self.assertNotIn("s", turns)

    def test_a_refused_prompt_has_no_turn_in_version_2(self) -> None:
        turns = CancelledTurns(2)
        turns.prompt(1, S)
        turns.cancel(S)
        turns.prompt(2, S)
        turns.answered(1, is_result=False)
        self.assertIn("s", turns)
        turns.answered(2, is_result=False)
        self.assertNotIn("s", turns)

    def test_memory_is_bounded(self) -> None:
        turns = CancelledTurns(2)
        for number in range(3000):
            session = {"sessionId": str(number)}
            turns.prompt(number, session)
            turns.cancel(session)
        kept = (turns._cancelled, turns._busy, turns._sessions)
        self.assertEqual([len(one) for one in kept], [1000] * 3)
        turns.forget(session)
        self.assertNotIn("2999", turns)


class Editor(v1_full.Client):
    asked = 0

    def __init__(self) -> None:
        super().__init__(info=None, capabilities={"elicitation": {"form": {}}})
        self.both = asyncio.Event()

    async def ask(self) -> None:
        self.asked += 1
        if self.asked == 2:
            self.both.set()
        await asyncio.sleep(60)

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        await self.ask()

    async def elicitation_create(self, params: Any, context: Any) -> Any:
        await self.ask()


class Wire(unittest.IsolatedAsyncioTestCase):
    async def test_open_and_later_questions_are_answered_without_the_user(self) -> None:
        here, there = memory_streams()
        editor = Editor()

        def send(own_id: int, method: str = "", **rest: Any) -> None:
            call = {"method": method} if method else {}
            message = {"jsonrpc": "2.0", "id": own_id, **call, **rest}
            there.write(json.dumps(message).encode() + b"\n")

        async def read() -> Any:
            message = json.loads(await asyncio.wait_for(there.read(), 5))
            return {name: message[name] for name in message if name != "jsonrpc"}

        def ask(first: int) -> None:
            options: list[Any] = []
            tool = {"toolCallId": "t"}
            asked = {**S, "toolCall": tool, "options": options}
            form = {"mode": "form", "message": "?", "requestedSchema": {}}
            send(first, "session/request_permission", params=asked)
            send(first + 1, "elicitation/create", params={**S, **form})

        cancelled = {"outcome": {"outcome": "cancelled"}}
        opened = connect(editor, here)
        connecting = asyncio.ensure_future(opened.__aenter__())
        await read()
        send(0, result={"protocolVersion": 1})
        peer = await connecting
        turn = peer.session("s").prompt("x")
        self.assertEqual((await read())["id"], 1)
        ask(10)
        await asyncio.wait_for(editor.both.wait(), 5)
        await turn.cancel()
        self.assertEqual((await read())["method"], "session/cancel")
        self.assertEqual(await read(), {"id": 10, "result": cancelled})
        self.assertEqual(await read(), {"id": 11, "result": {"action": "cancel"}})
        ask(12)
        self.assertEqual(await read(), {"id": 12, "result": cancelled})
        self.assertEqual(await read(), {"id": 13, "result": {"action": "cancel"}})
        self.assertEqual(editor.asked, 2)
        send(1, result={"stopReason": "cancelled"})
        await turn
        again = peer.session("s").prompt("y")
        await read()
        ask(14)
        send(2, result={"stopReason": "end_turn"})
        await again
        self.assertEqual(editor.asked, 4)
        await opened.__aexit__(None, None, None)


if __name__ == "__main__":
    unittest.main()
