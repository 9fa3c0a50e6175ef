/** Timers that are stopped together. */
export class Timers {
  readonly #running = new Set<ReturnType<typeof setTimeout>>();

  /** Starts a timer. Returns a function that stops it. */
  start(milliseconds: number, run: () => void): () => void {
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      run();
    }, milliseconds);
    this.#running.add(timer);
    return () => {
      clearTimeout(timer);
      this.#running.delete(timer);
    };
  }

  stop(): void {
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
