"""The example agent of python-sdk, ported: it repeats prompts and logs the other calls."""

import asyncio
import itertools
import logging
from typing import Any

from acp_bindings import serve
from acp_bindings.v1 import Agent, AgentContext, types

LOG = logging.getLogger(__name__)


class ExampleAgent(Agent):
    def __init__(self) -> None:
        super().__init__(
            info=types.Implementation(
                name="example-agent", title="Example Agent", version="0.1.0"
            )
        )
        self._ids = map(str, itertools.count())
        self._sessions: set[str] = set()

    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        session_id = next(self._ids)
        self._sessions.add(session_id)
        return types.NewSessionResponse(session_id=session_id)

    async def session_load(
        self, params: types.LoadSessionRequest, context: AgentContext
    ) -> types.LoadSessionResponse:
        self._sessions.add(params.session_id)
        return types.LoadSessionResponse()

    async def session_set_mode(
        self, params: types.SetSessionModeRequest, context: AgentContext
    ) -> types.SetSessionModeResponse:
        LOG.info("mode %s -> %s", params.session_id, params.mode_id)
        return types.SetSessionModeResponse()

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        session = context.session
        self._sessions.add(session.id)
        await session.text("Client sent:")
        for block in params.prompt:
            await session.send(types.SessionUpdateAgentMessageChunk(content=block))
        return types.PromptResponse(stop_reason="end_turn")

    async def session_cancel(
        self, params: types.CancelNotification, context: AgentContext
    ) -> None:
        LOG.info("cancel %s", params.session_id)

    async def handle_extension(self, method: str, params: Any, context: Any) -> Any:
        LOG.info("Received extension method call: %s", method)
        return {"example": "response"}


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(serve(ExampleAgent()))
