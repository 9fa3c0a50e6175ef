"""Questions of the agent in a turn that the client has cancelled."""

from __future__ import annotations

import unittest

from acp_bindings._runtime.role.cancelled_turns import CancelledTurns


class Turns(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main()
