"""Roles: the mistakes that are found when one is made, extensions, interception."""

from __future__ import annotations

import math
import unittest
from typing import Any

from acp_bindings import Call, Limits, RpcError, connect_in_memory, extension, v2
from acp_bindings.v1 import Agent, Client, schemas, types
from acp_bindings.v1.proxy import Proxy
from acp_bindings.v1_full import FEATURES
from acp_bindings.v1_full import Agent as FullAgent
from acp_bindings.v1_full import types as full_types

NAME = {"name": "test", "version": "1"}
INFO = types.Implementation(**NAME)


class Base(Agent):
    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        return types.PromptResponse(stop_reason="end_turn")


class Editor(Client):
    async def session_request_permission(self, params: Any, context: Any) -> Any:
        return types.RequestPermissionResponse(outcome=types.RequestPermissionOutcomeCancelled())


async def handle(self: Any, params: Any, context: Any) -> Any:
    return None


SESSIONS = {"session_new": handle, "session_prompt": handle}


def define(base: type[Any], **members: Any) -> Any:
    return type("Mine", (base,), members)


async def load(self: Any, request: Any, more: Any) -> None: ...
async def cancel(self: Any, session_id: str, **more: Any) -> None: ...
async def initialize(self: Any, protocol_version: int, **more: Any) -> Any: ...
async def fork(self: Any, session_id: str, cwd: str, **more: Any) -> None: ...
async def update(self: Any, session_id: str, update: Any) -> None: ...
async def prompt(self: Any, prompt: Any, session_id: str, **more: Any) -> Any: ...
async def no_context(self: Any, params: Any) -> Any: ...
async def other(self: Any, text: str) -> None: ...
async def listing(self: Any, params: Any, context: Any) -> Any: ...
async def alone(self: Any) -> None: ...


def extending(method: str) -> Any:
    return extension(method)(lambda self, params, context: None)


def meant(name: str) -> str:
    return rf"does not match a method \(did you mean \"{name}\""


BARE = {"session_new": handle}
LOADING = types.AgentCapabilities(load_session=True)
OFF = types.AgentCapabilities(load_session=False)
MISTAKES: list[tuple[type[Any], dict[str, Any], str]] = [
    # Names: of handlers, those of the official package, settings.
    (Base, {"sesion_load": handle}, "Mine.sesion_load " + meant("session_load")),
    (Base, {"sesion_load": load}, meant("session_load")),
    (Base, {"session_lod": load}, meant("session_load")),
    (Base, {"session_laod": load}, meant("session_load")),
    (Base, {"load_session": handle}, meant("session_load")),
    (Base, {"set_mode": handle}, meant("session_set_mode")),
    (Base, {"logot": handle}, meant("logout")),
    (Editor, {"terminal_craete": handle}, "terminal_create"),
    (Agent, {**BARE, "sesion_prompt": prompt}, r"handles session/prompt \(is sesion_prompt meant"),
    (Base, {"cancel": cancel}, "define session_cancel"),
    (Base, {"initialize": initialize}, "constructor"),
    (Base, {"initialize": handle}, "constructor"),
    (Base, {"fork_session": fork}, "this profile has no such method"),
    (
        Base,
        {"while_buzy": "queue"},
        r'Mine.while_buzy is not a setting \(did you mean "while_busy"',
    ),
    (Base, {"on_eror": Agent.on_error}, r'Mine.on_eror is not a setting \(did you mean "on_error"'),
    # Values: of handlers, settings.
    (Editor, {"session_update": update}, "session_update has to take"),
    (Base, {"session_prompt": no_context}, r"session_prompt has to take \(self, params, context\)"),
    (Base, {"mine": extension("_acme/x")(no_context)}, "Mine.mine has to"),
    (Base, {"mine": extension("session/load")(listing)}, "define session_load in Mine"),
    *(
        (Base, {"mine": extending(name)}, f'Mine.mine: "{name}" cannot be a n')
        for name in ("", "_", "rpc.x")
    ),
    (
        Base,
        {"mine": extending("_acme/x"), "other": extending("_acme/x")},
        "Mine.other: _acme/x already has a handler",
    ),
    (Base, {"session_load": 5}, "session_load has to take .*type int"),
    (Base, {"on_error": "log"}, r"on_error has to take \(self, error, method\), but is"),
    (Base, {"on_notes": lambda self: None}, r"on_notes has to take \(self, notes, m"),
    (Base, {"intercept": 5}, r"intercept has to take \(self, call, proceed\), but is"),
    (Base, {"authenticate_again": True}, r"to take \(self, agent\), but is not a func"),
    (Base, {"session_store": {}}, "Mine.session_store must be a store of sessions, n"),
    # Handlers and capabilities, which need each other.
    (Editor, {"elicitation_create": handle}, "elicitation is not advertised"),
    (Base, {"authenticate": handle}, "is given, but authMethods has no entries: adv"),
    (v2.Agent, SESSIONS, "Mine.session_list is missing: add it"),
]
FINE: list[tuple[type[Any], dict[str, Any]]] = [
    (Base, {"session_lod": other, "_session_lod": handle, "run_tool": handle}),
    (Base, {"cancel": alone, "read_text_file": cancel}),
    *((Base, {name: load}) for name in ("load", "session_loader_of", "load_file", "sessions")),
]


