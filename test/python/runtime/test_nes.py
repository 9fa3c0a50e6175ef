"""Next edit suggestions: agreements and contexts."""

from __future__ import annotations

import unittest

from acp_bindings.nes import (
    agreed_position_encoding,
    choose_position_encoding,
    convert_offset,
    cut_context,
)


class PositionEncodings(unittest.TestCase):
    def test_the_agent_takes_the_first_offer_that_it_supports(self) -> None:
        chosen = choose_position_encoding(["utf-32", "utf-8"], ["utf-8"])
        self.assertEqual(chosen, "utf-8")
        self.assertEqual(choose_position_encoding(["utf-32"], ["utf-8"]), "utf-16")
        self.assertEqual(choose_position_encoding(None, ["utf-8"]), "utf-16")

    def test_a_declaration_counts_if_it_was_offered(self) -> None:
        self.assertEqual(agreed_position_encoding(["utf-8"], "utf-8"), "utf-8")
        self.assertEqual(agreed_position_encoding([], "utf-8"), "utf-16")
        self.assertEqual(agreed_position_encoding(["utf-8"], None), "utf-16")
        with self.assertRaisesRegex(ValueError, "utf-32, the client offered utf-8"):
            agreed_position_encoding(["utf-8"], "utf-32")

    def test_offsets_are_not_negative(self) -> None:
        with self.assertRaisesRegex(ValueError, "not -1"):
            convert_offset("a", -1, "utf-8", "utf-16")


class Contexts(unittest.TestCase):
    def test_parts_that_were_not_advertised_are_left_out(self) -> None:
        context = {"_meta": {"a": 1}, "recentFiles": [1, 2, 3], "openFiles": [4]}
        wishes = {"recentFiles": {"maxCount": 2}, "openFiles": None}
        expected = {"_meta": {"a": 1}, "recentFiles": [2, 3]}
        self.assertEqual(cut_context(context, wishes), expected)
        self.assertEqual(cut_context(context, None), {"_meta": {"a": 1}})
        self.assertEqual(
            cut_context(context, {"recentFiles": {"maxCount": 0}}),
            {"_meta": {"a": 1}, "recentFiles": []},
        )


if __name__ == "__main__":
    unittest.main()
