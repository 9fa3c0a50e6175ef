"""A proxy before the agent in `coder.py`: it changes prompts, and records the messages.

RECORD=<file of the transcript> guard.py
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from acp_bindings import create_recorder, serve_proxy, spawn, tap
from acp_bindings.v1 import Proxy, ProxyContext, types


class Guard(Proxy):
    async def session_prompt(
        self,
        params: types.PromptRequest,
        context: ProxyContext[types.PromptRequest, types.PromptResponse],
    ) -> types.PromptResponse:
        if len(params.prompt) == 1:
            [block] = params.prompt
            if isinstance(block, types.TextContent) and block.text == "Tidy up":
                params.prompt.append(types.ContentBlockText(text="Be brief."))
        response = await context.forward(params)
        note = types.ContentBlockText(text=" [guarded]")
        await context.client.session_update(
            types.SessionNotification(
                session_id=params.session_id,
                update=types.SessionUpdateAgentMessageChunk(content=note),
            )
        )
        return response

    def change_initialize(
        self, response: types.InitializeResponse, request: types.InitializeRequest
    ) -> types.InitializeResponse:
        if response.agent_info:
            response.agent_info.name = f"guarded {response.agent_info.name}"
        return response


async def main() -> None:
    lines: list[str] = []
    coder = Path(__file__).with_name("coder.py")
    async with spawn(sys.executable, str(coder)) as agent:
        await serve_proxy(Guard(), tap(agent, create_recorder("client", lines.append)))
    Path(os.environ["RECORD"]).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
