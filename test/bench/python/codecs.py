"""Measures the Python package beside json and the official package.

Its argument is a file with the params of `session/update`, one per line; those that one of the
packages refuses are removed from it. It prints JSON.
"""

import json
import sys
from time import process_time_ns

from acp.schema import SessionNotification
from acp_bindings.v1 import schemas
from pydantic import ValidationError

ROUNDS = 25
DECODED = "decode"
ENCODED = "encode"

own = schemas.SessionNotification


def read_updates(file):
    """Returns the lines that both packages accept, with the message of each."""
    found = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            try:
                theirs = SessionNotification.model_validate_json(line)
            except ValidationError:
                continue
            found.append((line, own.decode_json(line).value, theirs, json.loads(line)))
    with open(file, "w", encoding="utf-8") as lines:
        lines.writelines(line for line, *_ in found)
    return found


def implementations(updates):
    lines, messages, models, values = map(list, zip(*updates, strict=True))

    def official(model):
        return model.model_dump_json(by_alias=True, exclude_none=True)

    return {
        DECODED: (own.decode_json, lines),
        "official package: decode": (SessionNotification.model_validate_json, lines),
        "json.loads": (json.loads, lines),
        ENCODED: (own.encode_json, messages),
        "official package: encode": (official, models),
        "json.dumps": (json.dumps, values),
    }


def nanoseconds(call, arguments):
    start = process_time_ns()
    for argument in arguments:
        call(argument)
    return (process_time_ns() - start) / len(arguments)


def main():
    updates = read_updates(sys.argv[1])
    all_of_them = implementations(updates)
    rounds = {name: [] for name in all_of_them}
    for round_ in range(ROUNDS + 3):
        for name, (call, arguments) in all_of_them.items():
            cost = nanoseconds(call, arguments)
            if round_ >= 3:
                rounds[name].append(cost)
    version = ".".join(map(str, sys.version_info[:3]))
    json.dump(
        {"version": version, "messages": len(updates), "rounds": rounds}, sys.stdout
    )


main()
