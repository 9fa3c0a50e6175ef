import { startTimer } from "./timer.js";

/** Counts the handlers that run, so that the end of a connection can wait for them. */
export class RunningHandlers {
  #count = 0;
  #whenNone: (() => void) | undefined;

  started(): void {
    this.#count++;
  }

  readonly ended = (): void => {
    if (--this.#count === 0) this.#whenNone?.();
  };

  /**
   * Runs a function once no handler runs any more.
   *
   * @param graceMs the longest time until then, in milliseconds
   */
  whenNone(graceMs: number, run: () => void): void {
    if (this.#count === 0) return run();
    const stop = startTimer(graceMs, run, true);
    this.#whenNone = () => {
      stop();
      run();
    };
  }
}
