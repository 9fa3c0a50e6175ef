"""The examples of the README, as readers run them."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import importlib.util
import inspect
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from acp_bindings import connect_in_memory

ROOT = Path(__file__).parents[3]
README = (ROOT / "out/python/README.md").read_text("utf-8")
STARTER = ROOT / "templates/starters/python/agent"


def examples(language: str = "python") -> dict[str, list[str]]:
    """Returns the examples by the title of their section."""
    found: dict[str, list[str]] = {}
    for section in README.split("\n## ")[1:]:
        blocks = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
        found[section.split("\n")[0]] = blocks
    return found


EXAMPLES = examples()
AGENT, CLIENT = EXAMPLES["An agent"][0], EXAMPLES["A client"][0]


def definitions(program: str) -> str:
    """Returns a program without the line that runs it."""
    return re.sub(r"^asyncio\.run\(.*\)$", "", program, flags=re.MULTILINE)


SHARED = f"""{definitions(AGENT)}
{definitions(CLIENT)}
INFO = types.Implementation(name="example", version="1.0.0")
"""


def namespace(**more: Any) -> dict[str, Any]:
    """Returns what the examples have in common."""
    names: dict[str, Any] = {"__name__": "readme", **more}
    exec(SHARED, names)  # noqa: S102
    return names


async def run_cell(code: str, names: dict[str, Any]) -> str:
    """Runs code as a notebook does. Returns what it prints."""
    whole = compile(code, "README.md", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        waiting = eval(whole, names)  # noqa: S307
        if inspect.iscoroutine(waiting):
            await waiting
    return out.getvalue()


@contextlib.contextmanager
def folder_with_agent() -> Any:
    """The working directory is a folder with `agent.py`, whose session has the id "1"."""
    agent = AGENT.replace("create(params.cwd)", 'create(params.cwd, "1")')
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "agent.py").write_text(agent, "utf-8")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


class Stream:
    """An SDK with a synchronous stream."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.sent = 0

    def stream(self) -> Any:
        for index in range(self.count):
            time.sleep(0.01)
            self.sent = index + 1
            yield f"{index} "


class Agents(unittest.IsolatedAsyncioTestCase):
    async def test_agents_with_a_blocking_sdk_stream_and_are_cancelled(self) -> None:
        for code in EXAMPLES["Blocking SDKs and threads"]:
            sdk = Stream(5)
            names = namespace(sdk=sdk)
            await run_cell(code, names)
            kind = names.get("Threaded") or names["Streaming"]
            client = names["Terminal"](info=names["INFO"])
            async with connect_in_memory(kind(info=names["INFO"]), client) as agent:
                session = await agent.new_session("/")
                updates = [update async for update in session.prompt("x")]
                self.assertEqual(len(updates), 5)
                sdk.count = 200
                turn = session.prompt("x")
                async for _ in turn:
                    await turn.cancel()
                self.assertEqual((await turn).stop_reason, "cancelled")
                await asyncio.sleep(0.1)
                self.assertLess(sdk.sent, 50)

    async def test_the_editor_edits_with_permission(self) -> None:
        names = namespace()
        await run_cell(EXAMPLES["Sessions of an agent"][0], names)
        from acp_bindings.v1.mocks import MockClient

        client = MockClient("all")
        async with connect_in_memory(names["Editor"](), client) as agent:
            session = await agent.new_session("/")
            self.assertEqual((await session.prompt("x")).stop_reason, "end_turn")
        (written,) = client.params_of("fs/write_text_file")
        self.assertTrue(written.content.endswith("A line\n"))

    async def test_the_tests_pass(self) -> None:
        names = namespace()
        await run_cell(EXAMPLES["Tests"][0], names)
        await names["test_my_client"]()
        await names["test_my_agent"]()


class Clients(unittest.IsolatedAsyncioTestCase):
    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncGenerator[dict[str, Any], None]:
        names = namespace()
        await run_cell(EXAMPLES["Methods by name"][1], names)

        class Both(names["Reviewer"], names["Echo"]):  # type: ignore[misc]
            async def session_list(self, params: Any, context: Any) -> Any:
                return names["types"].ListSessionsResponse(sessions=[])

        client = names["Terminal"](info=names["INFO"])
        async with connect_in_memory(Both(info=names["INFO"]), client) as agent:
            session = await agent.new_session("/")
            yield {**names, "agent": agent, "session": session}

    async def test_a_turn_is_iterated_and_awaited(self) -> None:
        async with self.connected() as names:
            shown = await run_cell(EXAMPLES["Sessions of a client"][0], names)
        self.assertTrue(shown.endswith("end_turn\n"), shown)

    async def test_methods_are_called_by_name(self) -> None:
        async with self.connected() as names:
            await run_cell(EXAMPLES["Methods by name"][0], names)

    async def test_a_line_is_decoded(self) -> None:
        content = {"type": "text", "text": "Hello"}
        update = {"sessionUpdate": "agent_message_chunk", "content": content}
        line = json.dumps({"sessionId": "s", "update": update})
        names = namespace(line=line)
        self.assertEqual(await run_cell(EXAMPLES["Values"][0], names), "Hello\n")


