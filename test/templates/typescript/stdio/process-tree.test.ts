import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { superviseTree } from "../../../../templates/typescript/runtime/stdio/process-tree.js";
import {
  spawnAgent,
  type AgentProcess,
  type SpawnOptions,
} from "../../../../templates/typescript/runtime/stdio/index.js";
import { listen, uncaughtDuring } from "../role/wire.js";
import { agentWithChild, allExited, isRunning } from "./tree.js";

const IGNORE = "process.on('SIGTERM', () => {})";

describe.skipIf(process.platform === "win32")("an agent and the processes it started", () => {
  test("get the signal all together", async () => {
    for (const signal of [undefined, "SIGINT", "SIGKILL"] as const) {
      const { agent, pids } = await start(agentWithChild());
      agent.kill(signal);
      expect(await agent.exited).toBe(signal ?? "SIGTERM");
      await allExited(pids);
    }
  });

  test("end without a signal to the agent when it ends with its input", async () => {
    const { agent, pids } = await start(agentWithChild({ onEnd: "process.exit(3)" }));
    expect(await agent.dispose()).toBe(3);
    await allExited(pids);
  });

  test("end on SIGTERM after the grace period when the agent ignores the end of its input", async () => {
    const { agent, pids } = await start(agentWithChild({ onTerm: "process.exit(4)" }), {
      graceMs: 50,
    });
    expect(await agent.dispose()).toBe(4);
    await allExited(pids);
  });

  test("end on SIGKILL after another one when the agent ignores SIGTERM", async () => {
    const { agent, pids } = await start(agentWithChild({ onTerm: ";" }), { graceMs: 50 });
    expect(await agent.dispose()).toBe("SIGKILL");
    await allExited(pids);
  });

  test("end on SIGKILL, too, when only a descendant ignores SIGTERM", async () => {
    const script = agentWithChild({ onEnd: "process.exit()", child: IGNORE });
    const { agent, pids } = await start(script, { graceMs: 50 });
    expect(await agent.dispose()).toBe(0);
    await allExited(pids);
  });

  test("end together when the agent crashes, and the connection with them", async () => {
    const { agent, pids, closed } = await start(agentWithChild());
    process.kill(agent.pid!, "SIGKILL");
    expect(await agent.exited).toBe("SIGKILL");
    await allExited(pids);
    await closed;
  });

  test("do not keep the connection open when one that holds the output survives the agent", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: ["ignore", "inherit", "ignore"] });
      const message = { jsonrpc: "2.0", method: "child", params: { pid: child.pid } };
      process.stdout.write(JSON.stringify(message) + "\\n", () => process.exit(5));`;
    const { agent, pids, closed } = await start(["-e", script]);
    expect(await agent.exited).toBe(5);
    await closed;
    expect(pids.filter(isRunning)).toHaveLength(1);
    process.kill(pids[1]!, "SIGKILL");
  });
});

test("a tree gets no signal after its end, when another process may have its id", async () => {
  const child = Object.assign(new EventEmitter(), { pid: 7 });
  const sent: (NodeJS.Signals | 0)[] = [];
  let members = 2;
  const tree = superviseTree(child as unknown as ChildProcess, (_pid, name) => {
    sent.push(name);
    return members-- > 0;
  });
  tree.signal("SIGINT");
  child.emit("exit");
  await tree.ended;
  const before = [...sent];
  tree.signal("SIGTERM");
  tree.signal("SIGKILL");
  expect(before.slice(0, 2)).toEqual([
    "SIGINT",
    ...(process.platform === "win32" ? [] : ["SIGTERM"]),
  ]);
  expect(sent).toEqual(before);
});

describe("disposing of an agent", () => {
  const WAITING = ["-e", "process.stdin.resume().on('end', () => process.exit(6))"];

  test("twice, later, or after its end gives the same exit, without unhandled rejections", async () => {
    const uncaught = await uncaughtDuring(async () => {
      const agent = spawnAgent(process.execPath, WAITING);
      expect(await Promise.all([agent.dispose(), agent.dispose(), agent.exited])).toEqual([
        6, 6, 6,
      ]);
      expect(await agent.dispose()).toBe(6);
      agent.kill();
      await agent[Symbol.asyncDispose]();
    });
    expect(uncaught).toEqual([]);
  });

  test("works whether its output is read or not, even when it writes more than a pipe holds", async () => {
    const script = `process.stdout.write("x".repeat(1e6)); process.stdin.resume().on("end", () => { process.exitCode = 7; });`;
    const agent = spawnAgent(process.execPath, ["-e", script]);
    expect(await agent.dispose()).toBe(7);
  });

  test("lets it send its last messages on an open connection", async () => {
    const script = `process.stdin.resume().on("end", () => process.stdout.write('{"last":"words"}\\n'));`;
    const agent = spawnAgent(process.execPath, ["-e", script]);
    const received = listen(agent);
    expect(await agent.dispose()).toBe(0);
    await received.closed;
    expect(received.messages).toEqual([{ last: "words" }]);
  });

  test("that could not be started rejects like its exit, without unhandled rejections", async () => {
    const uncaught = await uncaughtDuring(async () => {
      const agent = spawnAgent("/nonexistent/agent");
      expect(agent.pid).toBeUndefined();
      agent.kill();
      void agent.dispose();
      await expect(agent.dispose()).rejects.toThrow("/nonexistent/agent");
      await agent[Symbol.asyncDispose]();
    });
    expect(uncaught).toEqual([]);
  });
});

/** Starts an agent, and ends what it leaves behind when a test fails. */
async function start(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<{ agent: AgentProcess; pids: number[]; closed: Promise<void> }> {
  const agent = spawnAgent(process.execPath, args, { stderr: "ignore", ...options });
  const pid = await new Promise<number>((resolve, reject) => {
    agent.start({
      message: (value) => resolve((value as { params: { pid: number } }).params.pid),
      invalid: reject,
      close: () => close(),
    });
  });
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const pids = [agent.pid!, pid];
  onTestFinished(() => {
    for (const left of pids.filter(isRunning)) process.kill(left, "SIGKILL");
  });
  return { agent, pids, closed };
}
