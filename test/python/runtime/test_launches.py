"""Logins in a terminal, MCP servers, and URIs of files."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import SimpleNamespace
from typing import Any

from acp_bindings import (
    AcpError,
    AgentStartError,
    McpAddress,
    McpCommand,
    RpcError,
    file_path,
    file_uri,
    login,
    mcp_launch,
    terminal_login,
    v1,
    v2,
)

TABLE = Path(__file__).parents[2] / "fixtures/file-uris.json"
PARTS = "a #?%ü日+&'([^`{~"


class McpServers(unittest.TestCase):
    def test_servers_of_both_versions(self) -> None:
        entries = [("A", "1"), ("A", "2")]
        first = v1.types.McpServerStdio(
            name="files",
            command="/bin/files",
            args=["--root"],
            env=[
                v1.types.EnvVariable(name=name, value=value) for name, value in entries
            ],
        )
        expected = McpCommand("/bin/files", ["--root"], {"A": "2"})
        self.assertEqual(mcp_launch(first), expected)
        second = v2.types.McpServerStdioVariant(name="files", command="/bin/files")
        self.assertEqual(mcp_launch(second), McpCommand("/bin/files", [], {}))
        header = v1.types.HttpHeader(name="Authorization", value="Bearer a")
        for remote in (v1.types.McpServerHttpVariant, v1.types.McpServerSseVariant):
            server = remote(name="web", url="https://mcp.example", headers=[header])
            expected_address = McpAddress(
                server.type, "https://mcp.example", {"Authorization": "Bearer a"}
            )
            self.assertEqual(mcp_launch(server), expected_address)

    def test_another_transport_is_refused(self) -> None:
        unknown = v2.schemas.McpServer.parse({"type": "_tunnel", "name": "x"})
        with self.assertRaises(RpcError) as raised:
            mcp_launch(unknown)
        self.assertEqual(raised.exception.code, -32602)
        self.assertEqual(raised.exception.data, {"type": "_tunnel"})


class Logins(unittest.IsolatedAsyncioTestCase):
    def method(self, *args: str, **env: str) -> Any:
        return v1.types.AuthMethodTerminalVariant(
            id="key", name="Key", args=list(args), env=env
        )

    def test_the_agents_own_program_is_started(self) -> None:
        env = {"A": "1", "B": "1"}
        launch = terminal_login(
            self.method("--login", B="2"), "agent", "--acp", env=env
        )
        expected = ("agent", ["--acp", "--login"], {"A": "1", "B": "2"})
        self.assertEqual(launch, expected)
        repeated = [v2.types.EnvVariable(name="B", value=one) for one in "12"]
        later = v2.types.AuthMethodTerminalVariant(
            method_id="key", name="Key", env=repeated
        )
        self.assertEqual(terminal_login(later, "agent").env, {"B": "2"})
        with self.assertRaisesRegex(ValueError, "terminal"):
            terminal_login(SimpleNamespace(type="agent"), "agent")

    async def test_it_succeeds_when_the_program_exits_with_0(self) -> None:
        code = "import os, sys; sys.exit(os.environ['TOKEN'] != 'x')"
        await login(self.method("-c", code, TOKEN="x"), sys.executable)
        with self.assertRaisesRegex(AcpError, "exited with code 3"):
            await login(self.method("-c", "exit(3)"), sys.executable)
        with self.assertRaises(AgentStartError):
            await login(self.method(), "/none")


class Uris(unittest.TestCase):
    def test_paths_of_every_system_become_uris_and_back(self) -> None:
        for part in PARTS:
            for other in PARTS:
                name = part + "x" + other
                posix, windows = f"/x/{name}", f"C:\\x\\{name}"
                server = f"\\\\srv\\share\\{name}"
                for path in (posix, windows, server):
                    self.assertEqual(file_path(file_uri(path)), path)
                self.assertEqual(file_path(PurePosixPath(posix).as_uri()), posix)
                for path in (windows, server):
                    self.assertEqual(file_path(PureWindowsPath(path).as_uri()), path)

    def test_paths_and_uris_have_one_answer_in_every_language(self) -> None:
        table = json.loads(TABLE.read_text("utf-8"))
        for path, uri in table["paths"]:
            self.assertEqual(file_uri(path), uri)
        for uri, path in table["uris"]:
            self.assertEqual(file_path(uri), path, uri)
        for path in table["refusedPaths"]:
            with self.assertRaisesRegex(ValueError, "absolute path"):
                file_uri(path)
        with self.assertRaisesRegex(ValueError, "is not valid UTF-8"):
            file_uri(table["unpairedSurrogate"])
        for uri, text in table["refusedUris"]:
            with self.assertRaises(ValueError, msg=uri) as refused:
                file_path(uri)
            self.assertTrue(str(refused.exception).startswith(f"{uri!r} {text}"))
