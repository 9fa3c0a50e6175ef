"""A backend of sessions for tests in TypeScript, which reads calls and prints results as lines.

python3 session_backend.py memory, or a folder for the backend of files.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from acp_bindings import (
    AcpError,
    FileSessions,
    MemorySessions,
    RpcError,
    SessionBackend,
    StoredSession,
)

PLACE = sys.argv[1]
BACKEND: SessionBackend = MemorySessions() if PLACE == "memory" else FileSessions(PLACE)


async def answer(line: str) -> None:
    call = json.loads(line)
    try:
        answered = {"result": await run(call["do"], *call["given"])}
    except AcpError as error:
        kind = type(error).__name__
        code = {"code": error.code} if isinstance(error, RpcError) else {}
        answered = {"error": {"type": kind, "text": str(error), **code}}
    print(json.dumps({"id": call["id"], **answered}), flush=True)


async def run(do: str, principal: str, *given: Any) -> Any:
    if do == "list":
        return await BACKEND.list(principal, *given)
    session_id, *rest = given
    if do == "delete":
        return await BACKEND.delete(principal, session_id)
    if do == "save":
        found, revision = rest
        facts = found["cwd"], found.get("title"), found["updatedAt"], found["state"]
        session = StoredSession(*facts, found.get("prompts", {}))
        return await BACKEND.save(principal, session_id, session, revision)
    loaded = await BACKEND.load(principal, session_id)
    if loaded is None:
        return None
    session, revision = loaded
    title = {} if session.title is None else {"title": session.title}
    facts = {"cwd": session.cwd, "updatedAt": session.updated_at, **title}
    prompts = {"prompts": session.prompts} if session.prompts else {}
    return {**facts, **prompts, "state": session.state, "revision": revision}


async def main() -> None:
    loop = asyncio.get_running_loop()
    running: set[asyncio.Task[None]] = set()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        task = asyncio.ensure_future(answer(line))
        running.add(task)
        task.add_done_callback(running.discard)


asyncio.run(main())
