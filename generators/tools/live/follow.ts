import { closeSync, fstatSync, openSync, readSync, watch } from "node:fs";
import { basename } from "node:path";
import { toOutputError } from "../../output/output-error.js";
import { recordings } from "../record/recordings.js";

/** How often a recording is looked at when the system does not report its growth, in milliseconds. */
const POLL_MS = 250;

const PIECE = 256 * 1024;

/** The record that ends a recording. */
const EXIT = /"kind":"exit",[^\n]*\}\n$/;

/** A part of a recording that is still written. */
export type RecordedPiece = Uint8Array | "idle";

export interface FollowOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Whether a newer recording ends the iteration when this one does not grow. */
  readonly yieldsToNewer?: boolean;
}

/**
 * Reads a file that is still written, until the record of the agent's exit. Gives `idle` whenever it
 * has read everything that is there.
 *
 * @throws OutputError when the file cannot be read
 */
export async function* followRecording(
  path: string,
  { signal, yieldsToNewer = false }: FollowOptions = {},
): AsyncGenerator<RecordedPiece> {
  const file = open(path);
  const growth = watchFile(path);
  try {
    const buffer = Buffer.alloc(PIECE);
    let tail = "";
    let position = 0;
    while (signal?.aborted !== true) {
      const size = readSync(file, buffer, 0, PIECE, position);
      position += size;
      if (size > 0) {
        const piece = Buffer.from(buffer.subarray(0, size));
        tail = (tail + piece.subarray(-200).toString("latin1")).slice(-200);
        yield piece;
        continue;
      }
      yield "idle";
      if (EXIT.test(tail) || (yieldsToNewer && isOutdated(path))) return;
      await growth.next();
      // A log that was emptied begins again.
      if (fstatSync(file).size < position) position = 0;
    }
  } finally {
    growth.close();
    closeSync(file);
  }
}

/** Waits for a recording that is newer than a given one, by name. Returns undefined when it is aborted. */
export async function nextRecording(
  after: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  while (signal?.aborted !== true) {
    const newer = recordings().filter((path) => after === undefined || path > after);
    const oldest = newer.at(-1);
    if (oldest !== undefined) return oldest;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

/** Returns whether a recording has the exit of its agent. */
export function hasEnded(path: string): boolean {
  const file = open(path);
  try {
    const buffer = Buffer.alloc(PIECE);
    let tail = "";
    for (let size = 1; size > 0;) {
      size = readSync(file, buffer, 0, PIECE, null);
      tail = (tail + buffer.toString("latin1", Math.max(0, size - 200), size)).slice(-200);
    }
    return EXIT.test(tail);
  } finally {
    closeSync(file);
  }
}

function isOutdated(path: string): boolean {
  const [newest] = recordings();
  return newest !== undefined && basename(newest) > basename(path);
}

function open(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw toOutputError(error, path);
  }
}

function watchFile(path: string): { next(): Promise<void>; close(): void } {
  let wake = (): void => {};
  let hasGrown = false;
  const notice = (): void => {
    hasGrown = true;
    wake();
  };
  const watcher = watch(path, notice);
  watcher.on("error", () => watcher.close());
  return {
    next: async () => {
      if (!hasGrown)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasGrown = false;
    },
    close: () => watcher.close(),
  };
}
