"""What is refused before it is sent or started, with what to pass instead."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import unittest
from collections.abc import Callable
from typing import Any

from acp_bindings import (
    AgentStartError,
    InvalidValueError,
    Limits,
    ProtocolVersionError,
    RpcError,
    connect_in_memory,
    serve,
    spawn_agent,
    v1_full,
)
from acp_bindings.v1 import Agent, types
from acp_bindings.v1.mocks import MockAgent, MockClient
from acp_bindings.v1.proxy import Proxy
from acp_bindings.v1_full.mocks import MockAgent as FullAgent
from acp_bindings.v1_full.mocks import MockClient as FullClient
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from acp_bindings.v2.mocks import MockClient as MockClient2

INFO = types.Implementation(name="test", version="1")


def option(current: str, *, is_grouped: bool = False) -> dict[str, Any]:
    values = [{"value": "fast", "name": "Fast"}, {"value": "deep", "name": "Deep"}]
    group = {"group": "all", "name": "All", "options": values}
    return {
        "id": "model",
        "name": "Model",
        "category": "model",
        "type": "select",
        "currentValue": current,
        "options": [group] if is_grouped else values,
    }


class Offering(Agent):
    def __init__(self, offered: dict[str, Any], limits: Limits | None = None) -> None:
        super().__init__(info=INFO, limits=limits)
        self.offered = offered
        self.errors: list[BaseException] = []

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.errors.append(error)

    async def session_new(self, params: Any, context: Any) -> Any:
        return {"sessionId": "s", "configOptions": [self.offered]}

    async def session_prompt(self, params: Any, context: Any) -> Any:
        raise AssertionError

    async def session_set_config_option(self, params: Any, context: Any) -> Any:
        return {"configOptions": [self.offered]}


class Misuse(unittest.IsolatedAsyncioTestCase):
    async def test_a_client_selects_only_what_a_session_offers(self) -> None:
        for is_grouped in (False, True):
            agent = Offering(option("fast", is_grouped=is_grouped))
            async with connect_in_memory(agent, MockClient()) as peer:
                session = await peer.new_session("/")
                with self.assertRaisesRegex(
                    InvalidValueError, 'at /configId: expected one of "model", found'
                ):
                    await session.set_config_option("modl", "deep")
                with self.assertRaisesRegex(
                    InvalidValueError, 'at /value: expected one of "fast", "deep"'
                ):
                    await session.set_config_option("model", "deeper")
                await session.set_config_option("model", "deep")
                with self.assertRaisesRegex(
                    InvalidValueError, 'one of "fast", "deep", found true'
                ):
                    await session.set_option("model", True)
                misplaced: Any = {"category": "model"}
                with self.assertRaisesRegex(
                    TypeError, "needs a string, not an object: "
                ):
                    await session.set_option(misplaced, "deep")
                reported = session.state
                session.forget()
                self.assertIs(session.state, reported)

    async def test_a_setting_that_is_misspelled_is_named(self) -> None:
        wrong: list[tuple[str, Any, str]] = [
            ("while_buzy", "queue", "while_busy"),
            ("on_eror", MockAgent.on_error, "on_error"),
        ]
        for name, value, meant in wrong:
            kind: Any = type("Misspelled", (Offering,), {name: value})
            text = rf'Misspelled.{name} is not a setting \(did you mean "{meant}"'
            with self.assertRaisesRegex(TypeError, text):
                kind(option("fast"))
        with self.assertRaisesRegex(TypeError, "limits must be Limits"):
            limits: Any = {"stall": 1}
            Agent(info=INFO, limits=limits)

    async def test_a_limit_that_nothing_can_keep_is_named(self) -> None:
        count, time = "a whole number from 1 up", "a number from 0 up"
        wrong: list[tuple[str, Any, str]] = [
            ("max_in_flight", -1, f"{count}, not -1"),
            ("max_in_flight", 0, f"{count}, not 0"),
            ("max_invalid_in_row", True, f"{count}, not true"),
            ("max_line_bytes", 1.5, f"{count}, not 1.5"),
            ("cancel_grace", "1s", f'{time}, not "1s"'),
            ("end_grace", False, f"{time}, not false"),
            ("stall", math.nan, f"{time}, not "),
            ("stall", None, f"{time}, not null"),
        ]
        for name, value, text in wrong:
            limits, message = Limits(**{name: value}), f"limits.{name} must be {text}"
            with self.assertRaisesRegex(ValueError, message):
                Offering(option("fast"), limits)
            with self.assertRaisesRegex(ValueError, message):
                Proxy(limits=limits)
        Offering(option("fast"), Limits(end_grace=0, stall=math.inf, cancel_grace=1))

    async def test_an_agent_without_a_name_is_refused(self) -> None:
        missing: Any = None
        with self.assertRaisesRegex(
            TypeError, "info is missing: every agent has to give it"
        ):
            Agent(info=missing)

    async def test_a_setting_of_a_wrong_type_is_named(self) -> None:
        wrong: list[tuple[str, Any, str]] = [
            (
                "on_error",
                "log",
                r"on_error has to take \(self, error, method\), but is",
            ),
            ("on_notes", lambda self: None, r"on_notes has to take \(self, notes, m"),
            ("intercept", 5, r"intercept has to take \(self, call, proceed\), but is"),
            ("authenticate_again", True, r"to take \(self, agent\), but is not a func"),
            ("session_store", {}, "Wrong.session_store must be a store of sessions, n"),
        ]
        for name, value, text in wrong:
            with self.assertRaisesRegex(TypeError, text):
                type("Wrong", (Offering,), {name: value})(option("fast"))

    async def test_a_misspelled_handler_is_named_whatever_its_params_are(self) -> None:
        async def handle(self: Any, request: Any, more: Any) -> None: ...

        for name in ("sesion_load", "session_lod", "session_laod"):
            with self.assertRaisesRegex(TypeError, 'did you mean "session_load"'):
                type("Wrong", (Offering,), {name: handle})(option("fast"))
        for name in ("load", "session_loader_of", "load_file", "sessions"):
            type("Right", (Offering,), {name: handle})(option("fast"))

    async def test_an_agent_offers_an_option_with_one_of_its_values(self) -> None:
        agent = Offering(option("slow"))
        async with connect_in_memory(agent, MockClient()) as peer:
            with self.assertRaises(RpcError) as refused:
                await peer.new_session("/")
        place = {"pointer": "/configOptions/0/currentValue", "rule": "offered"}
        self.assertEqual(refused.exception.data, place)
        self.assertIn('expected one of "fast", "deep", found "slow"', str(agent.errors))

    async def test_a_relative_path_is_not_sent(self) -> None:
        async with connect_in_memory(MockAgent("all"), MockClient()) as peer:
            with self.assertRaisesRegex(InvalidValueError, "at /cwd: expected an abs"):
                await peer.new_session("shop")
            with self.assertRaisesRegex(InvalidValueError, "/additionalDirectories/1"):
                await peer.new_session("/", additional_directories=["/docs", "."])
            for path in ("/shop", "C:\\shop", "d:/shop", "\\\\server\\shop"):
                await peer.new_session(path)

    async def test_a_session_has_the_methods_of_features(self) -> None:
        mock = FullAgent("all")
        async with connect_in_memory(mock, FullClient("all")) as peer:
            started = await peer.nes_start(v1_full.types.StartNesRequest())
            session = peer.session(started.session_id)
            await session.document_did_close("file:///a")
            await session.nes_close()
        ids = [one.params.session_id for one in mock.calls[-2:]]
        self.assertEqual(ids, [started.session_id] * 2)

    async def test_a_program_that_cannot_be_started_is_named(self) -> None:
        for command, folder, code, reason in (
            ("no-such-agent", None, "ENOENT", "it is in none of the folders of PATH"),
            ("./no/agent", "/", "ENOENT", "there is no file /no/agent"),
            ("python3", "/no", "ENOENT", "the folder /no does not exist"),
            ("/etc/passwd", None, "EACCES", "Permission denied"),
        ):
            with self.assertRaises(AgentStartError) as failed:
                async with spawn_agent(MockClient(), command, cwd=folder):
                    raise AssertionError
            place = "" if folder is None else f" in {folder}"
            error = failed.exception
            self.assertTrue(
                str(error).startswith(f"cannot start {command}{place}: {reason}"), error
            )
            self.assertEqual((error.command, error.code), (command, code))
            self.assertIsInstance(error.__cause__, OSError)
            self.assertIsInstance(error, OSError)
            for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
                self.assertEqual((str(other), other.code), (str(error), code))

    async def test_the_last_words_of_an_agent_are_a_part_of_its_end(self) -> None:
        trace = r"    at main.js:1\n  code: 1,\n}\n\nNode.js v22.1.0\n"
        crash = rf"printf 'why\n{trace}' >&2; exit 3"
        for _ in range(20):
            with self.assertRaisesRegex(ConnectionError, "it wrote last: why"):
                async with spawn_agent(MockClient(), "sh", "-c", crash, stderr=str):
                    raise AssertionError

    async def test_a_program_that_echoes_its_input_is_not_an_agent(self) -> None:
        echo = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
        with self.assertRaisesRegex(RpcError, "sends our own messages back, as cat"):
            async with spawn_agent(MockClient(), sys.executable, "-c", echo):
                raise AssertionError

    async def test_a_version_that_the_other_side_lacks_is_named(self) -> None:
        for agent, client, wanted, offered in (
            (MockAgent2(), MockClient(), 1, 2),
            (MockAgent(), MockClient2(), 2, 1),
        ):
            roles: tuple[Any, Any] = (agent, client)
            with self.assertRaises(ProtocolVersionError) as failed:
                async with connect_in_memory(*roles):
                    raise AssertionError
            error = failed.exception
            self.assertEqual((error.wanted, error.offered), (wanted, offered))
            self.assertEqual(
                str(error),
                f"the client speaks version {wanted} of the protocol, the agent speaks "
                f"version {offered}; the command acp-bridge translates between them",
            )

    async def test_two_agents_of_one_version_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "version 1 was given twice"):
            await serve([MockAgent(), MockAgent()])

    def test_a_handler_that_is_not_a_function_is_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "session_load has to take .*type int"):
            type("Wrong", (Offering,), {"session_load": 5})(option("fast"))

    def test_a_misspelled_answer_of_a_mock_is_refused(self) -> None:
        makes: list[tuple[str, Callable[[], Any]]] = [
            ("allow_once", lambda: MockClient(permission="alow_once")),
            ("cancelled", lambda: MockClient(permission=["allow", "canceled"])),
        ]
        for meant, make in makes:
            with self.assertRaisesRegex(ValueError, f'did you mean "{meant}"'):
                make()
        for permission in ("allow", "allow-once", "yes", lambda params: "alow_once"):
            MockClient(permission=permission)
