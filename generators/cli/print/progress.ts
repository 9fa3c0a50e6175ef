/** A line of a terminal that shows how far a run is; elsewhere, plain lines from time to time. */
export interface StatusLine {
  /** Replaces the text, if the last time was long enough ago. */
  readonly show: (text: () => string) => void;
  /** Clears the line, so that something else can be printed. */
  readonly clear: () => void;
}

/** The shortest time between two updates, and between two plain lines, in milliseconds. */
const INTERVAL = 100;
const PLAIN_INTERVAL = 5000;

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
  clock: () => number = () => performance.now(),
): StatusLine {
  const isTerminal = stream.isTTY === true;
  let last = clock();
  let isShown = false;
  return {
    show: (text) => {
      const now = clock();
      if (now - last < (isTerminal ? INTERVAL : PLAIN_INTERVAL)) return;
      last = now;
      isShown = isTerminal;
      stream.write(isTerminal ? `\r\x1b[K${text()}` : `${text()}\n`);
    },
    clear: () => {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}

/** Shows how much of a file was read. */
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
