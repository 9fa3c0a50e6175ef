"""The states of sessions, and what agents and clients agree on for suggestions."""

from __future__ import annotations

import asyncio
import json
import re
import unittest
from collections import deque
from typing import Any

from acp_bindings import (
    RpcError,
    connect,
    memory_streams,
    serve,
)
from acp_bindings import v2, v2_full
from acp_bindings.v1 import Agent, Client, SessionState, types
from acp_bindings.v1 import schemas as schemas1
from acp_bindings.v1_full import Agent as FullAgent
from acp_bindings.v1_full import Client as FullClient
from acp_bindings.v1_full import schemas
from acp_bindings.v1_full import types as full_types

INFO = types.Implementation(name="test", version="1")


class Storyteller(Agent):
    fails_to_load = False

    async def session_new(self, params: Any, context: Any) -> Any:
        return types.NewSessionResponse(session_id="s")

    async def session_load(self, params: Any, context: Any) -> Any:
        session = context.peer.session(params.session_id)
        await session.text("again")
        if self.fails_to_load:
            raise RpcError.resource_not_found()
        return types.LoadSessionResponse()

    async def session_prompt(self, params: Any, context: Any) -> Any:
        raise AssertionError


class Editor(Client):
    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise AssertionError


class Closing(Agent):
    """An agent that closes its sessions."""

    opened = 0
    connection: Any = None

    async def session_new(self, params: Any, context: Any) -> Any:
        self.opened += 1
        return types.NewSessionResponse(session_id=f"s{self.opened}")

    async def session_prompt(self, params: Any, context: Any) -> Any:
        self.connection = context.peer._connection
        await context.session.text("Hello")
        return types.PromptResponse(stop_reason="end_turn")

    async def session_close(self, params: Any, context: Any) -> Any:
        return types.CloseSessionResponse()


class Closing2(v2.Agent):
    """The same in version 2."""

    opened = 0
    connection: Any = None

    async def session_new(self, params: Any, context: Any) -> Any:
        self.opened += 1
        return {"sessionId": f"s{self.opened}"}

    async def session_prompt(self, params: Any, context: Any) -> Any:
        self.connection = context.peer._connection

        async def work(turn: Any) -> Any:
            await turn.text("Hello")
            return "end_turn"

        return await context.session.start_turn(work)

    async def session_close(self, params: Any, context: Any) -> Any:
        return {}

    async def session_list(self, params: Any, context: Any) -> Any:
        return {"sessions": []}

    async def session_resume(self, params: Any, context: Any) -> Any:
        return {}


