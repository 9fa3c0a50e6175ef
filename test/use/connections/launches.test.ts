import { mcpLaunch, terminalLogin } from "acp-bindings";
import type * as v1 from "acp-bindings/v1";
import type * as v2 from "acp-bindings/v2";
import { expect, test } from "vitest";

const pair = (name: string, value: string) => ({ name, value });

test("an MCP server of either version becomes what MCP clients take", () => {
  const first: v1.McpServer = {
    name: "files",
    command: "/bin/files",
    args: ["--root", "/a"],
    env: [pair("A", "1"), pair("A", "2"), pair("__proto__", "3")],
  };
  const launch = mcpLaunch(first);
  expect(launch).toMatchObject({ type: "stdio", command: "/bin/files", args: ["--root", "/a"] });
  expect(Object.entries(launch.type === "stdio" && launch.env)).toEqual([
    ["A", "2"],
    ["__proto__", "3"],
  ]);
  const second: v2.McpServer = { type: "stdio", name: "files", command: "/bin/files" };
  expect(mcpLaunch(second)).toEqual({ type: "stdio", command: "/bin/files", args: [], env: {} });
  const url = "https://mcp.example/mcp";
  const headers = [pair("Authorization", "Bearer a")];
  for (const type of ["http", "sse"] as const) {
    const remote: v1.McpServer = { type, name: "web", url, headers };
    expect(mcpLaunch(remote)).toEqual({ type, url, headers: { Authorization: "Bearer a" } });
  }
});

test("a login runs the agent's own program, with further arguments and variables", () => {
  const launch = { command: "agent", args: ["--acp"], env: { A: "1", B: "1" }, cwd: "/a" };
  const expected = { ...launch, args: ["--acp", "--login"], env: { A: "1", B: "2" } };
  const first: v1.AuthMethod = {
    ...{ type: "terminal", id: "key", name: "Key" },
    args: ["--login"],
    env: { B: "2" },
  };
  expect(terminalLogin(first, launch)).toEqual(expected);
  const second: v2.AuthMethod = {
    ...{ type: "terminal", methodId: "key", name: "Key" },
    args: ["--login"],
    env: [pair("B", "1"), pair("B", "2")],
  };
  expect(terminalLogin(second, launch)).toEqual(expected);
  const hostile = { ...first, command: "/bin/evil" };
  expect(terminalLogin(hostile, launch).command).toBe("agent");
  expect(() => terminalLogin({ ...first, type: "agent" } as never, launch)).toThrow("terminal");
});
