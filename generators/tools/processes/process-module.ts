import type { ChildProcess, SpawnOptions } from "node:child_process";
import { importBundled } from "./import-bundled.js";

export interface LineReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** The exports of `templates/typescript/command/process.ts`, which start programs and split their output; a test compares the two. */
export interface ProcessModule {
  readonly createLineReader: (
    receiver: {
      line(text: string): void;
      broken(reason: "not-utf8" | "too-long", start: string): void;
    },
    limit?: number,
  ) => LineReader;
  readonly startProcess: (
    command: string,
    args: readonly string[],
    place: { readonly cwd?: string },
    options: SpawnOptions,
  ) => ChildProcess;
}

/** Loads the runtime's modules for processes, without the time that bundling them takes. */
export function loadProcessModule(): Promise<ProcessModule> {
  return importBundled<ProcessModule>("process");
}
