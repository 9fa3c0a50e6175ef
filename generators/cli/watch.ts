import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { watch, type FSWatcher } from "chokidar";
import type { Found } from "./config.js";
import type { GenerateOptions } from "./generate.js";
import { isTargetPath } from "./load-target.js";
import { ROOT, SCHEMA } from "./tool.js";
import { say } from "./report.js";

/** Editors save in several steps; a run starts when they are done. */
const QUIET_MS = 100;

/**
 * Runs once, and again whenever an input has changed: the canonical schema, the
 * templates, the configuration, feature files, imported schemas and targets of
 * the user's own. Ends with the process.
 *
 * @param run reports its own errors and returns what it has found to generate, whose inputs are
 *   watched from then on; while it runs, changes wait
 */
export async function watchInputs(
  found: Found,
  run: () => Promise<Found | undefined>,
): Promise<never> {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = true;
  let isDirty = false;
  const notice = (): void => {
    isDirty = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRunning) void runUntilClean();
    }, QUIET_MS);
  };
  /** Only a watcher that is ready misses nothing. */
  const open = async (paths: ReadonlySet<string>): Promise<FSWatcher> => {
    const opened = watch([...paths], { ignoreInitial: true }).on("all", notice);
    await new Promise<void>((resolve) => opened.once("ready", resolve));
    return opened;
  };
  let paths = pathsOf(found);
  let watcher = await open(paths);
  const runUntilClean = async (): Promise<void> => {
    isRunning = true;
    do {
      isDirty = false;
      const now = await run();
      const next = now === undefined ? paths : pathsOf(now);
      if (isDeepStrictEqual(next, paths)) continue;
      const last = watcher;
      [paths, watcher] = [next, await open(next)];
      await last.close();
    } while (isDirty);
    isRunning = false;
    say(`watching ${paths.size} places`);
  };
  await runUntilClean();
  return new Promise<never>(() => {});
}

function pathsOf({ outputs, file }: Found): ReadonlySet<string> {
  const own = [...(file === undefined ? [] : [file]), ...outputs.flatMap(inputPaths)];
  return new Set([SCHEMA, join(ROOT, "templates"), ...own.map((path) => resolve(path))]);
}

/** The files that an output is made from, besides those that come with the tool. */
export function inputPaths(options: GenerateOptions): string[] {
  const { schemaFile, metaFile, with: added = [], schema, targets = [] } = options;
  return [
    ...added.filter((item) => item.endsWith(".json")),
    ...targets.filter(isTargetPath),
    ...[schemaFile, metaFile, schema].filter((path) => path !== undefined),
  ];
}
