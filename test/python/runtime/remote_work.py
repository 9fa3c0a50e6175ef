"""An agent and a client for tests of remote transports.

python3 remote_work.py serve <options>: serves the agent, as start-server.ts says. python3
remote_work.py take <url> <work>: takes a turn, and prints what came. python3 remote_work.py
relay <url> <options>: connects standard input and output, as start-client.ts says.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from typing import Any

from acp_bindings import connect, serve
from acp_bindings.remote import HttpApp, HttpStream
from acp_bindings.v1 import Agent, Client, types

INFO = types.Implementation(name="test", version="1.0.0")


class Worker(Agent):
    """Does what a prompt asks for, and replays 200 chunks when a session is loaded."""

    def __init__(self) -> None:
        super().__init__(info=INFO)
        self.count = 0

    def on_error(self, error: BaseException, method: str | None) -> None:
        pass

    async def session_new(self, params: Any, context: Any) -> Any:
        self.count += 1
        session_id = f"s{self.count}"
        update = types.SessionUpdateSessionInfoUpdate(title="early")
        early = types.SessionNotification(session_id=session_id, update=update)
        await context.peer.session_update(early)
        return types.NewSessionResponse(session_id=session_id)

    async def session_load(self, params: Any, context: Any) -> Any:
        for index in range(200):
            await context.session.text(f"{index}")
        return types.LoadSessionResponse()

    async def session_prompt(self, params: Any, context: Any) -> Any:
        work = json.loads(params.prompt[0].text)
        length = work.get("length", 0)
        chunks, questions = work.get("chunks", 0), work.get("questions", 0)
        for index in range(max(chunks, questions)):
            if index < chunks:
                await context.session.text(f"{index}".ljust(length))
            if index < questions:
                await context.peer.session_request_permission(
                    question(params.session_id, f"{index}")
                )
            if "pause" in work:
                await asyncio.sleep(work["pause"] / 1000)
        return types.PromptResponse(stop_reason="end_turn")


def question(session_id: str, call_id: str) -> types.RequestPermissionRequest:
    option = types.PermissionOption(option_id="yes", name="Yes", kind="allow_once")
    return types.RequestPermissionRequest(
        session_id=session_id,
        tool_call=types.ToolCallUpdate(tool_call_id=call_id),
        options=[option],
    )


class Editor(Client):
    """Keeps what it has received."""

    def __init__(self) -> None:
        super().__init__(info=INFO)
        self.texts: list[str] = []
        self.questions: list[str] = []

    def on_error(self, error: BaseException, method: str | None) -> None:
        pass

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        self.questions.append(params.tool_call.tool_call_id)
        outcome = types.RequestPermissionOutcomeSelected(option_id="yes")
        return types.RequestPermissionResponse(outcome=outcome)

    async def session_update(self, params: Any, context: Any) -> None:
        update = params.update
        if isinstance(update, types.SessionUpdateSessionInfoUpdate):
            self.texts.append(str(update.title))
        if isinstance(update, types.SessionUpdateAgentMessageChunk):
            self.texts.append(str(getattr(update.content, "text", "")))


async def new_session(agent: Any) -> str:
    request = types.NewSessionRequest(cwd="/", mcp_servers=[])
    return str((await agent.session_new(request)).session_id)


async def work(agent: Any, session_id: str, **given: int) -> Any:
    """Takes a turn: `chunks`, `questions`, and a `pause` after each in milliseconds."""
    block = types.TextContent(text=json.dumps(given))
    prompt = types.PromptRequest(session_id=session_id, prompt=[block])
    return await agent.session_prompt(prompt)


class Served:
    """A server on a port of this machine."""

    def __init__(self, app: HttpApp, port: int, server: Any) -> None:
        self.app = app
        self.server = server
        self.url = f"http://127.0.0.1:{port}/acp"
        self.socket_url = f"ws://127.0.0.1:{port}/acp"
        self.port = port


@contextlib.asynccontextmanager
async def served(app: HttpApp, around: Any = None) -> AsyncGenerator[Served, None]:
    """Serves an application with uvicorn; `around` is the one that has it at a path."""
    import uvicorn

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    config = uvicorn.Config(around or app, log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    # The runner of the tests has signal handlers of its own.
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign]
    running = asyncio.ensure_future(server.serve([listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield Served(app, listening.getsockname()[1], server)
    finally:
        await app.drain(0)
        server.should_exit = server.force_exit = True
        await running


def working_app(
    changed: Callable[[str], object] = lambda _: None, **options: Any
) -> HttpApp:
    """Returns a server of workers; `changed` is called when a connection begins and ends."""

    async def serve_one(stream: Any) -> None:
        changed("opened")
        try:
            await serve(Worker(), stream)
        finally:
            changed("ended")

    return HttpApp(serve_one, **options)


OPTIONS: dict[str, tuple[str, Any]] = {
    "allowedOrigins": (
        "allowed_origins",
        lambda given: "*" if given == ["*"] else given,
    ),
    "allowedHosts": ("allowed_hosts", list),
    "maxMessageBytes": ("max_message_bytes", int),
    "maxConnections": ("max_connections", int),
    "maxBufferedBytes": ("max_buffered_bytes", int),
    "idleMs": ("idle_timeout", lambda given: given / 1000),
    "keepAliveMs": ("keep_alive", lambda given: given / 1000),
}


def say(text: object) -> None:
    print(text, flush=True)


def fail(_: object) -> Any:
    raise ValueError("secret")


def token_of(request: Any) -> str | None:
    token = request.headers.get("authorization")
    return None if token is None else token.removeprefix("Bearer").strip()


async def ignore(stream: Any) -> None:
    say("opened")
    while await stream.read():
        pass
    say("ended")


async def serve_workers(given: dict[str, Any]) -> None:
    agent, authenticate = given.pop("agent", None), given.pop("authenticate", None)
    named = [(*OPTIONS[name], one) for name, one in given.items()]
    options = {name: convert(one) for name, convert, one in named}
    if authenticate is not None:
        options["authenticate"] = fail if authenticate == "fails" else token_of
    options.update(challenge="Bearer x", on_error=lambda _: say("error"))
    if agent is None:
        app = working_app(say, **options)
    else:
        app = HttpApp(fail if agent == "fails" else ignore, **options)
    loop = asyncio.get_running_loop()
    async with served(app) as server:
        say(server.port)
        drains: set[asyncio.Task[None]] = set()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            drains.add(asyncio.ensure_future(drain(app, int(line) / 1000)))


async def drain(app: HttpApp, max_time: float) -> None:
    await app.drain(max_time)
    say("drained")


async def take_turn(url: str, given: dict[str, int]) -> None:
    editor = Editor()
    async with connect(editor, HttpStream(url)) as agent:
        session_id = await new_session(agent)
        editor.texts.clear()
        turn = await work(agent, session_id, **given)
    found = {"texts": editor.texts, "questions": editor.questions}
    print(json.dumps({"stopReason": turn.stop_reason, **found}))


async def relay(url: str, given: dict[str, int]) -> None:
    stream = HttpStream(
        url,
        reconnect=given.get("reconnectMs", 30_000) / 1000,
        max_silence=given.get("maxSilenceMs", 60_000) / 1000,
        max_message_bytes=given.get("maxMessageBytes", 2**25),
    )
    receiving = asyncio.ensure_future(receive(stream))
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        stream.write(line.encode())
    await stream.close()
    await receiving


async def receive(stream: HttpStream) -> None:
    reason = ""
    try:
        while data := await stream.read():
            print(data.decode(), end="", flush=True)
    except Exception as error:
        reason = str(error)
    say(f"end {reason}")


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve_workers(json.loads(sys.argv[2])))
    elif sys.argv[1] == "relay":
        asyncio.run(relay(sys.argv[2], json.loads(sys.argv[3])))
    else:
        asyncio.run(take_turn(sys.argv[2], json.loads(sys.argv[3])))
