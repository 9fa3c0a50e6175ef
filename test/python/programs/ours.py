"""Plays one side of a conversation of version 1 on the generated package.

python3 ours.py agent, or python3 ours.py client <command of the agent>, with the values to
send as JSON in the file DATA; what arrived is written to the file REPORT.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from acp_bindings import serve, spawn_agent
from acp_bindings.v1 import Agent, Client, schemas, types
from acp_bindings.v1._methods import METHODS

with open(os.environ["DATA"], encoding="utf-8") as file:
    DATA: dict[str, Any] = json.load(file)
REPORT: dict[str, Any] = {"received": [], "results": {}}

INFO = types.Implementation(name="ours", version="1.0.0")


def schema(definition: str) -> Any:
    return getattr(schemas, definition)


def sample(definition: str) -> Any:
    return schema(definition).parse(DATA["samples"][definition])


def handler(method: Any) -> Any:
    async def handle(_self: Any, params: Any, _context: Any) -> Any:
        value = schema(method.params).to_json(params)
        REPORT["received"].append([method.name, value])
        return sample(method.result) if method.result else None

    return handle


def handlers(side: str) -> dict[str, Any]:
    """Returns a handler for each method, also for those that the other side lacks."""
    return {
        method.handler: handler(method)
        for method in METHODS
        if method.side == side and method.name != "initialize"
    }


async def call_all(peer: Any, side: str) -> None:
    """Calls every method of a side with its sample, and keeps the results."""
    left_out = {"initialize", "session/update", "session/cancel", *DATA["leftOut"]}
    for method in METHODS:
        if method.side != side or method.name in left_out:
            continue
        result = await getattr(peer, method.handler)(sample(method.params))
        if method.result:
            REPORT["results"][method.name] = schema(method.result).to_json(result)


async def prompt(_self: Any, params: Any, context: Any) -> Any:
    REPORT["received"].append(["session/prompt", schemas.PromptRequest.to_json(params)])
    for update in DATA["updates"]:
        notification = {"sessionId": params.session_id, "update": update}
        await context.peer.session_update(
            schemas.SessionNotification.parse(notification)
        )
    await call_all(context.peer, "client")
    return sample("PromptResponse")


async def run_agent() -> None:
    capabilities = schemas.AgentCapabilities.parse(DATA["agentCapabilities"])
    members = {**handlers("agent"), "session_prompt": prompt}
    kind = type("Everything", (Agent,), members)
    await serve(kind(info=INFO, capabilities=capabilities, auth_methods=DATA_AUTH))


async def run_client(command: list[str]) -> None:
    capabilities = schemas.ClientCapabilities.parse(DATA["clientCapabilities"])
    kind = type("Everything", (Client,), handlers("client"))
    client = kind(info=INFO, capabilities=capabilities)
    async with spawn_agent(client, *command) as agent:
        await call_all(agent, "agent")


DATA_AUTH = schemas.InitializeResponse.parse(
    DATA["samples"]["InitializeResponse"]
).auth_methods

if __name__ == "__main__":
    if sys.argv[1] == "agent":
        asyncio.run(run_agent())
    else:
        asyncio.run(run_client(sys.argv[2:]))
    with open(os.environ["REPORT"], "w", encoding="utf-8") as file:
        json.dump(REPORT, file)
