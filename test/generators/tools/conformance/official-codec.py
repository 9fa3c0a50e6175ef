"""The official Python package as a codec: the models with which it parses messages of v1.

They do not report what they repair, and their issues have no rules, so that there are neither.
"""

import json
import sys

from acp import schema
from pydantic import BaseModel, RootModel, ValidationError

NOT_REPRESENTED = {"verdict": "invalid", "issues": [["", "representation"]]}


def answer(op, definition, text):
    model = getattr(schema, definition, None)
    is_model = isinstance(model, type) and issubclass(model, (BaseModel, RootModel))
    if op != "decode" or not is_model:
        return {"verdict": "unsupported"}
    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return {"verdict": "malformed"}
    try:
        decoded = model.model_validate(value)
        dumped = decoded.model_dump(
            by_alias=True, exclude_unset=True, mode="json", warnings=False
        )
        json.dumps(dumped, allow_nan=False)
        return {"verdict": "ok", "value": dumped}
    except ValidationError:
        return {"verdict": "invalid"}
    except (ValueError, OverflowError):
        return NOT_REPRESENTED


def refuse(name):
    raise ValueError(name)


for line in sys.stdin:
    request = json.loads(line)
    result = answer(request["op"], request["definition"], request["input"])
    print(json.dumps({"id": request["id"], **result}), flush=True)
