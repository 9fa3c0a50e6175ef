"""Plays one side of a conversation of version 1 on the official package; see ours.py."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import acp
from acp import schema

with open(os.environ["DATA"], encoding="utf-8") as file:
    DATA: dict[str, Any] = json.load(file)
REPORT: dict[str, Any] = {"received": [], "results": {}}


def dump(value: Any) -> Any:
    if isinstance(value, list):
        return [dump(one) for one in value]
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return value


def arguments(definition: Any) -> dict[str, Any]:
    """Returns the sample of a request as the keyword arguments that the package takes."""
    model = definition.model_validate(DATA["samples"][definition.__name__])
    found = {name: getattr(model, name) for name in type(model).model_fields}
    return {name: value for name, value in found.items() if name != "field_meta"}


def keep(method: str, values: dict[str, Any]) -> None:
    found = {name: dump(value) for name, value in values.items() if value is not None}
    REPORT["received"].append([method, found])


def handler(method: str, response: Any) -> Any:
    async def handle(_self: Any, **values: Any) -> Any:
        keep(method, values)
        if response is not None:
            return response.model_validate(DATA["samples"][response.__name__])
        return None

    return handle


AGENT: dict[str, tuple[Any, Any]] = {
    "authenticate": (schema.AuthenticateRequest, schema.AuthenticateResponse),
    "new_session": (schema.NewSessionRequest, schema.NewSessionResponse),
    "load_session": (schema.LoadSessionRequest, schema.LoadSessionResponse),
    "list_sessions": (schema.ListSessionsRequest, schema.ListSessionsResponse),
    "resume_session": (schema.ResumeSessionRequest, schema.ResumeSessionResponse),
    "close_session": (schema.CloseSessionRequest, schema.CloseSessionResponse),
    "set_session_mode": (schema.SetSessionModeRequest, schema.SetSessionModeResponse),
}
CLIENT: dict[str, tuple[Any, Any]] = {
    "request_permission": (
        schema.RequestPermissionRequest,
        schema.RequestPermissionResponse,
    ),
    "write_text_file": (schema.WriteTextFileRequest, schema.WriteTextFileResponse),
    "read_text_file": (schema.ReadTextFileRequest, schema.ReadTextFileResponse),
    "create_terminal": (schema.CreateTerminalRequest, schema.CreateTerminalResponse),
    "terminal_output": (schema.TerminalOutputRequest, schema.TerminalOutputResponse),
    "release_terminal": (schema.ReleaseTerminalRequest, schema.ReleaseTerminalResponse),
    "wait_for_terminal_exit": (
        schema.WaitForTerminalExitRequest,
        schema.WaitForTerminalExitResponse,
    ),
    "kill_terminal": (schema.KillTerminalRequest, schema.KillTerminalResponse),
}


async def call_all(peer: Any, methods: dict[str, tuple[Any, Any]]) -> None:
    for name, (request, _) in methods.items():
        result = await getattr(peer, name)(**arguments(request))
        REPORT["results"][name] = dump(result)


def handlers(methods: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    return {name: handler(name, response) for name, (_, response) in methods.items()}


class Sides:
    async def initialize(self, **values: Any) -> Any:
        keep("initialize", values)
        return schema.InitializeResponse.model_validate(
            DATA["samples"]["InitializeResponse"]
        )

    def on_connect(self, connection: Any) -> None:
        self.peer = connection

    async def prompt(self, session_id: str, prompt: Any, **_: Any) -> Any:
        keep("prompt", {"session_id": session_id, "prompt": prompt})
        for update in DATA["updates"]:
            value = {"sessionId": session_id, "update": update}
            notification = schema.SessionNotification.model_validate(value)
            await self.peer.session_update(session_id, notification.update)
        await call_all(self.peer, CLIENT)
        return schema.PromptResponse.model_validate(DATA["samples"]["PromptResponse"])

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        keep("session_update", {"session_id": session_id, "update": update})


async def run_client(command: list[str]) -> None:
    client = type("Everything", (Sides,), handlers(CLIENT))()
    async with acp.spawn_agent_process(
        client, *command, env=dict(os.environ), use_unstable_protocol=True
    ) as (agent, _process):
        await agent.initialize(**arguments(schema.InitializeRequest))
        await call_all(agent, AGENT)
        await call_all(agent, {"prompt": (schema.PromptRequest, schema.PromptResponse)})


if __name__ == "__main__":
    if sys.argv[1] == "agent":
        agent = type("Everything", (Sides,), handlers(AGENT))()
        asyncio.run(acp.run_agent(agent, use_unstable_protocol=True))
    else:
        asyncio.run(run_client(sys.argv[2:]))
    with open(os.environ["REPORT"], "w", encoding="utf-8") as file:
        json.dump(REPORT, file)
