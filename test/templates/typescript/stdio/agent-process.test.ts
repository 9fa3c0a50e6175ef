import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { ConnectionClosedError } from "../../../../templates/typescript/runtime/rpc/errors.js";
import {
  AgentSilentError,
  AgentStartError,
  spawnAgent,
  type SpawnOptions,
} from "../../../../templates/typescript/runtime/stdio/index.js";
import { connect, listen, notification, uncaughtDuring } from "../role/wire.js";
import { listenTo } from "../../../support/processes.js";

describe("a process", () => {
  test("that goes silent aborts a signal, which its lines renew, and its last line is the reason", async () => {
    const script =
      'let n = 0; setInterval(() => n < 5 && console.error("step " + ++n), 300); console.error("step 0")';
    const lines: string[] = [];
    const agent = spawnAgent(process.execPath, ["-e", script], {
      stderr: (line) => lines.push(line),
    });
    const call = connect(agent).request("initialize", {}, { signal: agent.silence(1000) });
    await expect(call).rejects.toThrow(new AgentSilentError(1000, "step 5"));
    expect(lines).toHaveLength(6);
    agent.kill("SIGKILL");
    await agent.exited;
  });

  test.each([-1, 0, Number.NaN, "1000"])("takes no silence of %s", async (ms) => {
    const agent = spawnAgent(process.execPath, ["-e", ""]);
    expect(() => agent.silence(ms as number)).toThrow(/^silence needs a positive number, not /);
    await agent.dispose();
  });

  test("that does not exist rejects its exit and closes the connection, whenever the connection is opened", async () => {
    const uncaught = await uncaughtDuring(async () => {
      for (const late of [false, true]) {
        const agent = spawnAgent("/nonexistent/agent");
        if (late) await agent.exited.catch(() => {});
        const connection = connect(agent);
        await expect(agent.exited).rejects.toMatchObject({ code: "ENOENT" });
        await connection.closed;
        await expect(connection.request("m", {})).rejects.toMatchObject({
          name: "ConnectionClosedError",
          cause: { code: "ENOENT" },
        });
      }
    });
    expect(uncaught).toEqual([]);
  });

  test.each([
    ["/nonexistent/agent", undefined, "ENOENT"],
    [process.execPath, "/nonexistent", "ENOENT"],
    // The system's refusals that Node.js throws.
    [process.execPath, process.execPath, "ENOTDIR"],
  ])(
    "that cannot be started ends its transport and its exit with an error that names the command: %s in %s",
    async (command, cwd, code) => {
      const agent = spawnAgent(command, [], cwd === undefined ? {} : { cwd });
      const received = listen(agent);
      await received.closed;
      const error = received.closes[0] as AgentStartError;
      expect(error).toBeInstanceOf(AgentStartError);
      expect(error).toMatchObject({ command, code, cause: { code } });
      expect(error.message).toContain(`cannot start ${command}${cwd ? ` in ${cwd}` : ""}`);
      await expect(agent.exited).rejects.toBe(error);
      await expect(agent.send({})).rejects.toMatchObject({ cause: error });
    },
  );

  test("that cannot be started says what was searched for, and where", async () => {
    const reasons = [
      [["no-such-agent"], {}, `it is in none of the folders of PATH (${process.env["PATH"]})`],
      [["./no/agent"], { cwd: "/" }, "there is no file /no/agent"],
      [["node"], { cwd: "/nonexistent" }, "the folder /nonexistent does not exist"],
    ] as const;
    for (const [[command], options, reason] of reasons)
      await expect(spawnAgent(command, [], options).exited).rejects.toThrow(reason);
  });

  test("with impossible arguments throws to the caller", () => {
    expect(() => spawnAgent("a\0b")).toThrow(TypeError);
  });

  test("that ends closes the connection after its last messages, and reports its exit code", async () => {
    const script = `process.stdout.write(${JSON.stringify(
      [...Array(2000).keys()].map((n) => JSON.stringify(notification(`${n}`))).join("\n"),
    )}); process.exitCode = 3;`;
    const agent = spawnAgent(process.execPath, ["-e", script], { env: {} });
    const handled: string[] = [];
    const connection = connect(agent, {
      notification: (method) => void handled.push(method),
    });
    const call = connection.request("m", {});
    await expect(call).rejects.toThrow(ConnectionClosedError);
    expect(handled).toHaveLength(2000);
    expect(handled.at(-1)).toBe("1999");
    expect(await agent.exited).toBe(3);
  });

  test("that ends at once explains why nothing could be written to it", async () => {
    const crash = String.raw`printf 'why\n    at main.js:1\n  code: 1,\n}\n\nNode.js v22.1.0\n' >&2; exit 3`;
    for (let n = 0; n < 20; n++) {
      const agent = spawnAgent("sh", ["-c", crash], { stderr: () => {} });
      const call = connect(agent).request("initialize", {});
      const failure = (await call.catch((error: unknown) => error)) as Error;
      expect(failure).toBeInstanceOf(ConnectionClosedError);
      expect(failure.message).toBe(
        "initialize failed: the connection is closed: the agent exited with code 3; it wrote last: why",
      );
      expect(failure.cause).toMatchObject({ name: "AgentExitError", exit: 3, lastError: "why" });
    }
  });

  test("that ends with code 0 is named as well", async () => {
    const call = connect(spawnAgent("true", [])).request("initialize", {});
    await expect(call).rejects.toThrow("the agent exited with code 0");
  });

  test("that does not read any more explains lost notifications by its exit", async () => {
    const agent = spawnAgent("sh", ["-c", "exec 0<&-; sleep 0.2; exit 3"]);
    const connection = connect(agent);
    let failure: unknown;
    while (failure === undefined) {
      failure = await connection.notify("m", {}).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(failure).toMatchObject({
      name: "ConnectionClosedError",
      cause: { name: "AgentExitError", exit: 3 },
    });
  });

  test("runs in the given folder, with variables added to the environment or instead of it", async () => {
    const script = `
      const { A, HOME, PATH } = process.env;
      const report = { jsonrpc: "2.0", method: "report", params: { cwd: process.cwd(), A, HOME: HOME !== undefined, PATH: PATH !== undefined } };
      process.stdout.write(JSON.stringify(report));`;
    const reported = (options: SpawnOptions): Promise<unknown> =>
      new Promise((resolve) =>
        connect(spawnAgent(process.execPath, ["-e", script], { cwd: "/", ...options }), {
          notification: (_method, params) => resolve(params),
        }),
      );
    const env = { A: "b", HOME: undefined };
    expect(await reported({ env })).toEqual({ cwd: "/", A: "b", HOME: false, PATH: true });
    expect(await reported({ env, inheritEnv: false })).toEqual({
      cwd: "/",
      A: "b",
      HOME: false,
      PATH: false,
    });
  });

  test.each([
    ["disappears", (child: ChildProcess) => child.stdout!.destroy()],
    ["leaves without reading", (child: ChildProcess) => child.stdin!.end()],
  ])("whose peer %s while it writes ends", async (_, leave) => {
    const transport = new URL("../../../../out/typescript/dist/runtime/", import.meta.url);
    const script = `
      import { Connection } from ${JSON.stringify(new URL("rpc/connection.js", transport).href)};
      import { stdio } from ${JSON.stringify(new URL("stdio/index.js", transport).href)};
      const receiver = { request: async () => ({}), notification: () => {} };
      const connection = new Connection(stdio(), receiver, () => {});
      connection.start();
      const timer = setInterval(() => void connection.notify("tick", { padding: "x".repeat(1e6) }), 1);
      await connection.closed;
      clearInterval(timer);
      await connection.request("late", {}).catch((error) => console.error(error.name));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    const { ended } = listenTo(child);
    await once(child.stdout, "data");
    child.stdout.pause();
    leave(child);
    await once(child, "exit");
    child.stdout.resume();
    expect(await ended).toMatchObject({ code: 0, err: "ConnectionClosedError\n" });
  });
});
