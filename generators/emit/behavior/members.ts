import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import { didYouMean, jsonPointer, type Problem } from "../../schema/problem.js";
import type { StepSource } from "../../schema/source/behavior-source.js";

type Accepts = (value: Json) => boolean;

const isCount: Accepts = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

const isRising: Accepts = (value) =>
  Array.isArray(value) &&
  (value as readonly Json[]).every(
    (one, index) => isCount(one) && (index === 0 || Number(one) > Number(value[index - 1])),
  );

/** The types of members: the words of an error message, and the values. A text as a step has `{}`. */
const TYPES = {
  any: ["any value", () => true],
  match: ["any value", () => true],
  matches: ["a list", Array.isArray],
  pattern: ["a value or a pattern", (value) => JSON.stringify(value) !== "{}"],
  text: ["a text", (value) => typeof value === "string"],
  place: ["a session", (value) => typeof value === "string" || JSON.stringify(value) === "{}"],
  content: ["a text or a list", (value) => typeof value === "string" || Array.isArray(value)],
  object: ["an object", isObject],
  list: ["a list", Array.isArray],
  messages: ["an object or a list of objects", (value) => [value].flat().every(isObject)],
  count: ["a whole number from 0 on", isCount],
  places: ["rising whole numbers", isRising],
  // Timers of Node.js overflow beyond it.
  ms: [
    "a whole number of milliseconds below 2 ** 31",
    (value) => isCount(value) && Number(value) < 2 ** 31,
  ],
  hex: ["pairs of hexadecimal digits", (value) => /^([\da-f]{2})*$/i.test(String(value))],
  code: ["a whole number", Number.isSafeInteger],
} satisfies { readonly [type: string]: readonly [string, Accepts] };

/** The types of members that messages are compared with. */
const COMPARED: ReadonlySet<unknown> = new Set(["match", "matches", "pattern", "content"]);

/** The members that make an object of a pattern a test rather than a subset. */
export const OPERATORS = [
  "$let",
  "$any",
  "$absent",
  "$in",
  "$not",
  "$has",
  "$size",
  "$items",
] as const;

/** The members of steps, each with its type, or with the values that it can have. */
export type StepMembers = {
  readonly [step: string]: { readonly [member: string]: keyof typeof TYPES | readonly Json[] };
};

/** The steps that are played as they are written. */
export const PLAIN = {
  send: { send: "messages" },
  sendText: { sendText: "text", cut: "places" },
  sendHex: { sendHex: "hex" },
  flood: { flood: "object", count: "count" },
  expect: { expect: "match", skip: "matches", without: "text", race: "match", among: "match" },
  expectEach: { expectEach: "match", count: "count", skip: "matches" },
  expectAll: { expectAll: "matches", skip: "matches" },
  expectNone: { expectNone: "match", within: "ms" },
  pause: { pause: "ms" },
  close: { close: [true] },
  expectExit: { expectExit: "ms", code: "count" },
  output: { output: ["pause", "resume", "close"] },
  signal: { signal: "text" },
} as const satisfies StepMembers;

/** The abbreviations of scripts for agents; see `agentSteps`. */
export const FOR_AGENTS = {
  initialize: { initialize: "object" },
  open: { open: "object" },
  new: { new: "text", params: "object" },
  prompt: { prompt: "content", as: "text", in: "text", unanswered: [true, false] },
  says: { says: "pattern", in: "text" },
  /** Expects so many chunks of the agent's message, the texts of which are numbers from 0 on. */
  counts: { counts: "count", in: "text" },
  ends: { ends: "pattern", of: "text", in: "text" },
  cancel: { cancel: "place" },
  call: {
    call: "text",
    params: "object",
    as: "text",
    returns: "match",
    fails: "code",
    without: "text",
  },
  asks: { asks: "text", as: "text", params: "match" },
  reply: { reply: "any", to: "text" },
  refuse: { refuse: "code", to: "text" },
} as const satisfies StepMembers;

/** The abbreviations of scripts for clients; see `clientSteps`. */
export const FOR_CLIENTS = {
  connect: { connect: "object", auth: "list" },
  new: { new: "text", as: "text", result: "object" },
  open: { open: "object", auth: "list", result: "object" },
  turn: { turn: "pattern", as: "text", in: "text" },
  end: { end: "text", of: "text", in: "text" },
  fail: { fail: "code", of: "text" },
  /** Sends a chunk that a testee takes for a command. */
  do: { do: "text" },
  chunk: { chunk: "text", in: "text", messageId: "text" },
  update: { update: "object", in: "text" },
  expects: { expects: "text", as: "text", params: "match" },
  answer: { answer: "any", to: "text" },
  refuse: { refuse: "code", to: "text" },
  ask: { ask: "text", in: "text" },
  answered: { answered: "text", with: ["allow", "reject", "cancelled"] },
  elicit: { elicit: "text", in: "text" },
  elicited: { elicited: "text", with: ["accept", "decline", "cancel"] },
  cancelled: { cancelled: "place" },
  /** Let a testee send what has happened since the last time, or the state of its session. */
  log: { log: "list" },
  state: { state: "list" },
  together: { together: "list" },
} as const satisfies StepMembers;

