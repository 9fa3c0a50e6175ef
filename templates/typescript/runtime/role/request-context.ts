/** The part of a context that only the handlers of requests have. */
export interface RequestContext {
  /**
   * Runs a function right after the response, before anything else is handled: the place for what
   * belongs behind an answer, such as the commands of a session that was just opened. Functions
   * run in the order in which they were given; a promise that one returns is not awaited, and its
   * error is reported like that of a handler. They are dropped when the request is answered with
   * an error. After the response, a function runs at once.
   */
  afterResponse(run: () => unknown): void;
}
