import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of a test file and of the processes that it started, in milliseconds. */
    cpuMs?: number;
  }
}

const start = cpuTime();
// oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from it
afterAll(({}, suite) => {
  suite.meta.cpuMs = cpuTime() - start;
});

/** Returns the processor time of this process in milliseconds; on Linux with the processes that it started and that have ended. */
function cpuTime(): number {
  if (process.platform === "linux") {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ");
    // utime, stime, cutime, cstime in hundredths of a second: proc_pid_stat(5).
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
