"""Decodes and validates values that hypothesis makes up, beside the TypeScript bindings.

Arguments: the profile, the number of examples, a seed. Reads samples by definition, as JSON, from
standard input. Prints the number of compared values and the first difference, if any.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from acp_bindings._runtime.json_text.canonical import canonical_json
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "generators/tools/conformance"))

NAMES = ["_meta", "type", "sessionId", "id", "content", "name", "__proto__", "é", ""]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["text", "_custom", "end_turn", "/a", "https://a.b", ""]),
    st.text(max_size=8),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.sampled_from(NAMES), st.text(max_size=5)), inner, max_size=3
        ),
    ),
    max_leaves=8,
)


class Codec:
    """The TypeScript bindings, as a process that answers line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            ["node", "test/generators/tools/conformance/own-codec.mjs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Returns the paths to all parts of a value."""
    found = [at]
    if isinstance(value, dict):
        for name, part in value.items():
            found += places(part, (*at, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            found += places(part, (*at, index))
    return found


def replaced(value: Any, path: tuple[Any, ...], part: Any) -> Any:
    if not path:
        return part
    result = copy.copy(value)
    result[path[0]] = replaced(value[path[0]], path[1:], part)
    return result


@st.composite
def cases(draw: Any, samples: dict[str, list[Any]]) -> tuple[str, str]:
    """Draws a definition, and a text: a sample with up to three other parts."""
    definition = draw(st.sampled_from(sorted(samples)))
    value = draw(st.sampled_from(samples[definition]))
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(places(value)))
        value = replaced(value, path, draw(VALUES))
    return definition, json.dumps(value)


def comparable(answer: dict[str, Any]) -> str:
    """Returns an answer as text, with its reports in order."""
    reports = {name: sorted(answer.get(name, [])) for name in ("notes", "issues")}
    return canonical_json({**answer, **reports})


def main(profile: str, examples: int, start: int) -> None:
    samples = json.load(sys.stdin)
    # The codec reads standard input when it is imported, which has ended here.
    codec_module = __import__("python-codec")
    typescript = Codec()
    compared = 0
    differences: list[Any] = []

    @seed(start)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(samples))
    def compare(case: tuple[str, str]) -> None:
        nonlocal compared
        definition, text = case
        compared += 1
        for op in ("decode", "validate"):
            request = {"op": op, "profile": profile, "definition": definition}
            request["input"] = text
            expected = comparable(typescript.ask({"id": 0, **request}))
            found = comparable({"id": 0, **codec_module.answer(request)})
            if found != expected and len(differences) < 3:
                differences.append([definition, text, expected, found])

    compare()
    typescript.end()
    print(json.dumps({"compared": compared, "differences": differences}))


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