class Editor2(v2.Client):
    async def session_request_permission(self, params: Any, context: Any) -> Any:
        raise AssertionError


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
        info2 = v2.types.Implementation(name="test", version="1")
        pairs: list[Any] = [
            (Closing(info=INFO), Editor(info=INFO)),
            (Closing2(info=info2), Editor2(info=info2)),
        ]
        for agent, client in pairs:
            here, there = memory_streams()
            served = asyncio.create_task(serve(agent, there))
            async with connect(client, here) as peer:
                await open_and_close(peer, 20)
                before = entries(peer._connection, agent.connection)
                await open_and_close(peer, 2000)
                after = entries(peer._connection, agent.connection)
                self.assertEqual(after, before)
            await served

    async def connected(self, agent: Any, client: Any) -> Any:
        here, there = memory_streams()
        serving = asyncio.ensure_future(serve(agent, there))
        opened = connect(client, here)
        peer = await opened.__aenter__()

        async def end() -> None:
            await opened.__aexit__(None, None, None)
            await serving

        self.addAsyncCleanup(end)
        return peer

    async def test_a_fork_begins_with_what_its_answer_says(self) -> None:
        option: Any = {
            "type": "boolean",
            "configId": "fast",
            "name": "Fast",
            "currentValue": True,
        }

        class Forking(v2_full.Agent):
            async def session_new(self, params: Any, context: Any) -> Any:
                return {"sessionId": "s", "availableCommands": [command]}

            async def session_fork(self, params: Any, context: Any) -> Any:
                early: Any = {"sessionUpdate": "session_info_update", "title": "Fork"}
                await context.peer.session("f").send(early)
                return {"sessionId": "f", "configOptions": [option]}

            async def session_prompt(self, params: Any, context: Any) -> Any:
                raise AssertionError

            async def session_list(self, params: Any, context: Any) -> Any:
                raise AssertionError

            async def session_resume(self, params: Any, context: Any) -> Any:
                raise AssertionError

            async def session_close(self, params: Any, context: Any) -> Any:
                raise AssertionError

        class Editor2(v2_full.Client):
            async def session_request_permission(
                self, params: Any, context: Any
            ) -> Any:
                raise AssertionError

        command = {"type": "command", "name": "c", "description": "C"}
        info = v2_full.types.Implementation(name="test", version="1")
        boolean: Any = {"session": {"configOptions": {"boolean": {}}}}
        capabilities = v2_full.schemas.ClientCapabilities.parse(boolean)
        client = Editor2(info=info, capabilities=capabilities)
        peer = await self.connected(Forking(info=info), client)
        session = await peer.new_session("/")
        self.assertEqual(session.state.commands.available_commands[0].name, "c")
        forked = peer.session((await session.fork("/")).session_id)
        self.assertEqual(forked.state.info.title, "Fork")
        self.assertEqual(forked.state.config.config_options[0].config_id, "fast")

    async def test_a_result_names_a_condition_that_its_handler_can_ask(self) -> None:
        errors: list[str] = []
        option = {"type": "boolean", "id": "w", "name": "W", "currentValue": True}

        class Offering(Storyteller):
            async def session_new(self, params: Any, context: Any) -> Any:
                cure = r"; leave it out unless context\.peer\.supports\('(.*)'\)$"
                found = re.search(cure, "".join(errors))
                if found is None or context.peer.supports(found[1]):
                    return {"sessionId": "s", "configOptions": [option]}
                return {"sessionId": "s"}

            def on_error(self, error: BaseException, method: str | None) -> None:
                errors.append(str(error))

        peer = await self.connected(Offering(info=INFO), Editor(info=INFO))
        with self.assertRaisesRegex(RpcError, "Invalid result"):
            await peer.new_session("/")
        # The handler does what the error says.
        await peer.new_session("/")
        self.assertEqual(len(errors), 1)

    async def test_suggestions_have_the_agreed_encoding_and_context(self) -> None:
        received: list[Any] = []

        class Suggesting(FullAgent):
            position_encodings = ("utf-8",)

            async def session_new(self, params: Any, context: Any) -> Any:
                raise AssertionError

            async def session_prompt(self, params: Any, context: Any) -> Any:
                raise AssertionError

            async def nes_start(self, params: Any, context: Any) -> Any:
                return full_types.StartNesResponse(session_id="n")

            async def nes_suggest(self, params: Any, context: Any) -> Any:
                received.append((context.peer.position_encoding, params))
                return full_types.SuggestNesResponse(suggestions=[])

            async def nes_close(self, params: Any, context: Any) -> Any:
                return full_types.CloseNesResponse()

        class Suggested(FullClient):
            async def session_request_permission(
                self, params: Any, context: Any
            ) -> Any:
                raise AssertionError

        wishes = {"nes": {"context": {"recentFiles": {"maxCount": 1}}}}
        capabilities = full_types.ClientCapabilities(
            position_encodings=["utf-32", "utf-8"]
        )
        info = full_types.Implementation(name="test", version="1")
        peer = await self.connected(
            Suggesting(info=info, capabilities=_parsed(wishes)),
            Suggested(info=info, capabilities=capabilities),
        )
        self.assertEqual(peer.position_encoding, "utf-8")
        await peer.nes_start(full_types.StartNesRequest())
        file = {"uri": "file:///a", "languageId": "x", "text": ""}
        context = {"recentFiles": [file, {**file, "text": "new"}], "openFiles": []}
        position = {"line": 0, "character": 0}
        params = {"sessionId": "n", "uri": "file:///a", "version": 1}
        request = {**params, "position": position, "triggerKind": "manual"}
        await peer.nes_suggest(
            schemas.SuggestNesRequest.parse({**request, "context": context})
        )
        ((encoding, got),) = received
        self.assertEqual(encoding, "utf-8")
        sent = json.loads(schemas.SuggestNesRequest.encode_json(got))["context"]
        self.assertEqual(sent, {"recentFiles": [{**file, "text": "new"}]})


def _parsed(capabilities: Any) -> Any:
    return schemas.AgentCapabilities.parse(capabilities)
