// Plays one side of a script: sends its steps, answers those of the other side, and
// notes what is not as the script says.

/** One side of a conversation, whatever library it is written with. */
export class Player {
  /** What was not as the script says. */
  problems = [];
  #expected = new Map();
  #handled = new Map();
  #caller;
  #fail;

  /**
   * @param script see scripts/steps.mjs
   * @param side `client`, which begins, or `agent`
   * @param caller `request(method, params, signal)` and `notify(method, params)` of the library
   * @param fail makes the library's error with a code
   */
  constructor(script, side, caller, fail) {
    this.#caller = caller;
    this.#fail = fail;
    this.#expect([...script.steps, ...script.last], side === "agent");
  }

  /** Sends steps one after another, each when the one before is over. */
  async play(steps = []) {
    for (const step of steps) await this.#send(step);
  }

  /** Handles what the other side sends. */
  async receive(kind, method, params, signal) {
    const step = this.#expected.get(`${kind} ${method}`)?.shift();
    if (step === undefined) return this.problems.push(`${kind} ${method} is not expected now`);
    this.compare(params, step.params, `params of ${method}`);
    await this.play(step.before);
    await this.#arrived(step.meanwhile);
    if (step.cancel) await aborted(signal);
    const { resolve } = this.#handled.get(step);
    if (step.after === undefined) resolve();
    // The answer is on its way before anything else is said.
    else setImmediate(() => void this.play(step.after).then(resolve, this.#note));
    if (step.error === CANCELLED) throw new DOMException("aborted", "AbortError");
    if (step.error !== undefined) throw this.#fail(step.error);
    return step.result;
  }

  /** All problems, when the conversation is over. */
  finish() {
    for (const [name, { length }] of this.#expected)
      if (length > 0) this.problems.push(`${name} did not come ${length} times`);
    return this.problems;
  }

  /** The names of the methods that come in, with their kinds. */
  get incoming() {
    return [...this.#expected.keys()].map((key) => key.split(" "));
  }

  async #send(step) {
    if (step.notify !== undefined) {
      await this.#caller.notify(step.notify, step.params);
      return this.#arrived(step.after);
    }
    const controller = new AbortController();
    const answer = this.#caller.request(step.request, step.params, controller.signal).then(
      (result) => this.compare(result, step.result, `result of ${step.request}`),
      (error) => {
        // Our calls end when they are aborted; those of the official SDK wait for the answer.
        if (step.cancel && error === controller.signal.reason) return;
        this.compare(error?.code ?? error, step.error, `error of ${step.request}`);
      },
    );
    await this.play(step.meanwhile);
    await this.#arrived(step.before);
    if (step.cancel) controller.abort();
    await answer;
    await this.#arrived(step.after);
  }

  /** Notes which steps come in and, of these, when each is handled. */
  #expect(steps, isIncoming) {
    for (const step of steps) {
      if (isIncoming) {
        const key = step.notify ? `notification ${step.notify}` : `request ${step.request}`;
        if (!this.#expected.has(key)) this.#expected.set(key, []);
        if (this.#handled.has(step)) throw new Error(`the script has one step twice: ${key}`);
        this.#expected.get(key).push(step);
        this.#handled.set(step, deferred());
      }
      this.#expect(step.before ?? [], !isIncoming);
      this.#expect(step.meanwhile ?? [], isIncoming);
      this.#expect(step.after ?? [], !isIncoming);
    }
  }

  async #arrived(steps = []) {
    for (const step of steps) await this.#handled.get(step).promise;
  }

  /** Notes where a value lacks something of what it should be. */
  compare(actual, expected, place) {
    const difference = findDifference(actual, expected);
    if (difference !== undefined) this.problems.push(`${place}${difference}`);
  }

  #note = (error) => void this.problems.push(String(error));
}

const CANCELLED = -32800;

/** Where a value lacks something of another; it may have more, since receivers insert defaults. */
function findDifference(actual, expected) {
  if (typeof expected !== "object" || expected === null || typeof actual !== "object")
    return Object.is(actual, expected)
      ? undefined
      : `: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
  if (actual === null || Array.isArray(actual) !== Array.isArray(expected)) return ": other kind";
  if (Array.isArray(expected) && actual.length !== expected.length) return ": other length";
  for (const [key, value] of Object.entries(expected)) {
    const difference = findDifference(actual[key], value);
    if (difference !== undefined) return `/${key}${difference}`;
  }
  return undefined;
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

function aborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", resolve, { once: true });
  });
}
