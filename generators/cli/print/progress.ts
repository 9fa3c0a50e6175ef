/** A line of a terminal that shows how far a run is; prints nothing where there is no terminal. */
export interface StatusLine {
  /** Replaces the text, if the last time was long enough ago. */
  readonly show: (text: () => string) => void;
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
 * Creates the status line of one run.
 *
 * @param clock the time in milliseconds
 */
export function createStatusLine(
  stream: ProgressStream = process.stderr,
  clock: () => number = Date.now,
): StatusLine {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  let last = clock();
  let isShown = false;
  return {
    show: (text) => {
      const now = clock();
      if (now - last < INTERVAL) return;
      last = now;
      isShown = true;
      stream.write(`\r\x1b[K${text()}`);
    },
    clear: () => {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}

/** Shows on a terminal how much of a file was read. */
export interface Progress {
  readonly show: (bytes: number, lines: number) => void;
  /** Clears the line, so that something else can be printed. */
  readonly clear: () => void;
}

/**
 * Creates the progress of reading one file.
 *
 * @param total the number of bytes; undefined when unknown
 * @param clock the time in milliseconds
 */
export function createProgress(
  total: number | undefined,
  stream?: ProgressStream,
  clock?: () => number,
): Progress {
  const line = createStatusLine(stream, clock);
  return {
    show: (bytes, lines) =>
      line.show(() => {
        const share = total ? `${Math.min(100, Math.floor((bytes / total) * 100))} %, ` : "";
        return `${share}${(bytes / 1e6).toFixed(1)} MB, ${lines} lines`;
      }),
    clear: line.clear,
  };
}
