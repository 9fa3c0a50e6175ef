"""The generated Python package as a codec."""

import importlib
import json
import sys
from typing import Any

from acp_bindings import Failure, InvalidValueError
from acp_bindings._runtime.json_text import parse_json
from acp_bindings._runtime.json_text.canonical import canonical_json


def invalid(found: Any) -> dict[str, Any]:
    return {
        "verdict": "invalid",
        "issues": [[one.pointer, one.rule] for one in found],
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    package = request["profile"].replace("-", "_")
    module = importlib.import_module(f"acp_bindings.{package}.schemas")
    schema = getattr(module, request["definition"])
    try:
        value = parse_json(request["input"])
    except ValueError:
        return {"verdict": "malformed"}
    if request["op"] != "decode":
        # An object that would be encoded has a class, which takes valid values only.
        issues = schema.issues(value)
        if issues:
            return invalid(issues)
        if request["op"] == "validate":
            return {"verdict": "ok"}
    if request["op"] == "encode":
        # Not through a decode: what was received may be sent whatever it contains.
        try:
            return {"verdict": "ok", "value": parse_json(schema.encode_json(value))}
        except InvalidValueError as error:
            return invalid(error.issues)
        except ValueError:
            return {"verdict": "invalid", "issues": [["", "representation"]]}
    decoded = schema.decode(value)
    if isinstance(decoded, Failure):
        return invalid(decoded.issues)
    return {
        "verdict": "ok",
        "value": schema.to_json(decoded.value),
        "notes": [[one.pointer, one.rule] for one in decoded.notes],
    }


# The canonical form has null for numbers that JSON does not have, as ECMAScript does.
for line in sys.stdin:
    request = json.loads(line)
    print(canonical_json({"id": request["id"], **answer(request)}), flush=True)
