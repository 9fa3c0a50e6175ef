import type { Protocol } from "../../model/protocol.js";
import type {
  BehaviorSource,
  MockScript,
  ScriptSource,
  Subject,
} from "../../schema/source/behavior-source.js";
import type { JsonObject } from "../../schema/json-schema/json.js";
import { InputError, type Problem } from "../../schema/problem.js";
import { agentSteps } from "./agent-steps.js";
import { clientSteps } from "./client-steps.js";
import {
  checkPattern,
  checkSteps,
  FOR_AGENTS,
  FOR_CLIENTS,
  OF_TESTEES,
  PLAIN,
  type StepMembers,
  wholeStep,
} from "./members.js";
import type { ScriptedBehavior, MessagePattern, Reply, BehaviorScript } from "./script.js";
import { findUnasked, findUnbound } from "./variables.js";

/**
 * Returns the scripts that a profile can play, in the form of its version: those for
 * its version whose methods and features it has.
 *
 * @throws InputError for a step that no script may have, and for a variable without a value
 */
export function expandBehavior(
  protocol: Protocol,
  { rules, scripts }: BehaviorSource,
): ScriptedBehavior {
  const known = new Set(protocol.methods.map(({ name }) => name));
  const on = new Set(protocol.features.map(({ name }) => name));
  const own = scripts
    .filter(({ versions }) => versions?.includes(protocol.versionNumber) ?? true)
    .filter(({ methods = [] }) => methods.every((name) => known.has(name)))
    .filter(({ features = [] }) => features.every((name) => on.has(name)))
    .map((script) => expandScript(script, protocol.versionNumber));
  const shown = new Set(own.map(({ rule }) => rule));
  return {
    rules: Object.fromEntries(Object.entries(rules).filter(([id]) => shown.has(id))),
    scripts: own,
  };
}

function expandScript(source: ScriptSource, version: number): BehaviorScript {
  const { id, subject, says, rule, level, any, breaks } = source;
  const isAny = any === true;
  const place = `${subject}/${id}`;
  const needs = needsOf(source, version);
  const skip = [...(source.skip ?? []), ...skippedBy(subject, version, isAny)];
  const replies = isAny && subject === "agent" ? { replies: REFUSALS } : {};
  const { steps } = expandSteps(
    { ...replies, skip, steps: source.steps },
    { subject, version, isAny, file: place },
  );
  return {
    id: place,
    subject,
    says,
    rule,
    level,
    version,
    testee: !isAny,
    ...(JSON.stringify(steps).includes(PROMPT) && { prompted: true as const }),
    ...(needs.length > 0 && { needs }),
    ...(skip.length > 0 && { skip }),
    ...replies,
    ...(breaks !== undefined && { breaks }),
    steps,
  };
}

/**
 * Returns the steps with which a script plays a side, each with the number of the written step that
 * it belongs to, and what may come at any time: a client ignores other notifications and refuses
 * other requests.
 *
 * @param side the side that is played
 * @param file the file of the script, as problems name it
 * @throws InputError for a step that the side does not have, and for a variable without a value
 */
export function expandMock(
  { version = 1, steps, skip = [], replies = [] }: MockScript,
  side: Subject,
  file: string,
): Pick<BehaviorScript, "steps" | "skip" | "replies"> & { readonly origins: readonly number[] } {
  const all =
    side === "agent"
      ? { steps, skip, replies }
      : { steps, skip: [...skip, ...ANY_NOTIFICATION], replies: [...replies, ...REFUSALS] };
  const subject = side === "agent" ? "client" : "agent";
  return { ...all, ...expandSteps(all, { subject, version, isAny: true, file, isMock: true }) };
}

