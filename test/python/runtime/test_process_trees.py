"""The processes of a client: what they inherit, and how they end together with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from typing import Any, cast

from acp_bindings import spawn
from acp_bindings._runtime.stdio.process_tree import ProcessTree

STUBBORN = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
os.write(1, b"%d %d\\n" % (os.getpid(), child.pid))
time.sleep(60)
"""
"""An agent that ignores the end of its input, with a child process."""

CLIENT = f"""
import asyncio, os, signal, sys, threading
from acp_bindings import spawn

async def main():
    async with spawn(sys.executable, "-c", {STUBBORN!r}) as stream:
        print((await stream.read()).decode(), end="", flush=True)
        exec(sys.argv[1])
        await asyncio.sleep(60)

asyncio.run(main())
"""


def is_running(pid: int) -> bool:
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True
    )
    return shown.stdout.strip() != "" and not shown.stdout.startswith("Z")


@unittest.skipIf(sys.platform == "win32", "needs signals")
class EndOfTheClient(unittest.TestCase):
    def run_client(self, end: str, number: int | None = None) -> int:
        """Starts a client, ends it, and returns its exit code when its agent has ended."""
        client = subprocess.Popen(
            [sys.executable, "-c", CLIENT, end],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert client.stdout is not None
        pids = [int(pid) for pid in client.stdout.readline().split()]
        self.assertEqual(len(pids), 2)
        if number is not None:
            client.send_signal(number)
        try:
            code = client.wait(30)
            client.stdout.close()
            for _ in range(400):
                if not any(map(is_running, pids)):
                    break
                time.sleep(0.05)
            self.assertEqual([pid for pid in pids if is_running(pid)], [], end)
            return code
        finally:
            for pid in (client.pid, *pids):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def test_by_a_signal_ends_the_agent_with_its_child(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(self.run_client("", number), -number)

    def test_without_the_end_of_the_block_ends_the_agent_with_its_child(self) -> None:
        ending = "loop = asyncio.get_running_loop(); loop.stop()"
        self.assertEqual(self.run_client(ending), 1)

    def test_by_a_handler_of_the_program_is_what_that_decides(self) -> None:
        ending = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        ending += "os.kill(os.getpid(), signal.SIGTERM)"
        self.assertEqual(self.run_client(ending), 7)

    def test_of_another_process_that_it_has_forked_ends_nothing(self) -> None:
        fork = """
child = os.fork()
if child == 0:
    os.kill(os.getpid(), signal.SIGTERM)
os.waitpid(child, 0)
import time; time.sleep(0.3)
os.kill(os.getpid(), signal.SIGTERM)
"""
        self.assertEqual(self.run_client(fork), -signal.SIGTERM)


class Groups(unittest.IsolatedAsyncioTestCase):
    @unittest.skipIf(sys.platform == "win32", "needs process groups")
    async def test_a_group_gets_no_signal_after_its_end(self) -> None:
        sent: list[int] = []

        def send(_pid: int, number: int) -> bool:
            sent.append(number)
            return number != 0 or len(sent) < 4

        process = subprocess.Popen([sys.executable, "-c", ""])
        tree = ProcessTree(process, send)
        await asyncio.wait_for(tree.ended.wait(), 10)
        before = list(sent)
        self.assertFalse(tree.signal(signal.SIGKILL))
        self.assertEqual(before, [signal.SIGTERM, 0, 0, 0])
        self.assertEqual(sent, before)

    @unittest.skipIf(sys.platform == "win32", "needs signals")
    async def test_a_child_that_ignores_a_signal_ends_with_the_block(self) -> None:
        program = """
import os, signal, subprocess, sys
ignore = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
child = subprocess.Popen(
    [sys.executable, "-c", ignore + "print(1, flush=True); time.sleep(60)"],
    stdout=subprocess.PIPE,
)
child.stdout.readline()
print(child.pid, flush=True)
"""
        async with spawn(sys.executable, "-c", program, grace=0.2) as stream:
            pid = int(await stream.read())
        await asyncio.sleep(0.1)
        self.assertFalse(is_running(pid))


class Environments(unittest.IsolatedAsyncioTestCase):
    async def report(self, **options: Any) -> Any:
        program = "import json, os; print(json.dumps(dict(os.environ)))"
        async with spawn(sys.executable, "-c", program, **options) as stream:
            return json.loads(await stream.read())

    async def test_variables_are_added_or_are_all(self) -> None:
        env = cast("dict[str, str | None]", {"A": "1", "HOME": None})
        added = await self.report(env=env)
        self.assertEqual(added["A"], "1")
        self.assertEqual(added["PATH"], os.environ["PATH"])
        self.assertNotIn("HOME", added)
        alone = await self.report(env=env, inherit_env=False)
        self.assertEqual(alone["A"], "1")
        self.assertNotIn("PATH", alone)
