"""JSON texts: the fallback parser against the standard one, and numbers as ECMAScript."""

from __future__ import annotations

import json
import random
import unittest

from acp_bindings._runtime.json_text import parse_json
from acp_bindings._runtime.json_text.canonical import canonical_json
from acp_bindings._runtime.json_text.deep import parse_deep

NUMBERS = "0 -0 1.5 -1e-7 1E+2 12345678901234567890".split()
OTHERS = ['""', '"a\\u00e9\\n"', "[]", "{}", '[1,[2,{"a":[]}],{}]', '{"a":1,"a":2}']
TEXTS = ["null", "true", "false", *NUMBERS, *OTHERS, ' \t\r\n{ "a" : [ 1 , 2 ] } ']
BROKEN = (
    """ "[1,] [1 2] {"a"} {"a":} {a:1} [ ] x nul 01 1. .5 +1 'a' "\\x" [1} """.split()
)


class JsonText(unittest.TestCase):
    def test_the_fallback_parser_agrees_with_the_standard_one(self) -> None:
        chance = random.Random(1)
        for text in [*TEXTS, *BROKEN, *(mutated(chance) for _ in range(3000))]:
            self.assertEqual(result(parse_deep, text), result(parse_json, text), text)

    def test_constants_that_json_does_not_have_are_refused(self) -> None:
        for text in ("NaN", "[Infinity]", '{"a":-Infinity}'):
            with self.assertRaises(ValueError):
                parse_json(text)

    def test_numbers_are_printed_as_ecmascript_prints_them(self) -> None:
        expected = {
            1.0: "1",
            -0.0: "0",
            1e21: "1e+21",
            123456789012345680000.0: "123456789012345680000",
            1e-6: "0.000001",
            1e-7: "1e-7",
            -1.25e-9: "-1.25e-9",
            5e-324: "5e-324",
            1.7976931348623157e308: "1.7976931348623157e+308",
            2**53 + 1: "9007199254740992",
            2**64: "18446744073709552000",
            10**400: "null",
        }
        for number, text in expected.items():
            self.assertEqual(canonical_json(number), text)

    def test_names_are_sorted_by_units_of_utf16(self) -> None:
        value = {"\ufb33": 1, "\U0001f600": 2, "a": "\ud800"}
        self.assertEqual(
            canonical_json(value), '{"a":"\\ud800","\U0001f600":2,"\ufb33":1}'
        )


def mutated(chance: random.Random) -> str:
    text = chance.choice(TEXTS)
    at = chance.randrange(len(text) + 1)
    return (
        text[:at] + chance.choice('[]{},:"0e.- tn\\') + text[at + chance.randrange(2) :]
    )


def result(parse: object, text: str) -> str:
    try:
        return json.dumps(parse(text))  # type: ignore[operator]
    except ValueError:
        return "refused"
