import { mcpLaunch, terminalLogin } from "acp-bindings";
import { AgentExitError, AgentStartError, login } from "acp-bindings/stdio";
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

test("an MCP server with another transport is refused as invalid params", () => {
  for (const server of [{ type: "_tunnel", name: "x", url: "x:" }, { type: "http" }, {}])
    expect(() => mcpLaunch(server)).toThrow(expect.objectContaining({ code: -32602 }));
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

test("login resolves when the program exits with 0, and rejects with how it ended otherwise", async () => {
  const launch = { command: process.execPath };
  const exits = (code: string) => ({ type: "terminal", args: ["-e", code] });
  await login(
    { ...exits("process.exit(process.env.TOKEN === 'x' ? 0 : 1)"), env: { TOKEN: "x" } },
    launch,
  );
  await expect(login(exits("process.exit(3)"), launch)).rejects.toMatchObject({ exit: 3 });
  await expect(
    login(exits("process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9e4)"), launch),
  ).rejects.toBeInstanceOf(AgentExitError);
  await expect(login(exits(""), { command: "/none" })).rejects.toBeInstanceOf(AgentStartError);
  const controller = new AbortController();
  const stopped = login(exits("setTimeout(() => {}, 9e4)"), launch, { signal: controller.signal });
  controller.abort(new Error("the user has gone"));
  await expect(stopped).rejects.toThrow("the user has gone");
});
