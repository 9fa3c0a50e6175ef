"""Measures turns over WebSocket and HTTP beside stdio, for this package and the official one.

Prints JSON: for each the CPU seconds of an update in each round, both sides together.
"""

from __future__ import annotations

import json
import sys

from rounds import interleave, per_update

UPDATES = 20_000
SIDES = {
    "ours, stdio": "ours",
    "ours, web-socket": "ours-web-socket",
    "ours, http": "ours-http",
    "official package, stdio": "official",
    "official package, web-socket": "official-web-socket",
    "official package, http": "official-http",
}

found = interleave({name: per_update(side, UPDATES) for name, side in SIDES.items()}, 7)
facts = {"python": sys.version.split()[0], "updates": UPDATES}
print(json.dumps({**facts, "rounds": found}))
