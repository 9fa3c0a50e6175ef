"""Waits that end after a time."""

from __future__ import annotations

import asyncio
import unittest
from pathlib import Path

import acp_bindings
from acp_bindings._runtime.rpc.patience import Patience, within


class Waits(unittest.IsolatedAsyncioTestCase):
    async def test_a_cancellation_that_comes_with_the_result_is_not_lost(self) -> None:
        for turns in range(3):
            work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            waiting = asyncio.ensure_future(within(5, work))
            await asyncio.sleep(0)
            work.set_result(None)
            for _ in range(turns):
                await asyncio.sleep(0)
            is_ended = waiting.done()
            waiting.cancel()
            await asyncio.wait((waiting,))
            self.assertNotEqual(waiting.cancelled(), is_ended, turns)

    async def test_work_that_takes_too_long_is_cancelled(self) -> None:
        work = asyncio.ensure_future(asyncio.sleep(60))
        with self.assertRaisesRegex(TimeoutError, "within 0.01 s"):
            await within(0.01, work)
        self.assertTrue(work.cancelled())

    async def test_work_that_others_cancel_does_not_cancel_who_waits(self) -> None:
        work = asyncio.ensure_future(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(work.cancel)
        with self.assertRaisesRegex(TimeoutError, "cancelled"):
            await within(None, work)

    async def test_a_pause_does_not_count(self) -> None:
        patience = Patience(0.05)

        async def pause() -> str:
            patience.pause()
            await asyncio.sleep(0.2)
            patience.renew()
            await asyncio.sleep(0.01)
            return "done"

        self.assertEqual(await patience.wait_for(pause()), "done")

    def test_nothing_uses_a_wait_that_loses_cancellations(self) -> None:
        files = [*Path(acp_bindings.__file__).parent.rglob("*.py")]
        self.assertGreater(len(files), 100)
        users = [file.name for file in files if "asyncio.wait_for(" in file.read_text()]
        self.assertEqual(users, [])
