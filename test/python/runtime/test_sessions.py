"""The states of sessions, and what agents and clients agree on for suggestions."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import unittest
from collections import deque
from typing import Any

from acp_bindings import RpcError, connect_in_memory
from acp_bindings.v1 import SessionState
from acp_bindings.v1 import schemas as schemas1
from acp_bindings.v1.mocks import MockAgent, MockClient
from acp_bindings.v1_full import schemas
from acp_bindings.v1_full import types as full_types
from acp_bindings.v1_full.mocks import MockAgent as FullMock
from acp_bindings.v1_full.mocks import MockClient as FullClient
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from acp_bindings.v2.mocks import MockClient as MockClient2
from acp_bindings.v2_full.mocks import MockAgent as FullMock2
from acp_bindings.v2_full.mocks import MockClient as FullClient2


def entries(*roots: Any) -> int:
    """Counts what the containers below some values of the package have."""
    seen: set[int] = set()
    count = 0
    rest: list[Any] = list(roots)
    while rest:
        value = rest.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            rest += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset, deque)):
            rest += value
        elif type(value).__module__.startswith("acp_bindings"):
            rest += vars(value).values() if hasattr(value, "__dict__") else []
            continue
        else:
            continue
        count += len(value)
    return count


async def open_and_close(peer: Any, sessions: int) -> None:
    for _ in range(sessions):
        session = await peer.new_session("/")
        await session.prompt("Hi")
        await session.close()


class States(unittest.IsolatedAsyncioTestCase):
    async def test_json_in_place_of_an_update_is_an_error_that_says_so(self) -> None:
        update = {"sessionUpdate": "plan", "entries": []}
        state = SessionState()
        with self.assertRaisesRegex(TypeError, "dict is not a decoded update"):
            state.apply(update)
        state.apply(schemas1.SessionUpdate.parse(update))
        self.assertEqual(state.revision, 1)

    async def test_two_thousand_sessions_leave_nothing(self) -> None:
        # Debugging makes the loop several times slower.
        asyncio.get_running_loop().set_debug(False)
        numbers = itertools.count()
        connection: Any = None

        def new(*_: Any) -> Any:
            return {"sessionId": f"s{next(numbers)}"}

        async def speak(session: Any) -> str:
            await session.text("Hello")
            return "end_turn"

        async def prompt(params: Any, context: Any) -> Any:
            nonlocal connection
            connection = context.peer._connection
            if isinstance(agent, MockAgent):
                return {"stopReason": await speak(context.session)}
            return await context.session.start_turn(speak)

        for agents, clients in ((MockAgent, MockClient), (MockAgent2, MockClient2)):
            agent: Any = agents("all", session_new=new, session_prompt=prompt)
            client: Any = clients()
            agent.calls = client.calls = deque(maxlen=0)
            async with connect_in_memory(agent, client) as peer:
                await open_and_close(peer, 20)
                before = entries(peer._connection, connection)
                await open_and_close(peer, 2000)
                after = entries(peer._connection, connection)
                self.assertEqual(after, before)

    async def test_a_fork_begins_with_what_its_answer_says(self) -> None:
        option = {"type": "boolean", "configId": "fast", "name": "Fast"}
        command = {"type": "command", "name": "c", "description": "C"}

        async def fork(params: Any, context: Any) -> Any:
            early: Any = {"sessionUpdate": "session_info_update", "title": "Fork"}
            await context.peer.session("f").send(early)
            return {
                "sessionId": "f",
                "configOptions": [{**option, "currentValue": True}],
            }

        agent = FullMock2(
            session_new=lambda *_: {"sessionId": "s", "availableCommands": [command]},
            session_fork=fork,
        )
        boolean = {"session": {"configOptions": {"boolean": {}}}}
        async with connect_in_memory(agent, FullClient2(boolean)) as peer:
            session = await peer.new_session("/")
            commands = session.state.commands.available_commands
            self.assertEqual(commands[0].name, "c")
            forked = peer.session((await session.fork("/")).session_id)
            self.assertEqual(forked.state.info.title, "Fork")
            self.assertEqual(forked.state.config.config_options[0].config_id, "fast")

    async def test_a_result_names_a_condition_that_its_handler_can_ask(self) -> None:
        errors: list[str] = []
        option = {"type": "boolean", "id": "w", "name": "W", "currentValue": True}

        async def offer(params: Any, context: Any) -> Any:
            cure = r"; leave it out unless context\.peer\.supports\('(.*)'\)$"
            found = re.search(cure, "".join(errors))
            if found is None or context.peer.supports(found[1]):
                return {"sessionId": "s", "configOptions": [option]}
            return {"sessionId": "s"}

        agent = MockAgent(session_new=offer)
        agent.on_error = lambda error, method: errors.append(str(error))  # type: ignore[method-assign]
        async with connect_in_memory(agent, MockClient()) as peer:
            with self.assertRaisesRegex(RpcError, "Invalid result"):
                await peer.new_session("/")
            # The handler does what the error says.
            await peer.new_session("/")
        self.assertEqual(len(errors), 1)

    async def test_suggestions_have_the_agreed_encoding_and_context(self) -> None:
        received: list[Any] = []

        class Suggesting(FullMock):
            position_encodings = ("utf-8",)

        async def suggest(params: Any, context: Any) -> Any:
            received.append((context.peer.position_encoding, params))
            return full_types.SuggestNesResponse(suggestions=[])

        wishes = {"nes": {"context": {"recentFiles": {"maxCount": 1}}}}
        agent = Suggesting(wishes, nes_suggest=suggest)
        client = FullClient({"positionEncodings": ["utf-32", "utf-8"]})
        file = {"uri": "file:///a", "languageId": "x", "text": ""}
        context = {"recentFiles": [file, {**file, "text": "new"}], "openFiles": []}
        position = {"line": 0, "character": 0}
        params = {"sessionId": "n", "uri": "file:///a", "version": 1}
        request = {**params, "position": position, "triggerKind": "manual"}
        async with connect_in_memory(agent, client) as peer:
            self.assertEqual(peer.position_encoding, "utf-8")
            await peer.nes_start(full_types.StartNesRequest())
            await peer.nes_suggest(
                schemas.SuggestNesRequest.parse({**request, "context": context})
            )
        ((encoding, got),) = received
        self.assertEqual(encoding, "utf-8")
        sent = json.loads(schemas.SuggestNesRequest.encode_json(got))["context"]
        self.assertEqual(sent, {"recentFiles": [{**file, "text": "new"}]})