class Mistakes(unittest.TestCase):
    def refused(self, pattern: str, role: Any, **more: Any) -> None:
        with self.assertRaisesRegex(TypeError, pattern):
            role(**{"info": INFO, **more})

    def test_they_are_errors_when_a_role_is_made(self) -> None:
        for base, members, pattern in MISTAKES:
            with self.subTest(members):
                info = v2.types.Implementation(**NAME) if base is v2.Agent else INFO
                self.refused(pattern, define(base, **members), info=info)
        for base, members in FINE:
            define(base, **members)(info=INFO)
        missing: Any = None
        self.refused("info is missing: every agent has to give it", Base, info=missing)
        with self.assertRaisesRegex(TypeError, "extension needs a method"):
            extension(handle)  # type: ignore[arg-type]

    def test_a_capability_and_its_handler_need_each_other(self) -> None:
        self.refused("Base.session_load is missing", Base, capabilities=LOADING)
        key = types.AuthMethodAgent(id="key", name="Key")
        self.refused("Base.authenticate is missing", Base, auth_methods=[key])
        kind = define(Base, session_load=handle)
        pattern = "Mine.session_load is given, but .* is not advertised"
        self.refused(pattern, kind, capabilities=OFF)
        if "session_archive" in FEATURES:
            archiving = define(FullAgent, session_archive=handle, **SESSIONS)
            info = full_types.Implementation(**NAME)
            self.refused("Capabilities.list, which it requires", archiving, info=info)
        form = types.ElicitationCapabilities(form=types.ElicitationFormCapabilities())
        asking = define(Editor, elicitation_create=handle)
        asking(info=INFO, capabilities=types.ClientCapabilities(elicitation=form))
        off = {"elicitation": {"form": None}}
        self.refused("elicitation is not advertised", asking, capabilities=off)

    def test_a_limit_that_nothing_can_keep_is_named(self) -> None:
        count, time = "a whole number from 1 up", "a number from 0 up"
        wrong: list[tuple[str, Any, str]] = [
            ("max_in_flight", -1, f"{count}, not -1"),
            ("max_in_flight", 0, f"{count}, not 0"),
            ("max_invalid_in_row", True, f"{count}, not true"),
            ("max_line_bytes", 1.5, f"{count}, not 1.5"),
            ("cancel_grace", "1s", f'{time}, not "1s"'),
            ("end_grace", False, f"{time}, not false"),
            ("stall", math.nan, f"{time}, not NaN"),
            ("stall", None, f"{time}, not null"),
        ]
        for name, value, text in wrong:
            limits, message = Limits(**{name: value}), f"limits.{name} must be {text}"
            with self.assertRaisesRegex(ValueError, message):
                Base(info=INFO, limits=limits)
            with self.assertRaisesRegex(ValueError, message):
                Proxy(limits=limits)
        fine = Limits(end_grace=0, stall=math.inf, cancel_grace=1)
        Base(info=INFO, limits=fine)
        self.refused("limits must be Limits", Base, limits={"stall": 1})

    def test_a_choice_that_does_not_exist_is_an_error(self) -> None:
        keep = 'Mine.unknown must be "keep" or "reject"'
        for setting, value, pattern in (
            ("unknown", "rejct", keep + ' .did you mean "reject"'),
            ("unknown", None, keep + "$"),
            ("unknown", {"session/promt": "reject"}, 'session/promt is not .* "session/prompt"'),
            ("unknown", {"session/cancel": "reject"}, "not a request that the agent handles"),
            ("unknown", {"session/prompt": "no"}, r'unknown\["session/prompt"\] must be "keep"'),
            ("while_busy", "queu", 'did you mean "queue"'),
        ):
            with self.assertRaisesRegex(ValueError, pattern):
                define(Base, **{setting: value})(info=INFO)

    def test_a_value_of_another_profile_is_named_in_the_error(self) -> None:
        kind = define(FullAgent, **SESSIONS)
        with self.assertRaisesRegex(ValueError, r"acp_bindings\.v1\.types\.Implem"):
            kind(info=INFO)

    def test_a_misspelled_property_is_an_error_with_a_suggestion(self) -> None:
        with self.assertRaisesRegex(TypeError, 'no loadSession .*"load_session"'):
            types.AgentCapabilities(loadSession=True)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, 'no stop_reson .*"stop_reason"'):
            types.PromptResponse(stop_reson="end_turn")  # type: ignore[call-arg]


