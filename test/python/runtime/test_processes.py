"""Agents as processes: their logs, their garbage, their ends; agents of two versions."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import sys
import time
import unittest
import warnings
from asyncio.subprocess import PIPE
from typing import Any

from acp_bindings import (
    AcpError,
    AgentSilentError,
    ConnectionClosedError,
    RpcError,
    connect,
    memory_streams,
    serve,
    spawn,
    spawn_agent,
)
from acp_bindings.v1 import Client
from acp_bindings.v1.mocks import MockAgent, MockClient
from acp_bindings.v2.mocks import MockAgent as MockAgent2
from acp_bindings.v2.mocks import MockClient as MockClient2

NOISY = """
import asyncio, sys
print("Welcome to my agent! " + "x" * 300)
print("loading")
print("to the log", file=sys.stderr)
sys.stderr.buffer.write(b"caf\\xe9\\r\\nlast")
sys.stdout.flush()
from acp_bindings import serve
from acp_bindings.v1.mocks import MockAgent
asyncio.run(serve(MockAgent()))
"""

AGENT = """
import asyncio
from acp_bindings import serve
from acp_bindings.v1.mocks import MockAgent
asyncio.run(serve(MockAgent()))
"""
HELLO = {"protocolVersion": 1}


class Editor(MockClient):
    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []

    def on_error(self, error: BaseException, method: str | None) -> None:
        self.errors.append(str(error))


class Processes(unittest.IsolatedAsyncioTestCase):
    def spawned(self, program: str, editor: Client, **more: Any) -> Any:
        return spawn_agent(editor, sys.executable, "-c", program, **more)

    async def test_an_agent_gets_time_while_it_writes_and_no_more(self) -> None:
        script = """
import sys, time
for step in range(6):
    print(f"step {step}", file=sys.stderr, flush=True)
    time.sleep(0.3)
