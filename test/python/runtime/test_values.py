"""What users of the generated types and schemas rely on."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from acp_bindings import (
    UNSET,
    AuthRequiredError,
    CapabilityError,
    Failure,
    InvalidValueError,
    Issue,
    Limits,
    Note,
    RequestTimeoutError,
    RpcError,
    Success,
    Unknown,
)
from acp_bindings.v1 import schemas, types
from acp_bindings.v2 import schemas as v2

CHUNK = {
    "sessionId": "s",
    "update": {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "hi", "later": [1]},
    },
}

BLOCK = {"type": "text", "text": "hi"}


def ended(**extra: Any) -> Any:
    return types.PromptResponse(stop_reason="end_turn", extra=extra)


def prompt(block: Any) -> Any:
    return types.PromptRequest(session_id="s", prompt=[block])


FIVE = types.TextContent(text=cast(Any, 5))
VIDEO = Unknown("video", {"type": "video"})
FOLDER = types.NewSessionRequest(cwd=cast(Any, Path("/a")), mcp_servers=[])
INSIDE: list[Any] = []
INSIDE.append(INSIDE)
NUMBERED = types.ToolCall(tool_call_id=cast(Any, 5), title="T", raw_input=INSIDE)
REFUSED: list[tuple[Any, Any, str, str, str]] = [
    (schemas.ContentChunk, types.ContentChunk(content=VIDEO), "/content/type", "enum", ""),
    (schemas.PromptResponse, ended(later=1), "/later", "undeclared", ""),
    (schemas.PromptResponse, ended(stopReason="refusal"), "/stopReason", "undeclared", ""),
    (schemas.PromptResponse, ended(_meta={}), "/_meta", "undeclared", ""),
    (schemas.PromptResponse, {"stopReason": "end_turn", "later": 1}, "/later", "undeclared", ""),
    (schemas.ContentBlock, {**BLOCK, "txt": "hi"}, "/txt", "undeclared", 'did you mean "text"'),
    (schemas.PromptRequest, prompt({**BLOCK, "a": 1}), "/prompt/0/a", "undeclared", ""),
    (
        schemas.PromptRequest,
        {"sessionId": "s", "prompt": [{**BLOCK, "later": None}]},
        *("/prompt/0/later", "undeclared", ""),
    ),
    (schemas.ContentBlock, FIVE, "/text", "type", "/text: expected string"),
    (
        schemas.ContentChunk,
        types.ContentChunk(content=cast(Any, FIVE)),
        "/content/text",
        "type",
        "",
    ),
    (schemas.NoticeSeverity, "later", "", "enum", "error, or a name that begins"),
    (schemas.NewSessionRequest, FOLDER, "/cwd", "type", "string, found an object of pathlib"),
    # Other mistakes are found by walks that a circle would keep busy for ever.
    (schemas.ToolCall, NUMBERED, "/rawInput/0", "json", "without circular references"),
    (
        schemas.ToolCall,
        {"toolCallId": "t", "title": "T", "later": 1, "rawInput": INSIDE},
        *("/rawInput/0", "json", ""),
    ),
]


class Values(unittest.TestCase):
    def test_a_decoded_union_is_matched_by_class(self) -> None:
        match schemas.SessionNotification.parse(CHUNK).update:
            case types.SessionUpdateAgentMessageChunk(content=types.TextContent(text=text)):
                self.assertEqual(text, "hi")
            case other:
                self.fail(repr(other))

    def test_unknown_properties_are_kept_and_sent_again(self) -> None:
        schema = schemas.SessionNotification
        value = schema.parse(CHUNK)
        self.assertEqual(schema.encode(value), CHUNK)
        self.assertEqual(json.loads(schema.encode_json(value)), CHUNK)

    def test_absent_null_and_a_value_are_distinguished(self) -> None:
        ids = {"toolCallId": "t"}
        absent = v2.ToolCallUpdate.parse(ids)
        null = v2.ToolCallUpdate.parse({**ids, "title": None})
        self.assertIs(absent.title, UNSET)
        self.assertIsNone(null.title)
        self.assertEqual(v2.ToolCallUpdate.encode(absent), ids)
        self.assertEqual(v2.ToolCallUpdate.encode(null), {**ids, "title": None})

    def test_an_error_names_the_place_the_rule_and_the_value(self) -> None:
        with self.assertRaises(InvalidValueError) as raised:
            schemas.PromptRequest.parse({"sessionId": "s", "prompt": [{"type": "text"}]})
        issue = raised.exception.issues[0]
        self.assertEqual((issue.pointer, issue.rule), ("/prompt/0/text", "required"))
        self.assertIn("PromptRequest at /prompt/0/text", str(raised.exception))

    def test_what_the_schema_does_not_have_is_not_sent(self) -> None:
        for schema, value, pointer, rule, text in REFUSED:
            with self.subTest(value), self.assertRaises(InvalidValueError) as caught:
                schema.encode(value)
            issues = [(one.pointer, one.rule) for one in caught.exception.issues]
            self.assertEqual(issues, [(pointer, rule)])
            self.assertIn(text, str(caught.exception))
        call = {"toolCallId": "t", "title": "T", "rawInput": {"a": {"b": 1}}}
        for given in ({**BLOCK, "_meta": {"a": {"b": 1}}}, BLOCK):
            self.assertEqual(schemas.ContentBlock.encode(cast(Any, given)), given)
        encoded = schemas.ToolCall.encode(cast(Any, call))
        self.assertEqual((encoded, type(encoded)), (call, dict))
        self.assertEqual(schemas.NoticeSeverity.encode("_alarm"), "_alarm")
        unsendable = types.PromptResponse(stop_reason="end_turn", meta={"a": [float("nan")]})
        with self.assertRaisesRegex(InvalidValueError, "PromptResponse at /_meta/a/0: expec"):
            schemas.PromptResponse.encode_json(unsendable)

    def test_a_property_that_is_added_to_received_ones_is_not_sent(self) -> None:
        def received() -> Any:
            return schemas.TextContent.parse({"text": "hi", "later": 1})

        changes: list[Callable[[Any], object]] = [
            lambda extra: extra.__setitem__("more", 2),
            lambda extra: extra.update(more=2),
            lambda extra: extra.update({"more": 2}),
            lambda extra: extra.setdefault("more", 2),
            lambda extra: extra.__ior__({"more": 2}),
        ]
        for change in changes:
            value = received()
            change(value.extra)
            for one in (value, copy.deepcopy(value)):
                with self.assertRaisesRegex(InvalidValueError, "at /more: expected only"):
                    schemas.TextContent.encode(one)
        value = received()
        value.extra["later"] = 3
        self.assertEqual(schemas.TextContent.encode(value), {"text": "hi", "later": 3})
        del value.extra["later"]
        self.assertEqual(schemas.TextContent.encode(value), {"text": "hi"})

    def test_what_was_received_can_be_sent_again(self) -> None:
        block = {"type": "later", "text": 5, "x": {"a": None}}
        call = {"toolCallId": "t", "title": "T", "kind": "later", "status": "later"}
        item = {"type": "content", "content": block}
        cases: list[tuple[Any, Any]] = [
            (schemas.PromptRequest, {"sessionId": "s", "prompt": [block], "x": 1}),
            (schemas.ToolCall, {**call, "content": [item, {"type": "later"}]}),
            (v2.UserMessage, {"messageId": "m", "content": [block]}),
            (v2.ToolCallUpdate, {**call, "content": [item, {"type": "later"}]}),
            (v2.SessionUpdate, {"sessionUpdate": "later", "x": 1}),
            (v2.SessionUpdate, {"sessionUpdate": "state_update", "state": "later"}),
        ]
        for schema, given in cases:
            value = schema.parse(given)
            self.assertEqual(schema.encode(value), given)
            self.assertEqual(schema.encode(copy.deepcopy(value)), given)
            self.assertEqual(json.loads(schema.encode_json(value)), given)
        (again,) = schemas.PromptRequest.parse(cases[0][1]).prompt
        chunk = {"sessionUpdate": "user_message_chunk", "content": again}
        schemas.SessionUpdate.encode(chunk)
        made = schemas.ToolCall.parse(call)
        self.assertFalse(schemas.ToolCall.is_valid(schemas.ToolCall.to_json(made)))
        made.kind = "edt"
        with self.assertRaises(InvalidValueError):
            schemas.ToolCall.encode(made)

    def test_arguments_are_checked(self) -> None:
        with self.assertRaisesRegex(TypeError, "TextContent needs text"):
            types.TextContent()  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, "TextContent has no txt"):
            types.TextContent(text="a", txt="b")  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, r"by name: TextContent\(text=…\)"):
            types.TextContent("a")  # type: ignore[call-arg]

    def test_values_are_equal_by_content_and_can_be_copied(self) -> None:
        one = schemas.SessionNotification.parse(CHUNK)
        for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            self.assertEqual(one, other)
        self.assertNotEqual(one, schemas.SessionNotification.parse({**CHUNK, "x": 1}))

    def test_the_body_of_a_variant_is_sent_with_its_tag(self) -> None:
        body = types.TextContent(text="hi")
        expected = {"type": "text", "text": "hi"}
        self.assertEqual(schemas.ContentBlock.encode(body), expected)  # type: ignore[arg-type]
        prompt = types.PromptRequest(session_id="s", prompt=[body])  # type: ignore[list-item]
        sent = schemas.PromptRequest.encode(prompt)
        self.assertEqual(sent["prompt"], [expected])
        server = types.McpServerHttp(name="x", url="https://a", headers=[])
        self.assertEqual(schemas.McpServer.encode(server)["type"], "http")  # type: ignore[arg-type]
        # Three variants of updates have this body.
        chunk = types.ContentChunk(content=types.ContentBlockText(text="hi"))
        with self.assertRaisesRegex(InvalidValueError, "/sessionUpdate"):
            schemas.SessionUpdate.encode(chunk)  # type: ignore[arg-type]

    def test_a_deep_text_is_parsed_and_reported(self) -> None:
        deep = "[" * 50_000 + "]" * 50_000
        text = f'{{"type":"text","text":"a","_meta":{{"a":{deep}}}}}'
        self.assertIsInstance(schemas.ContentBlock.decode_json(text), Success)
        failed = schemas.ContentBlock.decode_json(f'{{"type":"text","text":{deep}}}')
        self.assertIsInstance(failed, Failure)

    def test_a_report_can_be_printed(self) -> None:
        decoded = schemas.ContentBlock.decode({"type": "\ud800é"})
        self.assertEqual(decoded.notes[0].reason, r'"\ud800é" is not known')  # type: ignore[union-attr]

    def test_records_are_equal_by_content_and_check_their_arguments(self) -> None:
        issue = Issue("/a", "type", "string", found="null")
        self.assertEqual(issue, Issue("/a", "type", "string", "null"))
        self.assertNotEqual(issue, Note("kept", "/a", "type", "null"))
        self.assertEqual(len({issue, Issue("/a", "type", "string", "null")}), 1)
        self.assertEqual(pickle.loads(pickle.dumps(Failure((issue,)))).issues, (issue,))
        self.assertEqual(repr(Failure(())), "Failure(issues=())")
        with self.assertRaisesRegex(TypeError, "Issue needs rule, expected, found"):
            Issue("/a")  # type: ignore[call-arg]
        for wrong in ({"size": 1}, {"max_in_flight": 1, "size": 2}):
            with self.assertRaisesRegex(TypeError, "Limits has the fields"):
                Limits(**wrong)
        with self.assertRaisesRegex(TypeError, "Failure has the fields"):
            Failure((), issues=())  # type: ignore[misc]

    def test_errors_can_be_copied_and_pickled(self) -> None:
        errors: list[Any] = [
            InvalidValueError("Plan", (Issue("/a", "type", "string", "null"),)),
            RpcError.invalid_params("no", {"a": 1}),
            AuthRequiredError("sign in", method="session/new", origin="remote"),
            CapabilityError("session/load", "loadSession", "/a", "is refused"),
            RequestTimeoutError("too late", "session/new"),
        ]
        for error in errors:
            for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
                self.assertIs(type(again), type(error))
                self.assertEqual((str(again), vars(again)), (str(error), vars(error)))

    def test_a_program_loads_what_it_uses(self) -> None:
        decoding = "from acp_bindings.v1 import schemas, types\n"
        decoding += "schemas.TextContent.parse({'type': 'text', 'text': 'a'})"
        loaded = modules_after(decoding)
        self.assertIn("acp_bindings.v1._decoders", loaded)
        others = {"asyncio", "dataclasses", "inspect", "acp_bindings.v1._encoders"}
        slow_path = {"acp_bindings.v1._table", "acp_bindings._runtime.diagnosis.walk"}
        self.assertEqual(loaded & (others | slow_path), set())
        loaded = modules_after("from acp_bindings.v1 import Agent")
        loaded -= modules_after("import asyncio")
        self.assertEqual(loaded & {"dataclasses", "uuid"}, set())

    def test_an_agent_answers_initialize_with_a_part_of_the_package(self) -> None:
        script = """
