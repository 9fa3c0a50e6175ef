/** Shows progress on a terminal; prints nothing otherwise. */
export interface Progress {
  readonly show: (bytes: number, lines: number) => void;
  /** Clears the line, so that something else can be printed. */
  readonly clear: () => void;
}

/** The shortest time between two updates, in milliseconds. */
const INTERVAL = 100;

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

/**
 * Creates the progress of one run.
 *
 * @param total the number of bytes; undefined when unknown
 * @param clock the time in milliseconds
 */
export function createProgress(
  total: number | undefined,
  stream: ProgressStream = process.stderr,
  clock: () => number = Date.now,
): Progress {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  let last = clock();
  let isShown = false;
  return {
    show: (bytes, lines) => {
      const now = clock();
      if (now - last < INTERVAL) return;
      last = now;
      isShown = true;
      const share = total ? `${Math.min(100, Math.floor((bytes / total) * 100))} %, ` : "";
      stream.write(`\r\x1b[K${share}${(bytes / 1e6).toFixed(1)} MB, ${lines} lines`);
    },
    clear: () => {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}
