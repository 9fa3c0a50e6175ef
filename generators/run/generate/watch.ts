import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { watch, type FSWatcher } from "chokidar";
import type { Found } from "../config.js";
import { inputPaths } from "../inputs/input-files.js";
import { ROOT, SCHEMA } from "../installation.js";

/** Editors save in several steps; a run starts when they are done. */
const QUIET_MS = 100;

/** What is done whenever an input has changed. Each part reports its own errors. */
export interface WatchSteps {
  /** Finds anew what to generate; nothing when that has failed. */
  readonly find: () => Promise<Found | undefined>;
  /** Generates it; while it runs, changes wait. */
  readonly run: (found: Found) => Promise<void>;
  /** Is told that changes are waited for. */
  readonly waiting: (places: number) => void;
}

/**
 * Runs once, and again whenever an input has changed: the canonical schema, the
 * templates, the configuration, feature files, imported schemas and targets of
 * the user's own. Ends with the process.
 *
 * @param found what to generate, as far as it is known before the first run
 */
export async function watchInputs(
  found: Found,
  { find, run, waiting }: WatchSteps,
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
  let paths = pathsOf(found);
  let watchers: readonly FSWatcher[] = [];
  const runUntilClean = async (): Promise<void> => {
    isRunning = true;
    do {
      isDirty = false;
      // A watcher that has seen a file go is deaf to it from then on, so that each run has a new
      // one, which is ready before anything is read: what it misses, the run has seen.
      const last = watchers;
      watchers = [await openWatcher(paths, notice)];
      await Promise.all(last.map((watcher) => watcher.close()));
      const now = await find();
      if (now === undefined) continue;
      const next = pathsOf(now);
      const added = [...next].filter((path) => !paths.has(path));
      if (added.length > 0) watchers = [...watchers, await openWatcher(added, notice)];
      paths = next;
      await run(now);
    } while (isDirty);
    isRunning = false;
    waiting(paths.size);
  };
  await runUntilClean();
  return new Promise<never>(() => {});
}

/** Only a watcher that is ready misses nothing. */
async function openWatcher(paths: Iterable<string>, notice: () => void): Promise<FSWatcher> {
  const opened = watch([...paths].map(firstMissing), { ignoreInitial: true }).on("all", notice);
  await new Promise<void>((resolve) => opened.once("ready", resolve));
  return opened;
}

/** A path, or the outermost folder on the way to it that does not exist: what to watch for it. */
function firstMissing(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(folder) ? path : firstMissing(folder);
}

function pathsOf({ outputs, file }: Found): ReadonlySet<string> {
  const own = [...(file === undefined ? [] : [file]), ...outputs.flatMap(inputPaths)];
  return new Set([SCHEMA, join(ROOT, "templates"), ...own.map((path) => resolve(path))]);
}