class Handling(unittest.IsolatedAsyncioTestCase):
    async def test_an_extension_is_handled_and_advertised(self) -> None:
        seen: list[Any] = []

        class Reviewing(Base):
            @extension("_acme.dev/review", advertise={"acme.dev": {"review": True}})
            async def review(self, params: Any, context: Any) -> Any:
                return {"session": context.session_id, **params}

            @extension("_acme.dev/seen")
            def note(self, params: Any, context: Any) -> None:
                seen.append(params)

        async with connect_in_memory(Reviewing(info=INFO), Editor(info=INFO)) as agent:
            self.assertTrue(agent.supports("agentCapabilities", "_meta", "acme.dev"))
            await agent.notify("_acme.dev/seen", 1)
            result = await agent.request("_acme.dev/review", {"sessionId": "s"})
            self.assertEqual(result, {"session": "s", "sessionId": "s"})
            self.assertEqual(seen, [1])
            with self.assertRaisesRegex(RpcError, "Method not found: _acme.dev/other"):
                await agent.request("_acme.dev/other")

    async def test_unknown_values_of_requests_can_be_refused(self) -> None:
        # What was received may be sent.
        prompt = schemas.PromptRequest.parse({"sessionId": "s", "prompt": [{"type": "_shape"}]})
        for unknown, code in (
            ("keep", None),
            ("reject", -32602),
            ({"session/prompt": "reject"}, -32602),
            ({"session/new": "reject"}, None),
        ):
            role = define(Base, unknown=unknown)(info=INFO)
            async with connect_in_memory(role, Editor(info=INFO)) as agent:
                try:
                    await agent.request("session/prompt", prompt)
                    found = None
                except RpcError as error:
                    found = error.code
            self.assertEqual(found, code, unknown)

    async def test_a_function_sees_and_changes_all_calls(self) -> None:
        seen: list[tuple[str, str, str | None]] = []

        class Traced(Base):
            async def intercept(self, call: Call, proceed: Any) -> Any:
                seen.append((call.direction, call.method, call.session_id))
                return await proceed()

            async def session_prompt(self, params: Any, context: Any) -> Any:
                await context.session.text(params.prompt[0].text)
                await super().session_prompt(params, context)
                raise RpcError.internal("no")

        class Changing(Editor):
            async def intercept(self, call: Call, proceed: Any) -> Any:
                if call.method == "session/prompt":
                    call.params.prompt[0].text += "!"
                    try:
                        return await proceed(call.params)
                    except RpcError:
                        return types.PromptResponse(stop_reason="refusal")
                return await proceed()

        agent_role = Traced(info=INFO)
        async with connect_in_memory(agent_role, Changing(info=INFO)) as agent:
            session = await agent.new_session("/")
            self.assertEqual((await session.prompt("Hi")).stop_reason, "refusal")
            self.assertEqual(session.state.messages[-1].text, "Hi!")
        self.assertEqual(
            seen,
            [
                ("incoming", "session/new", None),
                ("incoming", "session/prompt", "s"),
                ("outgoing", "session/update", "s"),
            ],
        )

    async def test_the_session_of_a_context_is_that_of_its_params(self) -> None:
        class Lost(Base):
            async def session_new(self, params: Any, context: Any) -> Any:
                with self.outer.assertRaisesRegex(LookupError, "session/new name no"):
                    context.session
                return await super().session_new(params, context)

            outer: Any = self

        async with connect_in_memory(Lost(info=INFO), Editor(info=INFO)) as agent:
            await agent.new_session("/")

    async def test_an_agent_lists_no_way_to_sign_in_that_the_client_lacks(self) -> None:
        class SigningIn(FullAgent):
            session_new = session_prompt = authenticate = handle

        methods: list[full_types.AuthMethod] = [
            full_types.AuthMethodTerminalVariant(id="t", name="Terminal"),
            full_types.AuthMethodAgent(id="a", name="Agent"),
        ]
        info = full_types.Implementation(name="test", version="1")
        role = SigningIn(info=info, auth_methods=methods)
        async with connect_in_memory(role, Editor(info=INFO)) as agent:
            listed = agent.handshake.auth_methods
        self.assertEqual([one.id for one in listed or []], ["a"])
