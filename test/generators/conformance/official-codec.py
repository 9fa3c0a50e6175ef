"""The official Python package as a codec: the models with which it parses messages of v1.

They neither keep unknown values nor report what they repair, so that there are no notes.
"""

import json
import sys

from acp import schema
from pydantic import BaseModel, RootModel, ValidationError


def answer(model, text):
    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return {"verdict": "malformed"}
    try:
        decoded = model.model_validate(value)
        dumped = decoded.model_dump(by_alias=True, exclude_unset=True, mode="json", warnings=False)
    except ValidationError as error:
        places = [one["loc"] for one in error.errors()]
        issues = [["/" + "/".join(map(str, place)), "invalid"] for place in places]
        return {"verdict": "invalid", "issues": issues}
    except (ValueError, OverflowError):
        return {"verdict": "invalid", "issues": [["", "depth"]]}
    printed = json.dumps(dumped, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {"verdict": "ok", "value": printed, "notes": []}


def refuse(name):
    raise ValueError(name)


for line in sys.stdin:
    request = json.loads(line)
    found = getattr(schema, request["definition"], None)
    is_model = isinstance(found, type) and issubclass(found, (BaseModel, RootModel))
    result = answer(found, request["input"]) if is_model else {"verdict": "unsupported"}
    sys.stdout.write(json.dumps({"id": request["id"], **result}) + "\n")
    sys.stdout.flush()
