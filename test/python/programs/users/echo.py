"""The echo agent of python-sdk, ported: it marks what it sends as an echo."""

import asyncio
from uuid import uuid4

from acp_bindings import serve
from acp_bindings.v1 import Agent, AgentContext, types


class EchoAgent(Agent):
    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        return types.NewSessionResponse(session_id=uuid4().hex)

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        for block in params.prompt:
            text = block.text if isinstance(block, types.ContentBlockText) else ""
            await context.session.send(
                types.SessionUpdateAgentMessageChunk(
                    content=types.ContentBlockText(text=text, meta={"echo": True}),
                    meta={"echo": True},
                )
            )
        return types.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(
        serve(EchoAgent(info=types.Implementation(name="echo", version="0.1.0")))
    )
