"""Commands of Windows, with the cases that hold the other languages as well."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

from acp_bindings._runtime.stdio.command_line import (
    CommandLine,
    Surroundings,
    merge_environment,
    quote_for_batch,
    resolve_command,
)

CASES = json.loads(
    (Path(__file__).parents[2] / "fixtures/command-lines.json").read_text("utf-8")
)
PATH = {"Path": "C:\\tools;C:\\Program Files\\nodejs"}


def resolve(case: dict[str, Any]) -> CommandLine:
    files = {file.lower() for file in case.get("files", [])}
    around = Surroundings(
        case.get("platform", "win32"),
        "C:\\work",
        case.get("environment", PATH),
        "C:\\Windows",
        lambda file: file.lower() in files,
    )
    return resolve_command(case["command"], case.get("arguments", []), around)


class CommandLines(unittest.TestCase):
    def test_commands_become_files_and_arguments(self) -> None:
        for case in CASES["commands"]:
            expected = case["expected"]
            with self.subTest(case["rule"]):
                if "missing" in expected:
                    with self.assertRaises(FileNotFoundError) as missing:
                        resolve(case)
                    self.assertIn(expected["missing"], missing.exception.strerror)
                elif "invalid" in expected:
                    with self.assertRaisesRegex(ValueError, expected["invalid"]):
                        resolve(case)
                elif "batch" in expected:
                    shell = "C:\\Windows\\System32\\cmd.exe"
                    switches = ["/d", "/e:ON", "/v:OFF", "/s", "/c"]
                    line = f'"{expected["batch"]}"'
                    self.assertEqual(resolve(case), (shell, [*switches, line], True))
                else:
                    direct = (expected["file"], expected["arguments"], False)
                    self.assertEqual(resolve(case), direct)

    def test_arguments_of_batch_files_are_quoted(self) -> None:
        for argument, quoted in CASES["arguments"]:
            with self.subTest(argument):
                self.assertEqual(quote_for_batch(argument), quoted)

    def test_a_line_that_is_too_long_for_a_batch_file_is_refused(self) -> None:
        files = ["C:\\tools\\npx.cmd"]
        with self.assertRaisesRegex(ValueError, "longer"):
            resolve({"command": "npx", "arguments": ["x" * 8200], "files": files})

    def test_environments_are_merged(self) -> None:
        for case in CASES["environments"]:
            with self.subTest(case["rule"]):
                merged = merge_environment(
                    case.get("platform", "linux"),
                    case["inherited"],
                    case["added"],
                    inherits=case.get("inherits", True),
                )
                self.assertEqual(merged, case["expected"])
