"""Lines that are no messages, such as the log of an agent that prints."""

from __future__ import annotations

from .errors import AcpError
from .receiver import Receiver
from .stream import LongLine

_SHOWN = 200
"""How much of a line a report repeats, in characters."""


class ConnectionStats:
    """What a connection has received that it could not use."""

    def __init__(self) -> None:
        self.malformed = 0
        """Lines and values that are no messages, and lines that are too long."""
        self.ignored = 0
        """Responses that no call waits for."""

    def __repr__(self) -> str:
        return f"ConnectionStats(malformed={self.malformed}, ignored={self.ignored})"


class Noise:
    """Counts and reports the lines of a connection that cannot be read."""

    def __init__(self, receiver: Receiver, stats: ConnectionStats) -> None:
        self._receiver = receiver
        self._stats = stats
        self._is_reported = False

    def receive(self, line: bytes, error: Exception | None = None) -> None:
        """Counts a line that is not JSON, or not a message. The first one is reported."""
        self._stats.malformed += 1
        if not self._is_reported:
            self._is_reported = True
            found = "a message" if error is None else "JSON"
            reason = "" if error is None else f" ({error})"
            text = f"received a line that is not {found}: {_shorten(line)}{reason}"
            text += "; further ones are only counted"
            self._receiver.report(AcpError(text), None)

    def receive_long(self, line: LongLine) -> None:
        """Counts and reports a line that was skipped because of its length."""
        self._stats.malformed += 1
        text = "a line was longer than the limit and was skipped: "
        self._receiver.report(AcpError(text + _shorten(line.head)), None)


def _shorten(line: bytes) -> str:
    text = line[: 4 * _SHOWN].decode("utf-8", "replace")
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
