import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnAgent } from "../../../../templates/typescript/runtime/stdio/index.js";
import { readLine, runScript } from "./script.js";
import { agentWithChild, allExited, isRunning } from "./tree.js";

const EVENTS = ["exit", "SIGINT", "SIGTERM", "SIGHUP"] as const;

describe.skipIf(process.platform === "win32")("a process that started an agent", () => {
  test.each([
    ["exits", "process.exit(9)", 9, null],
    ["fails", "process.on('uncaughtException', () => process.exit(8)); throw new Error()", 8, null],
    ["gets Ctrl-C", "process.kill(process.pid, 'SIGINT')", null, "SIGINT"],
    ["is terminated", "process.kill(process.pid, 'SIGTERM')", null, "SIGTERM"],
    ["loses its terminal", "process.kill(process.pid, 'SIGHUP')", null, "SIGHUP"],
    [
      "exits on a signal by itself",
      "process.on('SIGINT', () => process.exit(10)); process.kill(process.pid, 'SIGINT')",
      10,
      null,
    ],
  ])(
    "ends the agent and its descendants, and exits as without the hook, when it %s",
    async (_, end, code, signal) => {
      const host = runScript(hostScript(end));
      const exit = once(host, "exit");
      const pids = await readPids(host);
      expect(await exit).toEqual([code, signal]);
      await allExited(pids);
    },
  );

  test("keeps the agent when it listens to a signal and continues", async () => {
    const host = runScript(
      hostScript(`
        process.on("SIGINT", () => setTimeout(() => console.log("[]"), 100));
        process.kill(process.pid, "SIGINT")`),
    );
    const pids = await readPids(host);
    await readLine(host);
    expect(pids.map(isRunning)).toEqual([true, true]);
    host.kill("SIGTERM");
    await allExited(pids);
  });

  test("exits on a signal even if another listener exits only when it is the sole listener", async () => {
    const host = runScript(
      hostScript(`
        const courteous = () => {
          if (process.listenerCount("SIGINT") > 1) return;
          process.off("SIGINT", courteous);
          process.kill(process.pid, "SIGINT");
        };
        process.on("SIGINT", courteous);
        agent.kill("SIGKILL");
        process.kill(process.pid, "SIGINT")`),
    );
    const exit = once(host, "exit");
    await readPids(host);
    expect(await exit).toEqual([null, "SIGINT"]);
  });
});

test("twenty agents need one listener for each event, and none when they have ended", async () => {
  const count = (): number[] => EVENTS.map((event) => process.listenerCount(event));
  const before = count();
  const agents = Array.from({ length: 20 }, () =>
    spawnAgent(process.execPath, ["-e", "process.stdin.resume()"]),
  );
  expect(count()).toEqual(before.map((listeners) => listeners + 1));
  await Promise.all(agents.map((agent) => agent.dispose()));
  expect(count()).toEqual(before);
});

/** The processes that a host started; what a failing test leaves of them is ended after it. */
async function readPids(host: ChildProcess): Promise<number[]> {
  const pids = (await readLine(host)) as number[];
  onTestFinished(() => {
    host.kill("SIGKILL");
    for (const left of pids.filter(isRunning)) process.kill(left, "SIGKILL");
  });
  return pids;
}

/** Starts an agent with a child, prints both pids, and does what is asked. */
function hostScript(end: string): string {
  return `
    const agent = spawnAgent(process.execPath, ${JSON.stringify(agentWithChild())}, { stderr: "ignore" });
    const pid = await new Promise((resolve) => agent.start({
      message: ({ params }) => resolve(params.pid),
      invalid: () => {},
      close: () => {},
    }));
    await new Promise((resolve) => process.stdout.write(JSON.stringify([agent.pid, pid]) + "\\n", resolve));
    ${end};`;
}
