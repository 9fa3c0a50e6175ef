"""Holds the encoders that check against the diagnosis, on values with random faults.

A codec for `acp-codegen conformance`, which sends it the values; it answers that it supports
none of them. What it found is written to the file in REPORT.
"""

from __future__ import annotations

import copy
import functools
import importlib
import json
import os
import random
import sys
from typing import Any

from acp_bindings import UNSET, Failure, InvalidValueError, Unknown
from acp_bindings._runtime.json_text import parse_json
from acp_bindings._runtime.json_text.canonical import canonical_json
from acp_bindings._runtime.message import Message

FAULTS: list[Any] = [
    None,
    UNSET,
    True,
    7,
    -1,
    2**60,
    0.5,
    "text",
    "_custom",
    "",
    [],
    [3],
    {},
    {"type": "text"},
    Unknown("other", {"type": "other"}),
]


def messages(value: Any) -> list[Message]:
    """Returns a message and all inside of it."""
    if isinstance(value, Message):
        parts = [getattr(value, name) for name in attributes(value)]
        return [value, *(one for part in parts for one in messages(part))]
    if isinstance(value, list):
        return [one for part in value for one in messages(part)]
    return []


def attributes(message: Message) -> list[str]:
    kind = type(message)
    return sorted(kind.__required__ | kind.__defaults__.keys() - {"extra"})


def spoil(value: Any) -> None:
    """Gives one attribute another value, or adds properties that are not declared."""
    found = messages(value)
    if not found:
        return
    message = random.choice(found)
    if not attributes(message) or random.random() < 0.2:
        names = ["other", "_meta", "text", "type", "sessionId", "content"]
        message.extra = {random.choice(names): random.choice([None, 1, {}])}
        return
    others = [one for one in found if one is not message]
    choices = [*FAULTS, *copy.deepcopy(others[:2])]
    setattr(message, random.choice(attributes(message)), random.choice(choices))


def outcome(run: Any) -> str:
    try:
        return canonical_json(run())
    except InvalidValueError as error:
        return f"invalid: {[(one.pointer, one.rule) for one in error.issues]}"
    except (TypeError, AttributeError, ValueError):
        return "not JSON"


report: dict[str, Any] = {"checked": 0, "differences": []}
random.seed(int(os.environ["SEED"]))
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "verdict": "unsupported"}), flush=True)
    package = f"acp_bindings.{request['profile'].replace('-', '_')}.schemas"
    schema = getattr(importlib.import_module(package), request["definition"])
    for faults in (0, 1, 1, 2):
        try:
            decoded = schema.decode(parse_json(request["input"]))
        except ValueError:
            break
        if isinstance(decoded, Failure):
            break
        for _ in range(faults):
            spoil(decoded.value)
        value = decoded.value
        expected = outcome(functools.partial(schema._encode_slowly, value))
        found = outcome(functools.partial(schema.encode, value))
        report["checked"] += 1
        if found != expected:
            difference = [request["definition"], repr(value), expected, found]
            report["differences"].append(difference)
with open(os.environ["REPORT"], "w", encoding="utf-8") as file:
    json.dump(report, file)
