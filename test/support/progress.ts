import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { keepDurations, slowest, type Duration } from "./durations.js";
import { ROOT } from "./paths.js";

/** After which time without a result a run names the files that run, and how often it names the same ones again. */
const SILENCE_MS = 8000;
const REPEAT_MS = 60_000;

/** Names the files that run when none has ended for a time, keeps their durations, and prints the slowest. */
export class Progress implements Reporter {
  readonly #running = new Set<string>();
  readonly #durations: { [file: string]: Duration } = {};
  #timer: NodeJS.Timeout | undefined;
  #named = { files: "", at: 0 };

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#printRunning(), SILENCE_MS).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.add(pathOf(module));
  }

  onTestModuleEnd(module: TestModule): void {
    const { setupDuration, collectDuration, duration } = module.diagnostic();
    this.#running.delete(pathOf(module));
    this.#durations[pathOf(module)] = {
      wallMs: Math.round(setupDuration + collectDuration + duration),
      cpuMs: module.meta().cpuMs,
    };
    // A run that is stopped has kept what it knows.
    keepDurations(this.#durations);
    this.#timer?.refresh();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
    const rows = slowest(this.#durations, 10).map(([file, { wallMs, cpuMs }]) => {
      const cpu = cpuMs === undefined ? "" : `, ${seconds(cpuMs)} of processor time`;
      return `  ${seconds(wallMs)}${cpu}  ${file}`;
    });
    if (rows.length > 1) console.info(`\nSlowest test files:\n${rows.join("\n")}`);
  }

  #printRunning(): void {
    const files = [...this.#running].join(", ");
    const isRepeated = files === this.#named.files && Date.now() - this.#named.at < REPEAT_MS;
    if (files === "" || isRepeated) return;
    this.#named = { files, at: Date.now() };
    console.info(`running: ${files}`);
  }
}

function pathOf({ moduleId }: TestModule): string {
  return relative(ROOT, moduleId).replaceAll("\\", "/");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
