"""Imports the packages that were generated below a folder, and prints those that fail."""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from pathlib import Path

MODULES = ("schemas", "_table", "_decoders", "_encoders", "roles")

failed: list[str] = []
count = 0
for seed in sorted(Path(sys.argv[1]).iterdir()):
    package = seed / "python" / "acp_bindings" / "fuzz"
    if not package.is_dir():
        continue
    sys.path.insert(0, str(seed / "python"))
    for name in MODULES:
        if not (package / f"{name}.py").exists():
            continue
        count += 1
        try:
            importlib.import_module(f"acp_bindings.fuzz.{name}")
        except Exception:
            failed.append(f"{seed.name}: {traceback.format_exc(limit=-2)}")
    sys.path.pop(0)
    for name in [one for one in sys.modules if one.startswith("acp_bindings")]:
        del sys.modules[name]
print(json.dumps({"count": count, "failed": failed}))
