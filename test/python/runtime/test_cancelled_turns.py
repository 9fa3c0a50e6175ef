"""Questions of the agent in a turn that the client has cancelled."""

from __future__ import annotations

import time
import unittest
from typing import Any

from acp_bindings import v2
from acp_bindings._runtime.role.cancelled_turns import CancelledTurns

INFO = v2.types.Implementation(name="test", version="1")
S = {"sessionId": "s"}
GRACE = 30.0


def state(value: str) -> dict[str, Any]:
    return {**S, "update": {"sessionUpdate": "state_update", "state": value}}


class Turns(unittest.TestCase):
    def test_version_1_asks_again_after_the_answers_and_another_prompt(self) -> None:
        turns = CancelledTurns(1, GRACE)
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
            turns = CancelledTurns(version, GRACE)
            turns.cancel(S)
            self.assertIn("s", turns)
            self.assertNotIn("t", turns)
            self.assertNotIn(["s"], turns)
            turns.prompt(1, S)
            self.assertNotIn("s", turns)

    def test_version_2_asks_again_after_the_session_was_idle(self) -> None:
        turns = CancelledTurns(2, GRACE)
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
        turns = CancelledTurns(2, GRACE)
        turns.prompt(1, S)
        turns.cancel(S)
        turns.prompt(2, S)
        turns.answered(1, is_result=False)
        self.assertIn("s", turns)
        turns.answered(2, is_result=False)
        self.assertNotIn("s", turns)

    def test_a_turn_that_does_not_end_counts_as_ended_after_the_grace(self) -> None:
        turns = CancelledTurns(1, 0.05)
        turns.prompt(1, S)
        turns.cancel(S)
        turns.prompt(2, S)
        self.assertIn("s", turns)
        time.sleep(0.06)
        self.assertNotIn("s", turns)

    def test_memory_is_bounded(self) -> None:
        turns = CancelledTurns(2, GRACE)
        for number in range(3000):
            session = {"sessionId": str(number)}
            turns.prompt(number, session)
            turns.cancel(session)
        kept = (turns._cancelled, turns._busy, turns._sessions)
        self.assertEqual([len(one) for one in kept], [1000] * 3)
        turns.forget(session)
        self.assertNotIn("2999", turns)


if __name__ == "__main__":
    unittest.main()