import asyncio
from acp_bindings import memory_streams, serve
from acp_bindings.v1 import Agent, types
class Echo(Agent):
    async def session_new(self, params, context): ...
    async def session_prompt(self, params, context): ...
async def main():
    near, far = memory_streams()
    info = types.Implementation(name="echo", version="1.0.0")
    served = asyncio.create_task(serve(Echo(info=info), near))
    far.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\\n')
    assert b"result" in await far.read()
    await far.close()
    await served
asyncio.run(main())
"""
        loaded = modules_after(script)
        self.assertIn("acp_bindings.v1._handshake_encoders", loaded)
        runtime = ("stdio.process", "session.client_sessions", "role.resumptions")
        others = {f"acp_bindings._runtime.{name}" for name in runtime}
        others |= {"acp_bindings.v1._decoders", "acp_bindings.v1._encoders"}
        self.assertEqual(loaded & others, set())

    def test_a_shell_completes_names_that_are_not_loaded_yet(self) -> None:
        for module, name in (("acp_bindings", "serve"), ("acp_bindings.v1", "Agent")):
            script = f"import {module} as it; assert {name!r} in dir(it)"
            modules_after(script)


def modules_after(script: str) -> set[str]:
    """Returns the modules that a program has loaded at its end."""
    script += "\nimport sys; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(out.stdout.split())
