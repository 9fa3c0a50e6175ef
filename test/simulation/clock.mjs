// Virtual time: replaces the timers of the process. Import it before everything else.

const { setImmediate } = globalThis;

let now = 0;
/** What will happen, by time. */
let events = [];

/**
 * Schedules a function.
 *
 * @param delay milliseconds
 * @param isOurs whether it is of the simulation, not a timer of the program
 */
export function schedule(delay, run, isOurs = true) {
  const event = { at: now + Math.max(0, delay || 0), run, isOurs };
  event.unref = event.ref = () => event;
  const later = events.findIndex(({ at }) => at > event.at);
  events.splice(later < 0 ? events.length : later, 0, event);
  return event;
}

const clear = (event) => void (events = events.filter((one) => one !== event));

globalThis.setTimeout = (run, delay = 0, ...args) =>
  schedule(Math.max(1, delay), () => run(...args), false);
globalThis.setImmediate = (run, ...args) => schedule(0, () => run(...args), false);
globalThis.clearTimeout = globalThis.clearImmediate = clear;
globalThis.setInterval = () => {
  throw new Error("the simulation has no intervals");
};
const START = Date.UTC(2020, 0);
Date.now = () => START + Math.floor(now);
performance.now = () => now;

/** Begins again, without any timers. */
export function reset() {
  now = 0;
  events = [];
}

/** Returns the time in milliseconds. */
export const time = () => now;

/** Returns how many timers of the program are active. */
export const countTimers = () => events.filter(({ isOurs }) => !isOurs).length;

export const sleep = (ms) => new Promise((resolve) => schedule(ms, resolve));

/** Resolves when all microtasks have run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass, event by event. */
export async function pass(ms) {
  const end = now + ms;
  await settle();
  for (let next = events[0]; next !== undefined && next.at <= end; next = events[0]) {
    events.shift();
    now = next.at;
    next.run();
    await settle();
  }
  now = end;
}
