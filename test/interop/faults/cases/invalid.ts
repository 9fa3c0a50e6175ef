import { isDeepStrictEqual } from "node:util";
import { createOutcome, type Fault, type Outcome } from "../fault.js";
import type { Side } from "../../transcript.js";
import { createPeers, type Peers } from "../peers.js";
import { isValid, makeMethodValues, MUTATIONS, type Values } from "../schema.js";
import * as attempts from "../verdict.js";
import type { Attempt, Verdict } from "../verdict.js";

const RECEIVED =
  "refused with the place, or repaired or kept as unknown and reported; valid ones complete";
const SENT = "refused with the place; valid ones whole";

/** A check that has no effect is tried with one value in five, to save time. */
const SAMPLE = 5;

const methods = makeMethodValues();

const all = (what: string): string => `${what}: ${MUTATIONS} mutations and 10 valid ones a method`;

/** One way of values through a peer. */
interface Way {
  readonly part: "params" | "result";
  /** Whether the peer handles the methods, or calls them. */
  readonly direction: "handles" | "calls";
  /** Which values must pass: nobody sends undeclared properties by mistake. */
  readonly passing: "valid" | "declared";
  readonly attempt: Attempt;
}

const WAYS = {
  paramsIn: {
    part: "params",
    direction: "handles",
    passing: "valid",
    attempt: attempts.receiveParams,
  },
  resultsIn: {
    part: "result",
    direction: "calls",
    passing: "valid",
    attempt: attempts.receiveResult,
  },
  paramsOut: {
    part: "params",
    direction: "calls",
    passing: "declared",
    attempt: attempts.sendParams,
  },
  resultsOut: {
    part: "result",
    direction: "handles",
    passing: "declared",
    attempt: attempts.sendResult,
  },
} as const satisfies Record<string, Way>;

/** Each in both roles. */
export const invalid: readonly Fault[] = [
  { id: "B17", fault: all("params received"), asked: RECEIVED, run: tryAll(WAYS.paramsIn) },
  { id: "B17", fault: all("results received"), asked: RECEIVED, run: tryAll(WAYS.resultsIn) },
  { id: "B17", fault: all("params sent"), asked: SENT, run: tryAll(WAYS.paramsOut) },
  { id: "B17", fault: all("results sent"), asked: SENT, run: tryAll(WAYS.resultsOut) },
];

/** The fates of invalid values; `missed` ones have reached somebody as they are. */
type Fate = "refused" | "repaired" | "unknown" | "missed" | "died";

interface Counts extends Record<Fate, number> {
  /** Refused without the place, or repaired without a word. */
  unreported: number;
  /** Valid values that were refused or changed. */
  alarms: number;
  readonly examples: string[];
}

function tryAll(way: Way): Fault["run"] {
  return async (library) => {
    const counts: Counts = {
      ...{ refused: 0, repaired: 0, unknown: 0, missed: 0, died: 0, unreported: 0, alarms: 0 },
      examples: [],
    };
    for (const role of ["agent", "client"] as const) {
      const peers = createPeers(library, { role });
      try {
        await tryRole(role, way, peers, counts, library === "sdk" ? SAMPLE : 1);
      } finally {
        await peers.end();
      }
    }
    return outcomeOf(counts);
  };
}

async function tryRole(
  role: Side,
  way: Way,
  peers: Peers,
  counts: Counts,
  step: number,
): Promise<void> {
  for (const method of methods) {
    const isHandled = method.side === role;
    const values = method[way.part];
    if (values === undefined || isHandled !== (way.direction === "handles")) continue;
    const tryOne = (value: unknown): Promise<Verdict | undefined> =>
      peers.use<Verdict | undefined>(
        (peer) => way.attempt(peer, method, value),
        () => undefined,
      );
    const tried = {
      definition: values.definition,
      valid: values[way.passing],
      invalid: values.invalid.filter((_, index) => index % step === 0),
    };
    await tryValues(method.name, tried, tryOne, counts);
  }
}

async function tryValues(
  name: string,
  { definition, valid, invalid }: Omit<Values, "declared">,
  tryOne: (value: unknown) => Promise<Verdict | undefined>,
  counts: Counts,
): Promise<void> {
  const note = (what: string, value: unknown): void =>
    void counts.examples.push(`${name} ${what} ${JSON.stringify(value).slice(0, 200)}`);
  // Valid ones first: what is said of a session decides what may be chosen in it later.
  for (const value of valid) {
    const verdict = await tryOne(value);
    if (verdict?.kind === "passed" && keeps(value, verdict.value)) continue;
    counts.alarms++;
    note("takes offense at", value);
  }
  for (const value of invalid) {
    const verdict = await tryOne(value);
    const fate = fateOf(verdict, definition);
    counts[fate]++;
    if (fate === "missed" || fate === "died") note(fate, value);
    else if (!isReported(verdict!, value)) {
      counts.unreported++;
      note(`${fate} without a word`, value);
    }
  }
}

function fateOf(verdict: Verdict | undefined, definition: string): Fate {
  if (verdict === undefined) return "died";
  if (verdict.kind === "refused") return "refused";
  if (isValid(definition, verdict.value)) return "repaired";
  return verdict.dropped?.some(({ rule }) => rule === "unknown") ? "unknown" : "missed";
}

function isReported(verdict: Verdict, value: unknown): boolean {
  if (verdict.kind === "refused") return verdict.hasPlace;
  // Instead of params or a result, `null` is none, which is an empty object here.
  if (value === null) return true;
  return verdict.dropped === undefined || verdict.dropped.length > 0;
}

function outcomeOf({ examples, ...counts }: Counts): Outcome {
  const { refused, repaired, unknown, missed, died, unreported, alarms } = counts;
  const tried = refused + repaired + unknown + missed + died;
  const fates = `of ${tried} invalid: ${refused} refused, ${repaired} repaired, ${unknown} kept as unknown, ${missed} missed`;
  const rest = `${unreported} unreported, ${alarms} valid ones not complete`;
  const { figure, mistakes } = createOutcome(
    `${fates}${died > 0 ? `, ${died} died` : ""}; ${rest}`,
    {
      "none is missed": missed + died === 0,
      "everything is reported": unreported === 0,
      "valid values pass whole": alarms === 0,
    },
  );
  return { figure, mistakes: [...mistakes, ...examples.slice(0, 20)] };
}

/** Whether everything in a value is still there; defaults may have been added. */
function keeps(value: unknown, received: unknown): boolean {
  if (typeof value !== "object" || value === null) return isDeepStrictEqual(value, received);
  if (typeof received !== "object" || received === null) return false;
  if (Array.isArray(value) !== Array.isArray(received)) return false;
  if (Array.isArray(value) && value.length !== (received as unknown[]).length) return false;
  return Object.entries(value).every(
    ([key, part]) =>
      Object.hasOwn(received, key) && keeps(part, (received as Record<string, unknown>)[key]),
  );
}
