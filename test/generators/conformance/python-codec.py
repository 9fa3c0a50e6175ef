"""The generated Python package as a codec: a JSON object a line in, its answer out."""

import importlib
import json
import sys
from typing import Any

from acp_bindings import Failure
from acp_bindings._runtime.json_text import parse_json
from acp_bindings._runtime.json_text.canonical import canonical_json


def reports(found: Any) -> list[list[str]]:
    return sorted([one.pointer, one.rule] for one in found)


def answer(
    profile: str, definition: str, text: str, strict: bool = False
) -> dict[str, Any]:
    module = importlib.import_module(
        f"acp_bindings.{profile.replace('-', '_')}.schemas"
    )
    schema = getattr(module, definition)
    try:
        value = parse_json(text)
    except ValueError:
        return {"verdict": "malformed"}
    if strict:
        return {"issues": reports(schema.issues(value))}
    decoded = schema.decode(value)
    if isinstance(decoded, Failure):
        return {"verdict": "invalid", "issues": reports(decoded.issues)}
    return {
        "verdict": "ok",
        "value": canonical_json(schema.to_json(decoded.value)),
        "notes": reports(decoded.notes),
    }


for line in sys.stdin:
    request = json.loads(line)
    result = answer(request["profile"], request["definition"], request["input"])
    print(json.dumps({"id": request["id"], **result}), flush=True)
