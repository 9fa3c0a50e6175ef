"""Input that is not a message, such as the log of an agent that prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from .. import sentences
from ..json_text import parse_json
from ..json_values import OBJECT
from .errors import AcpError, ErrorCode, RpcError
from .inbound import error_response
from .stream import LongLine

if TYPE_CHECKING:
    from .long_lines import LineHead
    from .messages import Incoming, MessageId

_SHOWN = 200
"""How much of a line a report repeats, in characters."""
_MOST_TRIED = 8
"""How many objects in a line are tried, since each costs reading the rest of the line."""


class ConnectionStats:
    """What a connection has received that it could not use."""

    def __init__(self) -> None:
        self.malformed = 0
        """Lines and values that are no messages, and lines that are too long."""
        self.ignored = 0
        """Responses that no call waits for."""

    def __repr__(self) -> str:
        return f"ConnectionStats(malformed={self.malformed}, ignored={self.ignored})"


class Calls(Protocol):
    """The calls that responses can answer."""

    def end_broken(self, own_id: MessageId, problem: str) -> bool:
        """Fails the call of a response that cannot be used; returns whether there is one."""
        ...

    def end_all_broken(self, problem: str) -> bool:
        """Fails all calls, since a response does not say which one it answers."""
        ...

    def ignore(self, own_id: MessageId, problem: str) -> None:
        """Counts and reports a response that no call waits for."""
        ...


class MalformedInput:
    """Counts, answers and reports input that is not a message."""

    def __init__(
        self,
        calls: Calls,
        stats: ConnectionStats,
        max_in_row: int,
        *,
        answers_noise: bool,
        answer: Callable[[dict[str, Any]], None],
        report: Callable[[AcpError], None],
    ) -> None:
        """`answers_noise`: whether noise is answered, and counts in the row."""
        self.in_row = 0
        """The malformed messages since the last message that was well-formed."""
        self._calls = calls
        self._stats = stats
        self._max_in_row = max_in_row
        self._answers_noise = answers_noise
        self._answer = answer
        self._report = report
        self._is_reported = False

    def receive_value(self, line: bytes, value: Any, incoming: Incoming) -> None:
        """Receives a JSON value that is not a message, or a response that is broken."""
        if incoming.kind == "broken":
            if "method" not in value and self._calls.end_broken(
                incoming.id, incoming.problem
            ):
                self.in_row = 0
                return
            if not self._is_noise(value):
                self.in_row = 0
                self._calls.ignore(incoming.id, incoming.problem)
                return
        self._report_first("a message", line)
        if self._is_noise(value):
            self._stats.malformed += 1
            return
        self._refuse(incoming.id, ErrorCode.INVALID_REQUEST, "Invalid request")
        self._add()

    def receive_line(self, line: bytes) -> bytes | None:
        """Receives a line that is not JSON. Returns the message behind noise, if there is one."""
        message = None if self._answers_noise else _message_in(line)
        if message is not None:
            self._report_first("JSON", line)
            self._stats.malformed += 1
            return message
        head = self._read_head(LongLine(line), sentences.line_is_not_json)
        if head is None:
            return None
        self._report_first("JSON", line)
        # The id of the answer to invalid JSON is null (JSON-RPC 2.0, section 5).
        own_id = None if self._answers_noise else head.id
        self._end_line(head, own_id, ErrorCode.PARSE_ERROR, "Parse error")
        return None

    def receive_long(self, line: LongLine) -> None:
        """Receives a line that was skipped because of its length."""
        head = self._read_head(line, sentences.line_was_skipped)
        if head is None:
            return
        self._report(AcpError(sentences.skipped_line(_shorten(line.head))))
        self._end_line(head, head.id, ErrorCode.INVALID_REQUEST, "Line too long")

    def _read_head(self, line: LongLine, problem: str) -> LineHead | None:
        """Returns the beginning of a line, unless it was the response to a call."""
        from .long_lines import read_head

        head = read_head(line)
        if head.is_response and (
            self._calls.end_broken(head.id, problem)
            if head.has_id
            else self._calls.end_all_broken(sentences.id_too_late(problem))
        ):
            self._add()
            return None
        return head

    def _is_noise(self, value: Any) -> bool:
        """Returns whether a value comes from a logger: it does not claim to be a message."""
        return not self._answers_noise and not _claims_to_be_message(value)

    def _end_line(
        self, head: LineHead, own_id: MessageId, code: ErrorCode, text: str
    ) -> None:
        if not self._answers_noise and not (head.is_call and head.has_id):
            self._stats.malformed += 1
            return
        if not head.is_response:
            self._refuse(own_id, code, text)
        self._add()

    def _report_first(self, missing: str, line: bytes) -> None:
        if not self._is_reported:
            self._is_reported = True
            self._report(AcpError(sentences.received_noise(missing, _shorten(line))))

    def _refuse(self, own_id: MessageId, code: ErrorCode, text: str) -> None:
        self._answer(error_response(own_id, RpcError(code, text)))

    def _add(self) -> None:
        self._stats.malformed += 1
        self.in_row += 1
        if self.in_row >= self._max_in_row:
            raise AcpError(sentences.malformed_in_row(str(self.in_row)))


def _message_in(line: bytes) -> bytes | None:
    """Returns the message behind other text on a line; None if there is none."""
    likely = line.find(b'{"jsonrpc"', 1)
    begins = [likely] if likely > 0 else []
    begin = 0
    while len(begins) <= _MOST_TRIED and (begin := line.find(b'{"', begin + 1)) > 0:
        begins.append(begin)
    for begin in begins:
        try:
            value: Any = parse_json(line[begin:])
        except (ValueError, RecursionError):
            continue
        if _claims_to_be_message(value):
            return line[begin:]
    return None


def _claims_to_be_message(value: Any) -> bool:
    return isinstance(value, OBJECT) and value.get("jsonrpc") == "2.0"


def _shorten(line: bytes) -> str:
    text = line[: 4 * _SHOWN].decode("utf-8", "replace")
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
