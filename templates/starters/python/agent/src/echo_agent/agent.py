"""The handlers of all methods: add a model here."""

import asyncio
import re
from urllib.parse import urlsplit
from urllib.request import url2pathname

from .acp import SessionStore
from .acp.v1 import Agent, AgentContext, types
from .append_to_file import EditPolicy, append_to_file


class EchoAgent(Agent):
    """Repeats the prompt, word by word, and appends it to the files that the prompt links to."""

    def __init__(self) -> None:
        super().__init__(info=types.Implementation(name="echo-agent", version="0.1.0"))
        self.sessions = SessionStore[EditPolicy]()

    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        return types.NewSessionResponse(session_id=self.sessions.create(EditPolicy()))

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        session = context.session
        # An id that does not exist is answered with "Session not found".
        policy = self.sessions[session.id]
        # Every agent receives text and links to resources.
        texts = [one.text for one in params.prompt if isinstance(one, types.TextContent)]
        links = [one.uri for one in params.prompt if isinstance(one, types.ResourceLink)]
        text = "\n".join(texts)
        # A client that stops the turn cancels this task: there is nothing to do for it.
        for word in re.findall(r"\S+\s*|\s+", text):
            await session.text(word)
            await asyncio.sleep(0.01)  # as a model does, which sends many small chunks
        for link in links:
            if link.startswith("file:"):
                path = url2pathname(urlsplit(link).path)
                await append_to_file(session, path, text, policy)
        return types.PromptResponse(stop_reason="end_turn")


def create_agent() -> EchoAgent:
    return EchoAgent()
