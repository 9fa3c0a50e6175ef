"""The classes of messages as notebooks and patterns use them."""

from __future__ import annotations

import asyncio
import inspect
import sys
import unittest

import acp_bindings
from acp_bindings import UNSET, Unknown, connect_in_memory
from acp_bindings.v1 import types
from acp_bindings.v1.mocks import MockAgent, MockClient


class Classes(unittest.TestCase):
    def test_the_signature_of_a_class_lists_its_arguments(self) -> None:
        signature = inspect.signature(types.ContentBlockText)
        names = ["text", "type", "annotations", "meta", "extra"]
        self.assertEqual(list(signature.parameters), names)
        self.assertEqual(signature.parameters["annotations"].default, UNSET)
        self.assertIs(signature.parameters["text"].default, inspect.Parameter.empty)
        self.assertEqual(signature.parameters["text"].annotation, "str")

    def test_a_pattern_gives_required_properties_by_position(self) -> None:
        match types.ContentBlockResourceLink(name="notes", uri="file:///notes"):
            case types.ResourceLink(name, uri):
                self.assertEqual((name, uri), ("notes", "file:///notes"))
            case _:
                self.fail("no match")

    def test_a_copy_has_other_values(self) -> None:
        block = types.ContentBlockText(text="a", meta={"k": 1})
        changed = types.ContentBlockText(text="b", meta={"k": 1})
        self.assertEqual(block.__replace__(text="b"), changed)
        if sys.version_info >= (3, 13):
            import copy

            self.assertEqual(copy.replace(block, text="b"), changed)

    def test_the_package_has_a_version(self) -> None:
        self.assertRegex(acp_bindings.__version__, r"^[1-9]|^0\.[1-9]")

    def test_a_peer_shows_its_name(self) -> None:
        async def show() -> str:
            async with connect_in_memory(MockAgent(), MockClient()) as agent:
                return repr(agent)

        self.assertRegex(asyncio.run(show()), "^<ConnectedAgent '.+'>$")

    def test_a_value_of_a_later_version_is_not_a_match(self) -> None:
        match Unknown("video", {"type": "video"}):
            case types.TextContent(_):
                self.fail("a match")
            case Unknown(tag):
                self.assertEqual(tag, "video")
