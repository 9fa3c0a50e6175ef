"""Next edit suggestions: agreements and contexts."""

from __future__ import annotations

import unittest

from acp_bindings.nes import (
    Position,
    agreed_position_encoding,
    choose_position_encoding,
    convert_offset,
    convert_position,
    convert_range,
    cut_context,
)
from acp_bindings.v1_full import types


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

    def test_positions_of_a_profile_are_converted_to_their_class(self) -> None:
        text = "a\N{GRINNING FACE}b"
        given = types.Position(line=0, character=2)
        self.assertEqual(
            convert_position(text, given, "utf-32", "utf-16"),
            types.Position(line=0, character=3),
        )
        self.assertEqual(given.character, 2)
        converted = convert_position(text, (0, 2), "utf-32", "utf-16")
        self.assertEqual(converted, Position(0, 3))
        found = convert_range(
            text, types.Range(start=given, end=given), "utf-32", "utf-8"
        )
        moved = types.Position(line=0, character=5)
        self.assertEqual(found, types.Range(start=moved, end=moved))

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
