/** How long an output may be stuck before the mark is raised, in milliseconds. */
const STUCK_AFTER = 1000;

/** The highest mark, as a multiple of the limit. */
const HIGHEST_MARK = 32;

/** What a throttle watches and steers. */
export interface ThrottleOptions {
  /** How much may be unsent before reading pauses. */
  readonly limit: number;
  /** How much is unsent now, in the unit of the limit; 0 when the output can take no more at all. */
  unsent(): number;
  pause(): void;
  resume(): void;
}

/** Pauses the input of a channel while its output is blocked. */
export interface Throttle {
  /** Compares and steers; called whenever something was handed to the output or left it. */
  update(): void;
}

/**
 * Makes the throttle of a channel: whoever sends and never reads must not fill
 * the memory with answers, so reading pauses while more than `limit` is unsent.
 * That handlers are waiting is no reason to pause: what they wait for may be in
 * the input.
 *
 * Two peers that both pause wait for each other for ever. So the limit is meant
 * to be far above the high water mark of a stream, which a single message
 * exceeds, and the mark rises by another limit with every second in which the
 * output stays stuck, up to 32 of them: what two busy peers have to say passes,
 * and the memory for one that never reads stays bounded.
 */
export function createThrottle({ limit, unsent, pause, resume }: ThrottleOptions): Throttle {
  let mark = limit;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const update = (): void => {
    const amount = unsent();
    if (amount <= limit) mark = limit;
    if (amount > mark === isPaused) return;
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
    if (mark < limit * HIGHEST_MARK) timer = setTimeout(raise, STUCK_AFTER);
  };
  const raise = (): void => {
    mark += limit;
    if (unsent() > mark) wait();
    else update();
  };
  return { update };
}
