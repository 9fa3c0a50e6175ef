"""A connection over two file descriptors."""

from __future__ import annotations

from .input_reader import InputReader
from .output_writer import OutputWriter


class PipeStream:
    """Reads one file descriptor and writes to another, each in a thread of its own.

    Every event loop can do this on every platform. Both descriptors are closed at the end.
    """

    def __init__(self, source: int, sink: int) -> None:
        self.reader = InputReader(source, self._input_ended)
        self.writer = OutputWriter(sink, self._output_broken)
        self.write = self.writer.write
        self.drain = self.writer.drain

    @property
    def unsent(self) -> int:
        """The bytes that are queued and not written."""
        return self.writer.unsent

    async def read(self) -> bytes:
        """Waits for bytes; none at the end."""
        return await self.reader.read()

    async def close(self) -> None:
        """Ends both directions, after everything that was queued."""
        await self.writer.close()
        self.reader.end()

    def _input_ended(self) -> None:
        # A peer that has ended need not read, and the end must not wait for it.
        self.writer.release_senders()

    def _output_broken(self) -> None:
        """Ends the connection, because nobody reads the output any more."""
        self.reader.discard()
