// What a peer does in the fault scripts, whatever library it is written with.

import { readFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url)));

export const facts = read("../facts.json");

/** `role`, and the `limits` of a connection. */
export const options = JSON.parse(process.argv[2]);

const answers = read("fault-answers.json")[options.role];

/** What nobody on the other side of the pipes can see; printed when the process ends. */
const counts = { unhandled: 0 };
process.on("unhandledRejection", () => counts.unhandled++);
process.on("uncaughtException", () => counts.unhandled++);
process.on("exit", () => writeSync(2, `\n${JSON.stringify(counts)}\n`));

/** What was handed to a handler of the protocol since it was last asked for. */
let seen = [];
/** What the library says that it repaired or kept since it was last asked for. */
let dropped = [];
/** What the handlers of the protocol return next. */
let nextAnswer;
const late = [];

export function noteDropped(rules) {
  dropped.push(...rules);
}

function takeDropped() {
  const taken = dropped;
  dropped = [];
  return taken;
}

function answer(method, params) {
  seen.push({ method, params, dropped: takeDropped() });
  if (nextAnswer !== undefined) {
    const { result } = nextAnswer;
    nextAnswer = undefined;
    return result;
  }
  return answers.requests[method];
}

/** The results that no message can carry, and two that one can. */
const RESULTS = {
  "a BigInt": () => 1n,
  "a BigInt inside": () => ({ deep: [1n] }),
  "a cycle": () => {
    const cycle = {};
    cycle.cycle = cycle;
    return cycle;
  },
  "a toJSON that throws": () => ({
    toJSON: () => {
      throw new Error(facts.secret);
    },
  }),
  "a getter that throws": () => ({
    get deep() {
      throw new Error(facts.secret);
    },
  }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return { proxy };
  },
  "a function": () => () => {},
  "a symbol": () => Symbol("result"),
  undefined: () => undefined,
  "a promise of undefined": async () => undefined,
};

const FAILURES = {
  "an Error": () => new Error(facts.secret),
  "an Error with a cause": () => new Error("outer", { cause: new Error(facts.secret) }),
  "a TypeError": () => new TypeError(facts.secret),
  "a DOMException": () => new DOMException(facts.secret, "AbortError"),
  "an error of Node.js": () => Object.assign(new Error(facts.secret), { code: "ENOENT" }),
  "an error with data": () => Object.assign(new Error("outer"), { data: facts.secret }),
  "an object like an error": () => ({ code: -32000, message: facts.secret, data: facts.secret }),
  "a string": () => facts.secret,
};

/**
 * The handlers by method name. Each is given its params, the other side to call
 * back, and its signal.
 *
 * @param countOpen how many calls are open in each direction, when the library tells
 */
export function createBehaviour(countOpen) {
  return {
    requests: {
      ...Object.fromEntries(
        Object.keys(answers.requests).map((method) => [method, (params) => answer(method, params)]),
      ),
      "_fault/echo": (params) => params,
      "_fault/now": () => ({}),
      "_fault/never": () => new Promise(() => {}),
      "_fault/late": () => new Promise((resolve) => late.push(resolve)),
      "_fault/wait": (_params, _other, signal) => untilAborted(signal),
      "_fault/return": ({ what }) => RESULTS[what](),
      "_fault/throw": ({ what }) => {
        throw FAILURES[what]();
      },
      "_fault/reject": async ({ what }) => {
        await sleep(1);
        throw FAILURES[what]();
      },
      "_fault/answer": (given) => {
        nextAnswer = given;
        return {};
      },
      "_fault/seen": () => {
        const taken = seen;
        seen = [];
        return { seen: taken };
      },
      "_fault/call": ({ method, params }, other) => outcomeOf(other.request(method, params)),
      "_fault/notify": ({ method, params }, other) => outcomeOf(other.notify(method, params)),
      "_fault/abandon": ({ count }, other) => abandon(count, other),
      "_fault/memory": () => ({ heap: heapUsed(), open: countOpen() }),
      "_fault/prototype": () => ({
        polluted: {}.polluted !== undefined,
        names: Object.getOwnPropertyNames(Object.prototype).length,
      }),
    },
    notifications: {
      ...Object.fromEntries(
        answers.notifications.map((method) => [method, (params) => receive(method, params)]),
      ),
      "_fault/fail": ({ what }) => {
        throw FAILURES[what]();
      },
      "_fault/release": () => late.splice(0).forEach((resolve) => resolve({ late: true })),
    },
  };
}

function receive(method, params) {
  seen.push({ method, params, dropped: takeDropped() });
}

async function outcomeOf(call) {
  dropped = [];
  try {
    return { value: await call, dropped: takeDropped() };
  } catch (error) {
    const { name, code, data, issues } = error;
    return { failed: name, code, data: data ?? issues?.[0] };
  }
}

/** Makes calls, gives each up, and waits until all have ended. */
async function abandon(count, other) {
  const calls = Array.from({ length: count }, () => {
    const controller = new AbortController();
    const call = other.request("_fault/void", {}, controller.signal).catch(() => {});
    controller.abort();
    return call;
  });
  await Promise.all(calls);
  return {};
}

function heapUsed() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function untilAborted(signal) {
  return new Promise((_, reject) => {
    const abort = () => reject(new DOMException("aborted", "AbortError"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}

/** Waits until a connection has ended, and uses it after that. */
export async function outlive(connection, other) {
  await connection.closed;
  connection.close();
  connection.close();
  await other.request("_fault/void", {}).catch(() => {});
  await other.notify("_fault/void", {}).catch(() => {});
}
