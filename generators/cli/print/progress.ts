/** How a long run goes on, on a terminal; silent anywhere else. */
export interface Progress {
  readonly show: (bytes: number, lines: number) => void;
  /** Takes the line away, so that something else can be printed. */
  readonly clear: () => void;
}

/** Nobody reads faster, in milliseconds. */
const INTERVAL = 100;

/** What progress is written to. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

/**
 * @param total how many bytes there are; undefined when that is not known
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
