import { join } from "node:path";
import { watch } from "chokidar";
import type { GenerateOptions } from "./generate.js";
import { ROOT, SCHEMA } from "./tool.js";
import { say } from "./report.js";

/** Editors save in several steps; a run starts when they are done. */
const QUIET_MS = 100;

/**
 * Runs once, and again whenever an input has changed: the canonical schema, the
 * templates, feature files and imported schemas. Ends with the process.
 *
 * @param run reports its own errors; while it runs, changes wait
 */
export async function watchInputs(
  outputs: readonly GenerateOptions[],
  run: () => Promise<void>,
): Promise<never> {
  const paths = new Set([SCHEMA, join(ROOT, "templates"), ...outputs.flatMap(inputPaths)]);
  const watcher = watch([...paths], { ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  let isRunning = true;
  let isDirty = false;
  const runUntilClean = async (): Promise<void> => {
    isRunning = true;
    do {
      isDirty = false;
      await run();
    } while (isDirty);
    isRunning = false;
    say(`watching ${paths.size} places`);
  };
  watcher.on("all", () => {
    isDirty = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRunning) void runUntilClean();
    }, QUIET_MS);
  });
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  await runUntilClean();
  return new Promise<never>(() => {});
}

/** The files that an output is made from, besides those that come with the tool. */
export function inputPaths(options: GenerateOptions): string[] {
  const { schemaFile, metaFile, with: added = [], schema } = options;
  return [
    ...added.filter((item) => item.endsWith(".json")),
    ...[schemaFile, metaFile, schema].filter((path) => path !== undefined),
  ];
}
