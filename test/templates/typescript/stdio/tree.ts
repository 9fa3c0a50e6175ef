import { spawnSync } from "node:child_process";
import { vi } from "vitest";

/** An agent that starts a child process, reports its pid with a notification, and then follows its arguments. */
export function agentWithChild({ onTerm = "", onEnd = "", child = "" } = {}): string[] {
  const grandchild = `${child}; setInterval(() => {}, 1000); process.stdout.write("up")`;
  return [
    "-e",
    `const { spawn } = require("node:child_process");
     const child = spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: ["ignore", "pipe", "ignore"] });
     ${onTerm && `process.on("SIGTERM", () => { ${onTerm} });`}
     process.stdin.resume().on("end", () => { ${onEnd} });
     setInterval(() => {}, 1000);
     child.stdout.once("data", () => {
       const message = { jsonrpc: "2.0", method: "child", params: { pid: child.pid } };
       process.stdout.write(JSON.stringify(message) + "\\n");
     });`,
  ];
}

/** Whether a process runs; one that only waits to be collected by its parent does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

/** Waits until none of the processes runs. */
export async function allExited(pids: readonly number[]): Promise<void> {
  await vi.waitUntil(() => !pids.some(isRunning), { timeout: 20_000, interval: 20 });
}