/** The steps of clients that send messages, for one write. */
const SENDING = "send end fail do chunk update answer refuse ask elicit".split(" ");
const TOGETHER: StepMembers = Object.fromEntries(
  Object.entries({ ...PLAIN, ...FOR_CLIENTS }).filter(([name]) => SENDING.includes(name)),
);

/** The members that a step requires, besides the one with its name. */
const REQUIRED: ReadonlySet<string> = new Set(["count", "within", "with"]);

/** The steps of testees, which the script of a mock has no use for. */
export const OF_TESTEES = {
  agent: ["counts"],
  client: ["open", "do", "log", "state"],
} as const;

/** Steps that need one of several members. */
const ALTERNATIVES: { readonly [step: string]: readonly [string, string] } = {
  call: ["returns", "fails"],
};

/** Returns a step as an object: a text is one without a value. */
export function wholeStep(step: StepSource): JsonObject {
  return isObject(step) ? step : { [String(step)]: {} };
}

/** Returns the name of a step: the first member with the name of one. */
export function stepName(whole: JsonObject, known: object): string | undefined {
  return Object.keys(whole).find((name) => Object.hasOwn(known, name));
}

/**
 * Returns what is wrong with the members of steps: a step or a member that there is not, one that
 * is absent, and values of another type.
 *
 * @param first the number of steps before these
 * @param pointer the place of the steps in their document
 */
export function checkSteps(
  steps: readonly StepSource[],
  known: StepMembers,
  first = 0,
  pointer = "/steps",
): readonly Problem[] {
  return steps.flatMap((step, index): readonly Problem[] => {
    const place = `${pointer}/${first + index}`;
    const whole = wholeStep(step);
    const name = stepName(whole, known);
    const [given = ""] = Object.keys(whole);
    if (name === undefined)
      return [unknown(place, `there is no step "${given}" here`, given, known)];
    const members = known[name]!;
    const either = ALTERNATIVES[name];
    const isEither = either === undefined || either.filter((one) => one in whole).length === 1;
    const absent = Object.keys(members).filter((one) => REQUIRED.has(one) && !(one in whole));
    return [
      ...absent.map((one) => ({ pointer: place, message: `the step "${name}" requires "${one}"` })),
      ...(isEither
        ? []
        : [
            {
              pointer: place,
              message: `the step "${name}" requires either "${either.join('" or "')}"`,
            },
          ]),
      ...Object.entries(whole).flatMap(([member, value]): readonly Problem[] => {
        const own = typeof step === "string" ? place : place + jsonPointer([member]);
        if (!Object.hasOwn(members, member))
          return [unknown(own, `the step "${name}" has no member "${member}"`, member, members)];
        if (name === "together" && Array.isArray(value))
          return checkSteps(value as readonly StepSource[], TOGETHER, 0, own);
        const type = members[member]!;
        const [expected, accepts]: readonly [string, Accepts] =
          typeof type === "string"
            ? TYPES[type]
            : [type.map((one) => JSON.stringify(one)).join(" or "), (one) => type.includes(one)];
        if (accepts(value)) return COMPARED.has(type) ? checkPattern(value, own) : [];
        const found = JSON.stringify(value).slice(0, 80);
        return [{ pointer: own, message: `"${member}" must be ${expected}, not ${found}` }];
      }),
    ];
  });
}

/** Returns the objects of a pattern whose only member looks like a test, and is none. */
export function checkPattern(pattern: Json, pointer: string): readonly Problem[] {
  if (!isObject(pattern) && !Array.isArray(pattern)) return [];
  const entries = Object.entries(pattern as JsonObject);
  const [name = ""] = Object.keys(pattern);
  // Messages may have schemas in them.
  const isTest = isObject(pattern) && entries.length === 1 && /^\$(?!ref$)/.test(name);
  if (isTest && !OPERATORS.some((one) => one === name)) {
    const hint = didYouMean(name, OPERATORS, `Known: ${OPERATORS.join(", ")}.`);
    return [{ pointer, message: `a pattern has no "${name}"`, hint }];
  }
  return entries.flatMap(([key, part]) => checkPattern(part, pointer + jsonPointer([key])));
}

function unknown(pointer: string, message: string, name: string, known: object): Problem {
  const names = Object.keys(known);
  return { pointer, message, hint: didYouMean(name, names, `Known: ${names.join(", ")}.`) };
}