/** Returns steps in full, each with the number of the written step that it belongs to. */
function expandSteps(
  { steps, ...rest }: Pick<MockScript, "steps" | "skip" | "replies">,
  kind: {
    readonly subject: Subject;
    readonly version: number;
    readonly isAny: boolean;
    readonly isMock?: true;
    readonly file: string;
  },
) {
  const { subject, version, isAny, isMock = false, file } = kind;
  // The client of a mock is not a program of ours.
  const { close: _, signal: __, ...onStreams } = PLAIN;
  const [plain, own, expand] =
    subject === "agent"
      ? [PLAIN, FOR_AGENTS, agentSteps(version, isAny)]
      : [isMock ? onStreams : PLAIN, FOR_CLIENTS, clientSteps(version, isAny)];
  const members: StepMembers = { ...plain, ...own };
  const known = Object.entries(members).filter(
    ([name]) => !isMock || !OF_TESTEES[subject].some((one) => one === name),
  );
  const checked = steps.map((step, index) => ({
    number: index + 1,
    whole: wholeStep(step),
    problems: checkSteps([step], Object.fromEntries(known), index),
  }));
  const right = checked.filter(({ problems }) => problems.length === 0);
  const mistaken = checked.filter(({ problems }) => problems.length > 0).flatMap(textsOf);
  const expanded = right.flatMap(({ number }) =>
    expand(steps[number - 1]!).map((step) => ({ step, number })),
  );
  const all = expanded.map(({ step }) => step);
  const origins = expanded.map(({ number }) => number);
  const { skip = [], replies = [] } = rest;
  const problems: readonly Problem[] = [
    ...checked.flatMap((one) => one.problems),
    ...skip.flatMap((one, index) => checkPattern(one, `/skip/${index}`)),
    ...replies.flatMap(({ to }, index) => checkPattern(to, `/replies/${index}/to`)),
    ...findUnbound({ ...rest, steps: all }, origins, isMock ? [] : ["prompt"], mistaken),
    ...(mistaken.length > 0 ? [] : findUnasked(right.map(({ number, whole }) => [number, whole]))),
  ];
  if (problems.length > 0) throw new InputError(problems.map((one) => ({ file, ...one })));
  return { steps: all, origins };
}

/** Returns what a step that is not expanded may have bound: all of its texts, and its name. */
function textsOf({ whole }: { readonly whole: JsonObject }): readonly string[] {
  return JSON.stringify(whole).match(/[\w-]+/g) ?? [];
}

/** The variable with the prompt that the user of the driver gives. */
const PROMPT = '"$prompt"';

/** Returns the paths below the capabilities that a subject must have advertised. */
function needsOf({ subject, needs = [] }: ScriptSource, version: number): readonly string[] {
  const own = Array.isArray(needs)
    ? (needs as readonly string[])
    : ((needs as { readonly [version: string]: readonly string[] })[String(version)] ?? []);
  const holder = version === 1 ? `${subject}Capabilities` : "capabilities";
  return own.map((path) => `${holder}.${path}`);
}

/** Returns the messages that may come at any time. */
function skippedBy(subject: string, version: number, isAny: boolean): readonly MessagePattern[] {
  if (isAny) return ANY_NOTIFICATION;
  if (subject === "client" || version === 1) return [];
  const update = (fields: JsonObject): MessagePattern => ({
    method: "session/update",
    params: { update: fields },
  });
  return [
    update({ sessionUpdate: "user_message" }),
    update({ sessionUpdate: "state_update", state: "running" }),
  ];
}

/** Agents may send updates, and notifications of their own, at any time. */
const ANY_NOTIFICATION: readonly MessagePattern[] = [
  { method: { $any: true }, id: { $absent: true } },
];

/** The requests of agents that nobody prepared for the script. */
export const REFUSALS: readonly Reply[] = [
  {
    to: { method: "session/request_permission" },
    send: { id: "$id", result: { outcome: { outcome: "cancelled" } } },
  },
  { to: { method: "elicitation/create" }, send: { id: "$id", result: { action: "cancel" } } },
  {
    to: { method: { $any: true }, id: { $any: true } },
    send: { id: "$id", error: { code: -32601, message: "Method not found" } },
  },
];
