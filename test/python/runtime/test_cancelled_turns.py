"""Questions of the agent in a turn that the client has cancelled."""

from __future__ import annotations

import time
import unittest

from acp_bindings._runtime.role.cancelled_turns import CancelledTurns
from acp_bindings._runtime.session.session_tree import SessionTree

S = {"sessionId": "s"}
GRACE = 30.0


class Turns(unittest.TestCase):
    def test_a_turn_that_does_not_end_counts_as_ended_after_the_grace(self) -> None:
        turns = CancelledTurns(1, 0.05, SessionTree())
        turns.prompt(1, S)
        turns.cancel(S)
        turns.prompt(2, S)
        self.assertIn("s", turns)
        time.sleep(0.06)
        self.assertNotIn("s", turns)

    def test_memory_is_bounded(self) -> None:
        turns = CancelledTurns(2, GRACE, SessionTree())
        for number in range(3000):
            session = {"sessionId": str(number)}
            turns.prompt(number, session)
            turns.cancel(session)
        kept = (turns._cancelled, turns._busy, turns._sessions)
        self.assertEqual([len(one) for one in kept], [1000] * 3)
        turns.forget(session)
        self.assertNotIn("2999", turns)
