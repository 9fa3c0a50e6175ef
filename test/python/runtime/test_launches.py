"""Logins in a terminal, MCP servers, and URIs of files."""

from __future__ import annotations

import sys
import unittest
from pathlib import PurePosixPath, PureWindowsPath
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

    def test_forms_of_paths_and_uris(self) -> None:
        for path, uri in (
            ("/home/ana/a b.ts", "file:///home/ana/a%20b.ts"),
            ("/a\\b", "file:///a%5Cb"),
            ("C:/mixed\\x", "file:///C:/mixed/x"),
            ("\\\\srv\\share\\x", "file://srv/share/x"),
        ):
            self.assertEqual(file_uri(path), uri)
        for uri, path in (
            ("file:///c%3A/Users/x.ts", "c:\\Users\\x.ts"),
            ("file://localhost/etc/x", "/etc/x"),
            ("file:///a%5Cb", "/a\\b"),
            ("file:/a", "/a"),
        ):
            self.assertEqual(file_path(uri), path)

    def test_what_is_no_path_or_uri_is_refused(self) -> None:
        for path in ("relative/x", "", "C:x", "c:"):
            with self.assertRaisesRegex(ValueError, "absolute path"):
                file_uri(path)
        for uri in (
            "https://example.org/x",
            "/x",
            "file:///a%2Fb",
            "file:///C:/a%5Cb",
            "file:///a%00",
            "file:///%ff",
        ):
            with self.assertRaisesRegex(ValueError, uri):
                file_path(uri)
