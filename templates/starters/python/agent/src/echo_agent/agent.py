"""The handlers of all methods: add a model here."""

import re
import uuid
from typing import Any

from acp_bindings import AgentSession, Context, RpcError
from acp_bindings.v1 import Agent, ConnectedClient, types


class EchoAgent(Agent):
    sessions: set[str]

    async def session_new(
        self, params: types.NewSessionRequest, context: Context[ConnectedClient]
    ) -> types.NewSessionResponse:
        session_id = uuid.uuid4().hex
        self.sessions.add(session_id)
        return types.NewSessionResponse(session_id=session_id)

    async def session_prompt(
        self, params: types.PromptRequest, context: Context[ConnectedClient]
    ) -> types.PromptResponse:
        if params.session_id not in self.sessions:
            raise RpcError.resource_not_found(f"There is no session {params.session_id}")
        session = context.peer.session(params.session_id)
        texts = [one.text for one in params.prompt if isinstance(one, types.TextContent)]
        prompt = "\n".join(texts)
        await session.text(prompt)
        # A client that stops the turn cancels this task: there is nothing to do for it.
        for path in re.findall(r"/\S+", prompt):
            await append_to_file(session, context.peer, path, prompt)
        return types.PromptResponse(stop_reason="end_turn")


async def append_to_file(
    session: AgentSession, client: ConnectedClient, path: str, text: str
) -> None:
    """Appends a text to a file of the client, if the user allows it."""
    if not client.supports("clientCapabilities.fs.writeTextFile"):
        return
    read = types.ReadTextFileRequest(session_id=session.id, path=path)
    old = (await client.fs_read_text_file(read)).content
    new = f"{old}{text}\n"
    diff: dict[str, Any] = {"type": "diff", "path": path, "oldText": old, "newText": new}
    async with session.tool_call(f"Append to {path}", kind="edit") as call:
        await call.update(content=[diff], locations=[{"path": path}])
        if await session.ask(call, f"Append to {path}?") != "allow":
            call.status = "failed"
            return
        write = types.WriteTextFileRequest(session_id=session.id, path=path, content=new)
        await client.fs_write_text_file(write)


def create_agent() -> EchoAgent:
    agent = EchoAgent(info=types.Implementation(name="echo-agent", version="0.1.0"))
    agent.sessions = set()
    return agent
