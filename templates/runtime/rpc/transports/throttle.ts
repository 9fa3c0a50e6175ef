/** The time for which an output may be blocked before the threshold is raised, in milliseconds. */
const RAISE_INTERVAL = 1000;

/** The highest threshold, as a multiple of the limit. */
const MAX_THRESHOLD = 32;

/** The input and output of a throttle. */
export interface ThrottleOptions {
  /** The unsent amount above which reading pauses. */
  readonly limit: number;
  /** Returns how much is unsent now, in the unit of the limit; 0 when the output can take no more at all. */
  unsent(): number;
  pause(): void;
  resume(): void;
}

/** Pauses the input of a transport while its output is blocked. */
export interface Throttle {
  /** Pauses or resumes the input; called whenever data was handed to the output or left it. */
  update(): void;
}

/**
 * Creates the throttle of a transport. Reading pauses while more than `limit` is unsent, since the
 * answers to a peer that sends but never reads would otherwise fill the memory. Waiting handlers
 * do not pause it, since the messages that they wait for may be in the input.
 *
 * Two peers that both pause would wait for each other forever. The limit is therefore expected to
 * be far above the high water mark of a stream, which a single message exceeds, and the threshold
 * rises by another limit for every second in which the output stays blocked, up to 32 times the
 * limit: two busy peers make progress, and the memory for a peer that never reads stays bounded.
 */
export function createThrottle({ limit, unsent, pause, resume }: ThrottleOptions): Throttle {
  let threshold = limit;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const update = (): void => {
    const amount = unsent();
    if (amount <= limit) threshold = limit;
    if (amount > threshold === isPaused) return;
    isPaused = !isPaused;
    if (isPaused) {
      pause();
      wait();
    } else {
      clearTimeout(timer);
      resume();
    }
  };
  const wait = (): void => {
    if (threshold < limit * MAX_THRESHOLD) timer = setTimeout(raise, RAISE_INTERVAL);
  };
  const raise = (): void => {
    threshold += limit;
    if (unsent() > threshold) wait();
    else update();
  };
  return { update };
}