time.sleep(60)
"""
        lines: list[str] = []
        program = (sys.executable, "-c", script)
        with self.assertRaisesRegex(AgentSilentError, "for 1 s; it wrote last: step 5"):
            async with spawn_agent(Editor(), *program, stderr=lines.append, silence=1):
                self.fail("it has not answered")
        self.assertEqual(len(lines), 6)
        async with spawn_agent(
            Editor(), sys.executable, "-c", AGENT, silence=20
        ) as agent:
            self.assertTrue((await agent.new_session("/")).id)

    async def test_a_silence_is_a_positive_number(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for silence in (-1, 0, float("nan"), "1", True):
                wrong: Any = silence
                with self.assertRaisesRegex(
                    ValueError, "^silence needs a positive number"
                ):
                    async with spawn_agent(
                        Editor(), sys.executable, "-c", AGENT, silence=wrong
                    ):
                        self.fail("it has no silence")
            gc.collect()
        never_awaited = [one for one in caught if "await" in str(one.message)]
        self.assertEqual(never_awaited, [])

    async def test_the_first_line_of_garbage_is_reported(self) -> None:
        editor = Editor()
        lines: list[str] = []
        async with self.spawned(NOISY, editor, stderr=lines.append) as agent:
            await agent.new_session("/")
            self.assertEqual(agent.stats.malformed, 2)
        [error] = editor.errors
        shown = "received a line that is not JSON: 'Welcome to my agent! xxx"
        self.assertTrue(error.startswith(shown), error)
        self.assertIn("…'; further", error)
        self.assertIn("further ones are only counted", error)
        self.assertEqual(lines, ["to the log", "caf\ufffd", "last"])

    async def test_an_agent_whose_log_function_fails_is_read(self) -> None:
        def fail(line: str) -> None:
            raise ValueError("a mistake of this side")

        loud = "import sys\nfor _ in range(3_000): print('x' * 100, file=sys.stderr)\n"
        with self.assertLogs("acp_bindings"):
            async with self.spawned(loud + AGENT, Editor(), stderr=fail, timeout=20):
                pass

    async def test_a_log_line_that_does_not_end_is_given_in_pieces(self) -> None:
        lines: list[str] = []
        endless = "import sys\nsys.stderr.write('x' * 200_000)\nsys.stderr.flush()\n"
        async with self.spawned(endless + AGENT, Editor(), stderr=lines.append):
            for _ in range(500):
                if lines:
                    break
                await asyncio.sleep(0.01)
            self.assertGreater(len(lines[0]), 60_000)

    async def test_the_end_of_a_process_is_the_reason_of_an_error(self) -> None:
        for program, reason in (
            ("", "initialize .*: the agent exited with code 0"),
            ("raise SystemExit(3)", "initialize .*: the agent exited with code 3"),
            (
                "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
                "the agent was ended by SIGKILL",
            ),
        ):
            with self.assertRaisesRegex(ConnectionClosedError, reason):
                async with self.spawned(program, Editor()):
                    pass

    @unittest.skipUnless(sys.platform == "linux", "needs real-time signals")
    async def test_a_signal_without_a_name_is_a_reason_as_well(self) -> None:
        program = "import os; os.kill(os.getpid(), 40)"
        with self.assertRaisesRegex(ConnectionClosedError, "was ended by signal 40"):
            async with self.spawned(program, Editor()):
                pass

    async def test_children_that_keep_the_pipes_open_do_not_delay_the_end(self) -> None:
        program = "import subprocess, sys\nsubprocess.Popen(['sleep', '60'])\n"
        program += "print('started', flush=True)\nsys.stdin.read()"

        async def run() -> None:
            arguments = (sys.executable, "-c", program)
            async with spawn(*arguments, grace=60, stderr=PIPE) as stream:
                await stream.read()

        await asyncio.wait_for(run(), 10)

    async def test_a_report_without_a_traceback_is_one_line(self) -> None:
        with self.assertLogs("acp_bindings", logging.WARNING) as logged:
            MockClient().on_error(ValueError("no"), None)
        self.assertEqual(logged.output, ["WARNING:acp_bindings:connection: no"])

    async def test_errors_that_a_peer_can_repeat_are_logged_a_few_times(self) -> None:
        editor = MockClient()
        with self.assertLogs("acp_bindings", logging.WARNING) as logged:
            for _ in range(100):
                editor.on_error(AcpError("malformed"), None)
            editor.on_error(ValueError("a mistake of this side"), None)
        self.assertEqual(len(logged.output), 22)
        self.assertIn("further errors", logged.output[20])
        self.assertIn("a mistake of this side", logged.output[21])

    async def test_a_flood_of_mistakes_stops_no_agent_with_an_unread_log(self) -> None:
        agent = await asyncio.create_subprocess_exec(
            sys.executable, "-c", NOISY, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=1
        )
        assert agent.stdin and agent.stdout
        hello = {"id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
        cancel = {"method": "session/cancel", "params": {"sessionId": 1}}
        for message in (hello, *[cancel] * 5000, {**hello, "id": 2}):
            line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
            agent.stdin.write(line.encode())
        answers = ""
        while '"id":2' not in answers:
            answers += (await asyncio.wait_for(agent.stdout.read(1000), 10)).decode()
        agent.stdin.close()
        await agent.communicate()


class Versions(unittest.IsolatedAsyncioTestCase):
    async def test_no_common_version_is_an_error(self) -> None:
        here, there = memory_streams()
        serving = asyncio.ensure_future(serve(MockAgent(), there))
        with self.assertRaisesRegex(
            RpcError, "the agent speaks version 1; the command acp-bridge"
        ):
            async with connect([MockClient2()], here):
                pass
        await asyncio.wait_for(serving, 5)

    async def test_what_comes_before_initialize_is_answered_as_well(self) -> None:
        here, there = memory_streams()
        serving = asyncio.ensure_future(serve([MockAgent(), MockAgent2()], there))
        early = {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {}}
        hello = {"protocolVersion": 7, "info": {"name": "x", "version": "1"}}
        initialize = {"method": "initialize", "params": hello, "id": 2}
        for message in (early, {"jsonrpc": "2.0", **initialize}):
            here.write(json.dumps(message).encode() + b"\n")
        answers: list[Any] = []
        while len(answers) < 2:
            answers += map(json.loads, (await here.read()).splitlines())
        self.assertEqual(answers[0]["error"]["message"], "initialize comes first")
        self.assertEqual(answers[1]["result"]["protocolVersion"], 2)
        await here.close()
        await serving

    async def test_an_agent_works_on_non_blocking_pipes(self) -> None:
        (source, to_agent), (from_agent, sink) = os.pipe(), os.pipe()
        for end in (source, sink):
            os.set_blocking(end, False)
        agent = await asyncio.create_subprocess_exec(
            sys.executable, "-c", AGENT, stdin=source, stdout=sink
        )
        os.close(source)
        os.close(sink)
        await asyncio.sleep(0.5)
        hello = {"id": "x" * 50_000, "method": "initialize", "params": HELLO}
        line = json.dumps({"jsonrpc": "2.0", **hello}) + "\n"

        def talk() -> int:
            with os.fdopen(to_agent, "w") as given, os.fdopen(from_agent) as answers:
                for _ in range(10):
                    given.write(line)
                    given.flush()
                given.close()
                time.sleep(0.5)
                return len(answers.readlines())

        talking = asyncio.to_thread(talk)
        self.assertEqual(await asyncio.wait_for(talking, 10), 10)
        self.assertEqual(await agent.wait(), 0)

    async def test_a_client_that_ends_at_once_ends_the_program(self) -> None:
        here, there = memory_streams()
        await here.close()
        await asyncio.wait_for(serve([MockAgent(), MockAgent2()], there), 5)
