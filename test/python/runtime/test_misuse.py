"""What is refused before it is sent or started, with what to pass instead."""

from __future__ import annotations

import copy
import pickle
import sys
import unittest
from collections.abc import Callable
from typing import Any

from acp_bindings import (
    AgentStartError,
    InvalidValueError,
    ProtocolVersionError,
    RpcError,
    connect_in_memory,
    serve,
    spawn_agent,
    v1_full,
)
from acp_bindings.v1.mocks import MockAgent, MockClient
from acp_bindings.v1_full.mocks import MockAgent as FullAgent
from acp_bindings.v1_full.mocks import MockClient as FullClient
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from acp_bindings.v2.mocks import MockClient as MockClient2


def offering(current: str, *, is_grouped: bool = False) -> MockAgent:
    """Returns an agent whose sessions have a model, which never changes."""
    values = [{"value": "fast", "name": "Fast"}, {"value": "deep", "name": "Deep"}]
    group = {"group": "all", "name": "All", "options": values}
    names = {"id": "model", "name": "Model", "category": "model", "type": "select"}
    options = [group] if is_grouped else values
    offered = {
        "configOptions": [{**names, "currentValue": current, "options": options}]
    }
    return MockAgent(
        session_new=lambda *_: {"sessionId": "s", **offered},
        session_set_config_option=lambda *_: offered,
    )


class Misuse(unittest.IsolatedAsyncioTestCase):
    async def test_a_client_selects_only_what_a_session_offers(self) -> None:
        for is_grouped in (False, True):
            agent = offering("fast", is_grouped=is_grouped)
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

    async def test_an_agent_offers_an_option_with_one_of_its_values(self) -> None:
        agent, errors = offering("slow"), list[str]()
        agent.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        async with connect_in_memory(agent, MockClient()) as peer:
            with self.assertRaises(RpcError) as refused:
                await peer.new_session("/")
        place = {"pointer": "/configOptions/0/currentValue", "rule": "offered"}
        self.assertEqual(refused.exception.data, place)
        self.assertIn('expected one of "fast", "deep", found "slow"', str(errors))

    async def test_what_json_cannot_hold_is_not_sent(self) -> None:
        inside: list[Any] = []
        inside.append(inside)
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        answers: list[Any] = []
        agent, errors = MockAgent(session_prompt=lambda *_: answers.pop()), list[str]()
        agent.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        async with connect_in_memory(agent, MockClient()) as peer:
            session = await peer.new_session("/")
            for value, pointer, rule, text in (
                (float("nan"), "/0", "json", "a finite number, found NaN"),
                ({1}, "/0", "json", "a JSON value, found an object of builtins.set"),
                (b"x", "/0", "json", "a JSON value, found an object of builtins.bytes"),
                ({(): 1}, "/0", "json", "names that are strings, found an object"),
                (inside, "/0/0", "json", "a value without circular references"),
                (deep, None, "depth", "fewer levels"),
            ):
                meta = {"a/b": [value]}
                with self.subTest(text):
                    for given in (meta, {"_meta": meta, "prompt": []}):
                        is_ours = "prompt" in given
                        at = "/_meta/a~1b" if is_ours else "/a~1b"
                        place = ("" if pointer is None else at + pointer, rule)
                        with self.assertRaisesRegex(InvalidValueError, text) as failed:
                            if is_ours:
                                params = {"sessionId": session.id, **given}
                                await peer.request("session/prompt", params)
                            else:
                                await peer.call_extension("_acme/x", given)
                        issue = failed.exception.issues[0]
                        self.assertEqual((issue.pointer, issue.rule), place)
                    answers.append({"stopReason": "end_turn", "_meta": meta})
                    with self.assertRaises(RpcError) as refused:
                        await session.prompt("hi")
                    data = {"pointer": place[0], "rule": place[1]}
                    self.assertEqual(refused.exception.data, data)
                    self.assertIn(text, errors[-1])
            nested: list[Any] = []
            for _ in range(500):
                nested = [nested]
            answers.append({"stopReason": "end_turn", "_meta": {"a": nested}})
            self.assertEqual((await session.prompt("hi")).meta, {"a": nested})

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