class Programs(unittest.IsolatedAsyncioTestCase):
    async def test_an_agent_serves_a_socket(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        server, client = [
            code.replace("4000", port)
            for code in EXAMPLES["Other transports and loops"]
        ]
        program = subprocess.Popen([sys.executable, "-c", SHARED + server])
        try:
            for _ in range(100):
                try:
                    shown = await run_cell(client, namespace())
                    break
                except ConnectionRefusedError:
                    await asyncio.sleep(0.05)
            self.assertEqual(shown, "end_turn\n")
        finally:
            program.kill()
            program.wait()

    def test_a_proxy_changes_prompts(self) -> None:
        calls = [
            ("initialize", {"protocolVersion": 1}),
            ("session/new", {"cwd": "/", "mcpServers": []}),
            ("session/prompt", {"sessionId": "1", "prompt": []}),
        ]
        lines = [
            json.dumps(
                {"jsonrpc": "2.0", "id": index, "method": name, "params": params}
            )
            for index, (name, params) in enumerate(calls)
        ]
        code = EXAMPLES["Logs, traces and proxies"][0].replace(
            "sys.stderr.write", "print"
        )
        with folder_with_agent():
            run = subprocess.run(
                [sys.executable, "-c", code],
                input="\n".join(lines) + "\n",
                capture_output=True,
                text=True,
                timeout=30,
                check=False,
            )
        self.assertIn("Be brief.", run.stdout)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_the_packaging_is_that_of_the_starter(self) -> None:
        (config,) = examples("json")["Packaging"]
        own = json.loads((STARTER / "acp-codegen.config.json").read_text("utf-8"))
        named = json.dumps(own).replace("echo_agent", "my_agent")
        self.assertEqual(json.loads(config), json.loads(named))
        (script,) = examples("toml")["Packaging"]
        project = (STARTER / "pyproject.toml").read_text("utf-8")
        named = project.replace("echo_agent", "my_agent")
        self.assertIn(script.replace("my-agent", "starter"), named)


class Notebooks(unittest.IsolatedAsyncioTestCase):
    async def test_cells_share_an_agent(self) -> None:
        (code,) = EXAMPLES["Notebooks"]
        with folder_with_agent():
            shown = await run_cell(code, namespace())
        self.assertIn("SessionUpdateAgentMessageChunk", shown)


REMOTE = ("httpx", "uvicorn", "websockets")


@unittest.skipUnless(all(map(importlib.util.find_spec, REMOTE)), f"needs {REMOTE}")
class Remote(unittest.TestCase):
    @contextlib.contextmanager
    def running(self, program: str) -> Any:
        """Runs a program with `port` as the port of its server, which ends by itself."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        code = program.replace("2**25", f"2**25, port={port}, log_level='error'")
        server = subprocess.Popen([sys.executable, "-c", code])
        try:
            for _ in range(200):
                with contextlib.suppress(ConnectionRefusedError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                time.sleep(0.05)
            yield str(port)
            server.terminate()
            self.assertIn(server.wait(30), (0, -signal.SIGTERM))
        finally:
            server.kill()
            server.wait()

    def test_a_server_has_clients_and_lets_their_turns_end(self) -> None:
        app, client, server = EXAMPLES["Remote agents"]
        with self.running(SHARED + app + server) as port:
            shown = asyncio.run(run_cell(client.replace("4000", port), namespace()))
        self.assertEqual(shown, "end_turn\n" * 2)

    def test_the_programs_of_the_manual_converse(self) -> None:
        text = (ROOT / "templates/site/guides/tool/remote.md").read_text("utf-8")
        app, client = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        server = EXAMPLES["Remote agents"][2]
        with self.running(app + server) as port:
            program = [sys.executable, "-c", client.replace("8000", port)]
            run = subprocess.run(program, capture_output=True, text=True, check=False)
        self.assertEqual((run.stdout, run.stderr), ("end_turn\n" * 2, ""))
