"""Converts positions: reads lines of JSON with `text`, `position`, `from` and `to`."""

from __future__ import annotations

import json
import sys

from acp_bindings.nes import convert_position

for line in sys.stdin:
    case = json.loads(line)
    position = (case["position"]["line"], case["position"]["character"])
    found = convert_position(case["text"], position, case["from"], case["to"])
    print(json.dumps(found), flush=True)
