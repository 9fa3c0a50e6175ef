"""Forms, and whether answers fit them; the cases are those of every language."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

from acp_bindings import (
    RpcError,
    check_elicitation,
    connect_in_memory,
    elicitation_defaults,
)
from acp_bindings.v1 import schemas, types
from acp_bindings.v1.mocks import MockAgent, MockClient

CASES = Path(__file__).parents[2] / "fixtures" / "elicitations.json"


class Forms(unittest.TestCase):
    def test_cases(self) -> None:
        for case in json.loads(CASES.read_text("utf-8")):
            schema = case["schema"]
            forms: list[Any] = [schema]
            if "isMalformed" not in case:
                forms.append(schemas.ElicitationSchema.parse(schema))
            for form in forms:
                with self.subTest(case["name"], form=type(form).__name__):
                    found = check_elicitation(form, case.get("content"))
                    issues: list[Any] = [
                        {"pointer": one.pointer, "rule": one.rule} for one in found
                    ]
                    self.assertEqual(issues, case["issues"])
                    defaults = elicitation_defaults(form)
                    self.assertEqual(defaults, case.get("defaults", {}))


class Users(unittest.IsolatedAsyncioTestCase):
    async def answer(self, answer: Any) -> Any:
        """Returns what a scripted user answers to a form whose name is Eve at first."""
        found: list[Any] = []

        async def prompt(params: Any, context: Any) -> Any:
            field = types.ElicitationPropertySchemaString(default="Eve")
            form = types.ElicitationSchema(properties={"name": field})
            found.append(
                await context.peer.elicitation_create(
                    types.CreateElicitationRequestFormSession(
                        session_id=params.session_id,
                        message="Who?",
                        requested_schema=form,
                    )
                )
            )
            return types.PromptResponse(stop_reason="end_turn")

        client = MockClient({"elicitation": {"form": {}}}, elicitation=answer)
        async with connect_in_memory(MockAgent(session_prompt=prompt), client) as agent:
            await (await agent.new_session("/")).prompt("Hi")
        return found[0].content

    async def test_a_mock_user_accepts_the_defaults(self) -> None:
        self.assertEqual(await self.answer("accept"), {"name": "Eve"})

    async def test_content_that_does_not_fit_is_not_sent(self) -> None:
        with self.assertRaises(RpcError):
            await self.answer({"name": 5})
