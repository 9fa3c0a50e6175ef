"""The handlers of all methods: add a model here."""

import re
from dataclasses import dataclass

from acp_bindings import SessionStore
from acp_bindings.v1 import Agent, AgentContext, AgentSession, types


@dataclass
class State:
    """What the agent keeps for each session."""

    cwd: str
    prompts: int = 0


class EchoAgent(Agent):
    def __init__(self) -> None:
        super().__init__(info=types.Implementation(name="echo-agent", version="0.1.0"))
        self.sessions = SessionStore[State]()

    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        session_id = self.sessions.create(State(params.cwd))
        return types.NewSessionResponse(session_id=session_id)

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        # An id that does not exist is answered with "Session not found".
        self.sessions[params.session_id].prompts += 1
        texts = [one.text for one in params.prompt if isinstance(one, types.TextContent)]
        prompt = "\n".join(texts)
        await context.session.text(prompt)
        # A client that stops the turn cancels this task: there is nothing to do for it.
        files = ("readTextFile", "writeTextFile")
        if all(context.peer.supports("clientCapabilities", "fs", one) for one in files):
            for path in re.findall(r"/\S+", prompt):
                await append_to_file(context.session, path, prompt)
        return types.PromptResponse(stop_reason="end_turn")


async def append_to_file(session: AgentSession, path: str, text: str) -> None:
    """Appends a text to a file of the client, if the user allows it."""
    old = (await session.fs_read_text_file(path)).content
    new = f"{old}{text}\n"
    async with session.tool_call(
        f"Append to {path}",
        kind="edit",
        content=[types.ToolCallContentDiff(path=path, old_text=old, new_text=new)],
        locations=[types.ToolCallLocation(path=path)],
    ) as call:
        if await call.ask():
            await session.fs_write_text_file(path=path, content=new)
        else:
            await call.fail("The user rejected it.")


def create_agent() -> EchoAgent:
    return EchoAgent()
