"""The wire of the HTTP transport: names and rules that clients and servers share.

The page "Remote agents" of the manual documents it as tables. Without `EVENT_ORDER` and what it
announces, it is that of the protocol's proposal. Names of headers are in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..json_text import parse_json
from ..json_values import OBJECT
from ..rpc.stream import LINE_LIMIT

CONNECTION_ID = "acp-connection-id"
"""Names the connection; the answer to `initialize` has it, and every later request."""

SESSION_ID = "acp-session-id"
"""Names the session of a stream, or of the message in a request."""

EVENT_ORDER = "acp-event-order"
"""Announces, with the value `connection`, that the ids of events number all messages of the
connection across its streams, from 1 on. Without it, the ids of events are opaque."""

OF_CONNECTION = "connection"

MESSAGE_NUMBER = "acp-message-number"
"""Numbers the messages of a client behind `initialize` from 1 on, for servers that announce
`EVENT_ORDER`: a message that is sent again is taken once."""

LAST_EVENT_ID = "last-event-id"
"""Names the last event that the client has received from a stream that it opens again."""

NO_EVENT = "0"
"""The last event of a client that has received none."""

JSON_TYPE = "application/json"
EVENT_TYPE = "text/event-stream"

MAX_MESSAGE_BYTES = LINE_LIMIT
"""The longest accepted message by default."""

MAX_ID = 1024
"""The longest id in a header, in characters."""

_NUMBER = re.compile(r"\d{1,15}", re.ASCII)


def read_message(data: bytes) -> dict[str, Any]:
    """Returns the message of a line; without members when it is not an object."""
    try:
        value = parse_json(data)
    except ValueError:
        return {}
    return value if isinstance(value, OBJECT) else {}


def read_number(text: str | None) -> int | None:
    """Returns the number of an event or a message; None for any other text."""
    if text is None or _NUMBER.fullmatch(text) is None:
        return None
    return int(text)


def session_of(message: Mapping[str, Any]) -> str | None:
    """Returns the session that the params of a message name."""
    return _session_in(message.get("params"))


def created_by(response: Mapping[str, Any]) -> str | None:
    """Returns the session that the answer to a call has created."""
    return _session_in(response.get("result"))


def _session_in(value: Any) -> str | None:
    session = value.get("sessionId") if isinstance(value, OBJECT) else None
    return session if isinstance(session, str) else None


def is_response(message: Mapping[str, Any]) -> bool:
    """Returns whether a message answers a call."""
    return "method" not in message and "id" in message
