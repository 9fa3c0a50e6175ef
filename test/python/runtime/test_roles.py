"""Roles: the mistakes that are found when one is made, extensions, interception."""

from __future__ import annotations

import unittest
from typing import Any

from acp_bindings import (
    Call,
    RpcError,
    connect_in_memory,
    extension,
    v2,
)
from acp_bindings.v1 import Agent, Client, types
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
        return types.RequestPermissionResponse(
            outcome=types.RequestPermissionOutcomeCancelled()
        )


async def handle(self: Any, params: Any, context: Any) -> Any:
    return None


SESSIONS = {"session_new": handle, "session_prompt": handle}


def define(base: type[Any], **members: Any) -> Any:
    return type("Mine", (base,), members)


class Mistakes(unittest.TestCase):
    def refused(self, pattern: str, role: Any, **more: Any) -> None:
        with self.assertRaisesRegex(TypeError, pattern):
            role(info=INFO, **more)

    def test_a_misspelled_handler_is_an_error_with_a_suggestion(self) -> None:
        for name, meant in (
            ("sesion_load", "session_load"),
            ("load_session", "session_load"),
            ("set_mode", "session_set_mode"),
            ("logot", "logout"),
        ):
            pattern = rf'Mine.{name} does not match a method \(did you mean "{meant}"'
            self.refused(pattern, define(Base, **{name: handle}))
        self.refused("terminal_create", define(Editor, terminal_craete=handle))

    def test_what_does_not_look_like_a_handler_is_left_alone(self) -> None:
        async def other(self: Any, text: str) -> None: ...

        members = {"session_lod": other, "_session_lod": handle, "run_tool": handle}
        define(Base, **members)(info=INFO)

    def test_a_missing_handler_is_named_with_what_may_be_meant(self) -> None:
        async def prompt(self: Any, prompt: Any, session_id: str, **more: Any) -> Any:
            return None

        kind = define(Agent, session_new=handle, sesion_prompt=prompt)
        pattern = r"handles session/prompt \(is sesion_prompt meant to be it\?\)"
        self.refused(pattern, kind)

    def test_a_handler_of_the_official_package_is_found(self) -> None:
        async def cancel(self: Any, session_id: str, **more: Any) -> None: ...
        async def initialize(self: Any, protocol_version: int, **more: Any) -> Any: ...
        async def other(self: Any) -> None: ...

        self.refused("define session_cancel", define(Base, cancel=cancel))
        self.refused("constructor", define(Base, initialize=initialize))
        self.refused("constructor", define(Base, initialize=handle))
        own = {"cancel": other, "read_text_file": cancel}
        define(Base, **own)(info=INFO)

    def test_a_handler_that_only_the_official_package_has_is_found(self) -> None:
        class Forking(Base):
            async def fork_session(self, session_id: str, cwd: str, **_: Any) -> None: ...

        with self.assertRaisesRegex(TypeError, "this profile has no such method"):
            Forking(info=INFO)

    def test_a_handler_with_the_params_of_the_official_package_is_an_error(self) -> None:
        class Watching(Editor):
            async def session_update(self, session_id: str, update: Any) -> None: ...  # type: ignore[override]

        with self.assertRaisesRegex(TypeError, "session_update has to take"):
            Watching(info=INFO)

    def test_a_handler_that_cannot_be_called_is_an_error(self) -> None:
        async def prompt(self: Any, params: Any) -> Any:
            return None

        self.refused(
            r"session_prompt has to take \(self, params, context\)",
            define(Base, session_prompt=prompt),
        )
        self.refused(
            "Mine.mine has to", define(Base, mine=extension("_acme/x")(prompt))
        )
        with self.assertRaisesRegex(TypeError, "extension needs a method"):
            extension(prompt)  # type: ignore[arg-type]

    def test_a_capability_without_its_handler_is_an_error(self) -> None:
        loading = types.AgentCapabilities(load_session=True)
        self.refused("Base.session_load is missing", Base, capabilities=loading)
        key = types.AuthMethodAgent(id="key", name="Key")
        self.refused("Base.authenticate is missing", Base, auth_methods=[key])
        with self.assertRaisesRegex(TypeError, "Mine.session_list is missing: add it"):
            define(v2.Agent, **SESSIONS)(info=v2.types.Implementation(**NAME))

    def test_a_handler_whose_capability_is_off_is_an_error(self) -> None:
        off = types.AgentCapabilities(load_session=False)
        loading = define(Base, session_load=handle)
        self.refused("Mine.session_load is given, but .* is not advertised", loading, capabilities=off)

    def test_a_capability_without_the_one_that_it_requires_is_an_error(self) -> None:
        if "session_archive" not in FEATURES:
            return
        archiving = define(FullAgent, session_archive=handle, **SESSIONS)
        with self.assertRaisesRegex(TypeError, "Capabilities.list, which it requires"):
            archiving(info=full_types.Implementation(name="test", version="1"))

    def test_an_unknown_treatment_of_unknown_values_is_an_error(self) -> None:
        for unknown, pattern in (
            ("rejct", 'Mine.unknown must be "keep" or "reject" .did you mean "reject"'),
            (None, 'Mine.unknown must be "keep" or "reject"$'),
            ({"session/promt": "reject"}, 'session/promt is not .* "session/prompt"'),
            ({"session/cancel": "reject"}, "not a request that the agent handles"),
            ({"session/prompt": "no"}, r'unknown\["session/prompt"\] must be "keep"'),
        ):
            with self.assertRaisesRegex(ValueError, pattern):
                define(Base, unknown=unknown)(info=INFO)

    def test_a_value_of_another_profile_is_named_in_the_error(self) -> None:
        kind = define(FullAgent, **SESSIONS)
        with self.assertRaisesRegex(ValueError, r"acp_bindings\.v1\.types\.Implem"):
            kind(info=INFO)

    def test_a_handler_whose_capability_is_unclear_is_an_error(self) -> None:
        asking = define(Editor, elicitation_create=handle)
        self.refused("elicitation is not advertised", asking)
        form = types.ElicitationCapabilities(form=types.ElicitationFormCapabilities())
        asking(info=INFO, capabilities=types.ClientCapabilities(elicitation=form))

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

        async def load(self: Any, params: Any, context: Any) -> Any:
            return None

        with self.assertRaisesRegex(TypeError, "define session_load in Mine"):
            define(Base, mine=extension("session/load")(load))(info=INFO)

    async def test_unknown_values_of_requests_can_be_refused(self) -> None:
        prompt = {"sessionId": "s", "prompt": [{"type": "_shape"}]}
        for unknown, code in (
            ("keep", None),
            ("reject", -32602),
            ({"session/prompt": "reject"}, -32602),
            ({"session/new": "reject"}, None),
        ):
            role = define(Base, unknown=unknown)(info=INFO)
            async with connect_in_memory(role, Editor(info=INFO)) as agent:
                try:
                    await agent.call_extension("session/prompt", prompt)
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
