"""An agent for both versions of the protocol, and a client of each."""

from __future__ import annotations

import asyncio
import sys

from acp_bindings import serve, spawn_agent, v1, v2


class One(v1.Agent):
    async def session_new(
        self, params: v1.types.NewSessionRequest, context: v1.AgentContext
    ) -> v1.types.NewSessionResponse:
        return v1.types.NewSessionResponse(session_id="1")

    async def session_prompt(
        self, params: v1.types.PromptRequest, context: v1.AgentContext
    ) -> v1.types.PromptResponse:
        await context.session.text("one")
        return v1.types.PromptResponse(stop_reason="end_turn")


class Two(v2.Agent):
    async def session_new(
        self, params: v2.types.NewSessionRequest, context: v2.AgentContext
    ) -> v2.types.NewSessionResponse:
        return v2.types.NewSessionResponse(session_id="1")

    async def session_prompt(
        self, params: v2.types.PromptRequest, context: v2.AgentContext
    ) -> v2.types.PromptResponse:
        async def work(session: v2.AgentSession) -> str | None:
            await session.plan("Look")
            await session.text("two")
            await session.text("fold")
            async with session.tool_call("Edit", kind="edit") as call:
                if not await call.ask():
                    await call.fail("no")
            text = params.prompt[0]
            if isinstance(text, v2.types.TextContent) and text.text == "fail":
                raise RuntimeError("secret")
            return None

        return await context.session.start_turn(work)

    # In version 2 every agent resumes, lists and closes.
    async def session_list(
        self, params: v2.types.ListSessionsRequest, context: v2.AgentContext
    ) -> v2.types.ListSessionsResponse:
        return v2.types.ListSessionsResponse(sessions=[])

    async def session_resume(
        self, params: v2.types.ResumeSessionRequest, context: v2.AgentContext
    ) -> v2.types.ResumeSessionResponse:
        return v2.types.ResumeSessionResponse()

    async def session_close(
        self, params: v2.types.CloseSessionRequest, context: v2.AgentContext
    ) -> v2.types.CloseSessionResponse:
        return v2.types.CloseSessionResponse()


class Client1(v1.Client):
    async def session_request_permission(
        self, params: v1.types.RequestPermissionRequest, context: v1.ClientContext
    ) -> v1.types.RequestPermissionResponse:
        raise NotImplementedError


class Client2(v2.Client):
    async def session_request_permission(
        self, params: v2.types.RequestPermissionRequest, context: v2.ClientContext
    ) -> v2.types.RequestPermissionResponse:
        assert context.session.state.tool_calls
        return v2.types.RequestPermissionResponse(
            outcome=v2.types.RequestPermissionOutcomeSelected(option_id="allow")
        )


async def main() -> None:
    if sys.argv[1:] == ["agent"]:
        info1 = v1.types.Implementation(name="both", version="1")
        info2 = v2.types.Implementation(name="both", version="1")
        await serve([One(info=info1), Two(info=info2)])
        return
    one = Client1(info=v1.types.Implementation(name="c", version="1"))
    async with spawn_agent(one, sys.executable, __file__, "agent") as agent:
        session = await agent.new_session("/")
        assert (await session.prompt("hi")).stop_reason == "end_turn"
        assert session.state.messages[-1].text == "one"
    two = Client2(info=v2.types.Implementation(name="c", version="1"))
    async with spawn_agent([one, two], sys.executable, __file__, "agent") as either:
        assert isinstance(either, v2.ConnectedAgent)
    async with spawn_agent(
        two, sys.executable, __file__, "agent", stderr=lambda line: None
    ) as agent:
        await converse(await agent.new_session("/"))


async def converse(session: v2.Session) -> None:
    updates = [one async for one in session.prompt("hi")]
    assert isinstance(updates[0], v2.types.SessionUpdateUserMessage)
    assert isinstance(updates[1], v2.types.SessionUpdateStateUpdateRunning)
    assert isinstance(updates[-1], v2.types.SessionUpdateStateUpdateIdleEndTurn)
    texts = [(one.kind, one.text) for one in session.state.messages]
    assert texts == [("user_message", "hi"), ("agent_message", "twofold")]
    failed = await session.prompt("fail")
    assert failed.stop_reason == "error"
    assert isinstance(failed.update, v2.types.SessionUpdateStateUpdateIdleError)
    assert failed.update.error and failed.update.error.message == "Internal error"


if __name__ == "__main__":
    asyncio.run(main())
