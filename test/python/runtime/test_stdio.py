"""Standard output while the event loop, the threads or the peer are busy, and the ends of agents."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
import unittest
from collections.abc import Iterator
from typing import Any

AGENT = """
import asyncio, concurrent.futures, sys, time
from acp_bindings import serve
from acp_bindings.v1 import Agent, types

class Example(Agent):
    async def session_new(self, params, context):
        return types.NewSessionResponse(session_id="1")

    async def session_prompt(self, params, context):
        await getattr(self, params.prompt[0].text)(context.session)
        return types.PromptResponse(stop_reason="end_turn")

    async def stream(self, session):
        for number in range(50):
            time.sleep(0.1)
            await session.text(str(number))

    async def flood(self, session):
        while True:
            await session.text("x" * 10_000)

    async def threads(self, session):
        loop = asyncio.get_running_loop()
        asking = lambda: asyncio.run_coroutine_threadsafe(self.ask(session), loop).result()
        await asyncio.gather(*(asyncio.to_thread(asking) for _ in range(30)))

    async def ask(self, session):
        async with session.tool_call("tool") as call:
            await call.ask("May I?")

    async def pool(self, session):
        loop = asyncio.get_running_loop()
        loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(1))
        sleeping = asyncio.create_task(asyncio.to_thread(time.sleep, 30))
        await session.text("busy")
        await sleeping

    async def exit(self, session):
        await session.text("x" * 200_000)
        await session.text("last")
        sys.exit(3)

asyncio.run(serve(Example(info=types.Implementation(name="a", version="1"))))
"""


class Example:
    """An agent as a process, seen from the other end of its pipes."""

    def __init__(self, *, input_file: Any = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", AGENT],
            stdin=input_file,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, method: str, params: object, **more: object) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def prompt(self, text: str) -> None:
        """Starts a prompt in a new session."""
        self.send("initialize", {"protocolVersion": 1}, id=1)
        self.send("session/new", {"cwd": "/", "mcpServers": []}, id=2)
        prompt = [{"type": "text", "text": text}]
        self.receive_answer(2)
        self.send("session/prompt", {"sessionId": "1", "prompt": prompt}, id=3)

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def receive_answer(self, request_id: int) -> Any:
        while (message := self.receive()).get("id") != request_id:
            pass
        return message["result"]

    def end(self) -> tuple[int, str]:
        """Waits for the end. Returns the exit code and standard error."""
        assert self.process.stderr is not None
        code = self.process.wait(30)
        return code, self.process.stderr.read().decode()


@contextlib.contextmanager
def agent(prompt: str = "") -> Iterator[Example]:
    example = Example()
    try:
        if prompt:
            example.prompt(prompt)
        yield example
    finally:
        example.process.kill()
        example.process.wait()
        for file in (
            example.process.stdin,
            example.process.stdout,
            example.process.stderr,
        ):
            with contextlib.suppress(OSError):
                if file is not None:
                    file.close()


class Output(unittest.TestCase):
    def test_a_handler_that_never_waits_streams_and_is_cancelled(self) -> None:
        with agent("stream") as example:
            example.receive()
            example.send("session/cancel", {"sessionId": "1"})
            updates = 1
            while "id" not in (message := example.receive()):
                updates += 1
            self.assertEqual(message["result"]["stopReason"], "cancelled")
            self.assertLess(updates, 50)

    def test_thirty_threads_ask_for_permission(self) -> None:
        with agent("threads") as example:
            selected = {"outcome": {"outcome": "selected", "optionId": "allow"}}
            asked = 0
            while asked < 30:
                message = example.receive()
                if message.get("method") == "session/request_permission":
                    asked += 1
                    answer = {"jsonrpc": "2.0", "id": message["id"], "result": selected}
                    assert example.process.stdin is not None
                    example.process.stdin.write(json.dumps(answer).encode() + b"\n")
                    example.process.stdin.flush()
            self.assertEqual(example.receive_answer(3)["stopReason"], "end_turn")

    def test_a_default_executor_without_free_threads_delays_nothing(self) -> None:
        with agent("pool") as example:
            example.receive()
            example.send("session/new", {"cwd": "/", "mcpServers": []}, id=4)
            self.assertEqual(example.receive()["id"], 4)

    def test_the_exit_of_a_handler_loses_nothing(self) -> None:
        with agent("exit") as example:
            time.sleep(0.5)
            self.assertIn("xxx", str(example.receive()))
            self.assertIn("last", str(example.receive()))
            code, errors = example.end()
            self.assertEqual(code, 3)
            self.assertNotIn("shutdown", errors)


class Ends(unittest.TestCase):
    def test_output_that_is_not_read_does_not_delay_the_end_of_the_input(self) -> None:
        with agent("flood") as example:
            assert example.process.stdin is not None
            time.sleep(0.3)
            example.process.stdin.close()
            self.assertEqual(example.end()[0], 0)

    @unittest.skipIf(sys.platform == "win32", "needs signals")
    def test_two_interrupts_end_it_although_no_output_is_read(self) -> None:
        with agent("flood") as example:
            time.sleep(0.3)
            for _ in range(2):
                example.process.send_signal(signal.SIGINT)
                time.sleep(0.2)
            self.assertNotEqual(example.end()[0], 0)

    @unittest.skipIf(sys.platform == "win32", "needs a shell")
    def test_closed_standard_input_is_the_end(self) -> None:
        for closed in ("<&-", ">&-", "<&- >&-"):
            ended = subprocess.run(
                ["sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, AGENT],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=20,
            )
            self.assertEqual((ended.returncode, ended.stderr), (0, b""), closed)
