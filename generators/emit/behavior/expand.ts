import type { Protocol } from "../../model/protocol.js";
import type {
  BehaviorSource,
  MockScript,
  ScriptSource,
  StepSource,
  Subject,
} from "../../schema/source/behavior-source.js";
import type { JsonObject } from "../../schema/json-schema/json.js";
import { agentSteps } from "./agent-steps.js";
import { clientSteps } from "./client-steps.js";
import type { ScriptedBehavior, MessagePattern, Reply, Script, ScriptStep } from "./script.js";
import type { ExpandStep } from "./steps.js";

/**
 * Returns the scripts that a profile can play, in the form of its version: those for
 * its version whose methods and features it has.
 *
 * @throws Error for a step that no script may have
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

function expandScript(source: ScriptSource, version: number): Script {
  const { id, subject, says, rule, level, any, breaks, steps } = source;
  const needs = needsOf(source, version);
  const expand = createExpand((own) =>
    subject === "agent" ? agentSteps(own, any === true) : clientSteps(own),
  );
  const expanded = steps.flatMap((step, index) =>
    expand(step, version, `${subject}/${id}, step ${index + 1}`),
  );
  const skip = [...(source.skip ?? []), ...skippedBy(subject, version, any === true)];
  return {
    id: `${subject}/${id}`,
    subject,
    says,
    rule,
    level,
    version,
    testee: any !== true,
    ...(JSON.stringify(expanded).includes(PROMPT) && { prompted: true as const }),
    ...(needs.length > 0 && { needs }),
    ...(skip.length > 0 && { skip }),
    ...(any === true && subject === "agent" && { replies: REFUSALS }),
    ...(breaks !== undefined && { breaks }),
    steps: expanded,
  };
}

/**
 * Returns the steps with which a script plays a side, each with the number of the written step that
 * it belongs to, and what may come at any time: a client ignores other updates and refuses other
 * requests.
 *
 * @param side the side that is played
 * @throws Error for a step that no script may have
 */
export function expandMock(
  { version = 1, steps, skip = [], replies = [] }: MockScript,
  side: Subject,
): Pick<Script, "steps" | "skip" | "replies"> & { readonly origins: readonly number[] } {
  const expand = createExpand((own) => (side === "agent" ? clientSteps : agentSteps)(own, true));
  const found = steps.map((step, index) => expand(step, version, `step ${index + 1}`));
  return {
    steps: found.flat(),
    origins: found.flatMap((expanded, index) => expanded.map(() => index + 1)),
    ...(side === "agent"
      ? { skip, replies }
      : { skip: [...skip, ...ANY_UPDATE], replies: [...replies, ...REFUSALS] }),
  };
}

/** The versions whose steps have members of their own. */
const VERSIONS = [1, 2];

/** Creates a function that expands a step, or throws for one, or a member, that no script may have. */
function createExpand(
  stepsOf: (version: number) => ExpandStep,
): (step: StepSource, version: number, place: string) => readonly ScriptStep[] {
  const all = VERSIONS.map(stepsOf);
  return (step, version, place) => {
    const found = (all[version - 1] ?? stepsOf(version))(step);
    if (found === undefined) throw new Error(`${place} is unknown: ${JSON.stringify(step)}`);
    const unread = unreadMember(step, all);
    if (unread === undefined) return found;
    throw new Error(`${place} has the unknown member "${unread}": ${JSON.stringify(step)}`);
  };
}

/** Returns a member of an abbreviation that has no meaning in any version. */
function unreadMember(step: StepSource, all: readonly ExpandStep[]): string | undefined {
  if (typeof step === "string") return undefined;
  const read = new Set<PropertyKey>();
  const watched = new Proxy(step, {
    get: (target, name) => {
      read.add(name);
      return target[name as string];
    },
  });
  const [first] = all.map((expand) => expand(watched)?.[0]);
  // What is played as it is written has been checked.
  return (first as unknown) === watched
    ? undefined
    : Object.keys(step).find((name) => !read.has(name));
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
  if (isAny) return ANY_UPDATE;
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

const ANY_UPDATE: readonly MessagePattern[] = [{ method: "session/update" }];

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
