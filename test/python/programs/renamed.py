"""Works with bindings whose methods have other names: `python renamed.py 1`, or `2`."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from typing import Any

from acp_bindings import (
    AcpError,
    Limits,
    RpcError,
    connect,
    connect_in_memory,
    memory_streams,
)

VERSION = int(sys.argv[1])
acp: Any = importlib.import_module(f"acp_bindings.v{VERSION}_renamed")
types: Any = acp.types
INFO = types.Implementation(name="test", version="1")
OPTION = types.PermissionOption(option_id="yes", name="Yes", kind="allow_once")


class TestAgent(acp.Agent):
    def __init__(self, **options: Any) -> None:
        super().__init__(info=INFO, **options)
        self.began = asyncio.Event()
        self.was_cancelled = False
        self.outcomes: list[Any] = []
        self.waits = False
        self.asks = False
        self.is_known = True

    async def session_other_new(self, params: Any, context: Any) -> Any:
        if not self.is_known:
            raise RpcError.auth_required()
        return types.NewSessionResponse(session_id="s")

    async def session_other_list(self, params: Any, context: Any) -> Any:
        return types.ListSessionsResponse(sessions=[])

    async def session_other_close(self, params: Any, context: Any) -> Any:
        return None

    async def session_other_resume(self, params: Any, context: Any) -> Any:
        return None

    async def session_other_prompt(self, params: Any, context: Any) -> Any:
        if VERSION > 1:
            return await context.session.start_turn(self.work)
        await self.work(context.session)
        return types.PromptResponse(stop_reason="end_turn")

    async def work(self, session: Any) -> str:
        await session.text("Hi")
        self.began.set()
        try:
            if self.waits:
                await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.was_cancelled = True
            if self.asks:
                async with session.tool_call("Run") as call:
                    self.outcomes.append(await call.ask(options=[OPTION]))
            raise
        return "end_turn"


class LoggingIn(TestAgent):
    async def log_in(self, params: Any, context: Any) -> Any:
        if params.method_id == "bad":
            raise RpcError.auth_required()
        self.is_known = True

    if VERSION == 1:
        other_authenticate = log_in
    else:
        auth_other_login = log_in

        async def auth_other_logout(self, params: Any, context: Any) -> Any:
            return None


class TestClient(acp.Client):
    def __init__(self) -> None:
        super().__init__(info=INFO, limits=Limits(cancel_grace=1))
        self.asked = 0
        self.seen: list[str] = []
        self.logins = 0

    async def session_other_update(self, params: Any, context: Any) -> None:
        await asyncio.sleep(0)
        self.seen.append(type(params.update).__name__)

    async def session_other_request_permission(self, params: Any, context: Any) -> Any:
        self.asked += 1
        raise AssertionError

    async def authenticate_again(self, agent: Any) -> bool:
        self.logins += 1
        await log_in(agent, "key")
        return True


async def log_in(agent: Any, method_id: str) -> None:
    if VERSION == 1:
        await agent.other_authenticate(types.AuthenticateRequest(method_id=method_id))
    else:
        await agent.auth_other_login(types.LoginAuthRequest(method_id=method_id))


async def turns() -> None:
    agent, client = TestAgent(), TestClient()
    async with connect_in_memory(agent, client) as peer:
        session = await peer.new_session("/")
        end = await session.prompt("Go")
        assert end.stop_reason == "end_turn", end
        assert "SessionUpdateAgentMessageChunk" in client.seen, client.seen
        kinds = [one.kind for one in session.state.messages]
        assert kinds == ["user_message", "agent_message"], kinds


async def empty_results() -> None:
    here, there = memory_streams()

    async def answer() -> None:
        for result in (
            {"protocolVersion": VERSION, "info": {"name": "a", "version": "1"}},
            {},
        ):
            line = b""
            while not line.endswith(b"\n"):
                line += await there.read()
            message = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": result}
            there.write(json.dumps(message).encode() + b"\n")

    answering = asyncio.ensure_future(answer())
    async with connect(TestClient(), here) as peer:
        listed = await peer.request("session/other_list", ignore_capabilities=True)
        assert list(listed.sessions) == [], listed
    await answering


async def cancellation() -> None:
    agent, client = TestAgent(), TestClient()
    agent.waits = agent.asks = True
    async with connect_in_memory(agent, client) as peer:
        session = await peer.new_session("/")
        turn = session.prompt("Go")
        waiting = asyncio.ensure_future(turn.wait())
        await agent.began.wait()
        await turn.cancel()
        assert (await waiting).stop_reason == "cancelled"
        assert agent.was_cancelled
        assert (client.asked, agent.outcomes) == (0, [None]), (
            client.asked,
            agent.outcomes,
        )


async def closing() -> None:
    agent, client = TestAgent(), TestClient()
    agent.waits = True
    async with connect_in_memory(agent, client) as peer:
        session = await peer.new_session("/")
        waiting = asyncio.ensure_future(session.prompt("Go").wait())
        await agent.began.wait()
        await session.other_close()
        assert agent.was_cancelled
        await asyncio.wait([waiting])
        waiting.exception()
        try:
            await session.prompt("Go")
        except AcpError as error:
            assert "session/other_prompt was not sent" in str(error), error
        else:
            raise AssertionError


async def authentication() -> None:
    key = "id" if VERSION == 1 else "method_id"
    methods = [types.AuthMethodAgent(name=one, **{key: one}) for one in ("key", "bad")]
    agent, client = LoggingIn(auth_methods=methods), TestClient()
    agent.is_known = False
    async with connect_in_memory(agent, client) as peer:
        try:
            await log_in(peer, "bad")
        except RpcError as error:
            assert error.code == -32000, error
        assert client.logins == 0
        await peer.new_session("/")
        assert client.logins == 1


async def main() -> None:
    for case in (turns, empty_results, cancellation, closing, authentication):
        await asyncio.wait_for(case(), 20)
        print(case.__name__)


asyncio.run(main())
