"""The example client of python-sdk, ported: it sends lines as prompts and prints the agent."""

import asyncio
import logging
import os
import sys
from pathlib import Path

from acp_bindings import AcpError, RpcError, Unknown, spawn_agent
from acp_bindings.v1 import Client, ClientContext, Session, types

LOG = logging.getLogger(__name__)


class ExampleClient(Client):
    async def session_request_permission(
        self, params: types.RequestPermissionRequest, context: ClientContext
    ) -> types.RequestPermissionResponse:
        raise RpcError.method_not_found("session/request_permission")


def show(content: types.ContentBlock) -> str:
    match content:
        case types.TextContent(text=text):
            return text
        case types.ImageContent():
            return "<image>"
        case types.AudioContent():
            return "<audio>"
        case types.ResourceLink(uri=uri):
            return uri
        case types.EmbeddedResource():
            return "<resource>"
        case Unknown():
            return "<content>"


async def interactive_loop(session: Session) -> None:
    while True:
        try:
            line = await asyncio.to_thread(input, "> ")
        except EOFError:
            break
        if not line:
            continue
        try:
            async for update in session.prompt(line):
                if isinstance(update, types.SessionUpdateAgentMessageChunk):
                    print(f"| Agent: {show(update.content)}")
        except AcpError as error:
            LOG.error("Prompt failed: %s", error)


async def main(argv: list[str]) -> int:
    logging.basicConfig(level=logging.INFO)
    if len(argv) < 2:
        print("Usage: python client.py AGENT_PROGRAM [ARGS...]", file=sys.stderr)
        return 2
    command = argv[1:]
    if Path(command[0]).exists() and not os.access(command[0], os.X_OK):
        command.insert(0, sys.executable)
    client = ExampleClient(
        info=types.Implementation(
            name="example-client", title="Example Client", version="0.1.0"
        )
    )
    async with spawn_agent(client, *command) as agent:
        await interactive_loop(await agent.new_session(os.getcwd()))
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main(sys.argv)))
