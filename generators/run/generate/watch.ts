import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { watch } from "chokidar";
import type { ResolvedConfig } from "../config.js";
import { inputPaths } from "../inputs/input-paths.js";
import { ROOT, SCHEMA } from "../installation.js";

/** Editors save in several steps; a run starts when they are done. */
const QUIET_MS = 100;

/** The work after a change. Each step reports its own errors. */
export interface WatchSteps {
  /** Resolves the configuration again; undefined when that has failed. */
  readonly resolve: () => Promise<ResolvedConfig | undefined>;
  /** Generates; changes that come meanwhile lead to another run. */
  readonly run: (config: ResolvedConfig) => Promise<void>;
  /** Called after the last run, with the number of watched paths. */
  readonly waiting: (paths: number) => void;
}

/** Watches paths that exist, and calls back after each change. Resolves when no change can be missed. */
export type OpenWatcher = (
  paths: readonly string[],
  onChange: () => void,
) => Promise<{ readonly close: () => Promise<void> }>;

/**
 * Runs once, and again whenever an input has changed: the canonical schema, the
 * templates, the configuration, feature files, imported schemas and custom targets.
 *
 * @param config what to generate, as far as it is known before the first run
 * @returns after the first run
 */
export async function watchInputs(
  config: ResolvedConfig,
  { resolve: resolveAgain, run, waiting }: WatchSteps,
  open: OpenWatcher = openChokidar,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = true;
  let isDirty = false;
  const onChange = (): void => {
    isDirty = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRunning) void runUntilClean();
    }, QUIET_MS);
  };
  const watchPaths = (paths: Iterable<string>) => open([...paths].map(firstMissing), onChange);
  let paths = watchedPaths(config);
  let watchers: Awaited<ReturnType<OpenWatcher>>[] = [];
  const runUntilClean = async (): Promise<void> => {
    isRunning = true;
    do {
      isDirty = false;
      // A watcher does not see a file again that was removed. So each run opens a new one,
      // which is ready before anything is read.
      const last = watchers;
      watchers = [await watchPaths(paths)];
      await Promise.all(last.map((watcher) => watcher.close()));
      const next = await resolveAgain();
      if (next === undefined) continue;
      const nextPaths = watchedPaths(next);
      const added = [...nextPaths].filter((path) => !paths.has(path));
      if (added.length > 0) watchers.push(await watchPaths(added));
      paths = nextPaths;
      await run(next);
    } while (isDirty);
    isRunning = false;
    waiting(paths.size);
  };
  await runUntilClean();
}

async function openChokidar(paths: readonly string[], onChange: () => void) {
  const opened = watch([...paths], { ignoreInitial: true }).on("all", onChange);
  await new Promise<void>((ready) => opened.once("ready", ready));
  return opened;
}

/** Returns a path, or the outermost folder on the way to it that does not exist. */
function firstMissing(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(folder) ? path : firstMissing(folder);
}

function watchedPaths({ outputs, file }: ResolvedConfig): ReadonlySet<string> {
  const own = [...(file === undefined ? [] : [file]), ...outputs.flatMap(inputPaths)];
  return new Set([SCHEMA, join(ROOT, "templates"), ...own.map((path) => resolve(path))]);
}
