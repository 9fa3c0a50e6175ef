import { isRecord } from "../rpc/messages.js";
import { missingCapability } from "../gates/capability.js";
import type { MethodDescriptor } from "../methods.js";
import { createTurns } from "./mock-turns.js";

/** A message that a mock has received. */
export interface MockCall {
  /** The method's name on the wire. */
  readonly method: string;
  readonly params: unknown;
}

/** Replacements for some of the handlers of a role, in the same groups. */
export type Overrides<Handlers> = {
  readonly [Name in keyof Handlers]?: NonNullable<Handlers[Name]> extends (
    ...args: never[]
  ) => unknown
    ? NonNullable<Handlers[Name]>
    : Overrides<NonNullable<Handlers[Name]>>;
};

/** The data that a mock is created from. */
export interface MockFacts {
  readonly role: "agent" | "client";
  readonly methods: readonly MethodDescriptor[];
  /** Valid values by definition, which contain the results. */
  readonly samples: object;
  /** One session update of every variant, by its tag, which the agent streams during a prompt. */
  readonly updates: object;
  /** The fields of the role's initialize message. */
  readonly advertised: object;
}

type Handler = (params: unknown, context: unknown) => unknown;

/**
 * Creates a handler for every method of a role whose capability is advertised. Handlers answer
 * requests with samples and record everything that they receive.
 *
 * @param overrides replace handlers; their messages are recorded as well
 */
export function mockHandlers<Handlers>(
  facts: MockFacts,
  overrides: Overrides<Handlers>,
): { readonly handlers: Handlers; readonly calls: readonly MockCall[] } {
  const calls: MockCall[] = [];
  const handlers = emptyGroup();
  const behaviors = createBehaviors(facts);
  for (const { name, side, gate, result, handler: path } of facts.methods) {
    if (side !== facts.role || name === "initialize") continue;
    const holder = path.slice(0, -1).reduce(read, overrides);
    const own = read(holder, path.at(-1)!);
    // An override advertises its capability, as every handler does.
    if (own === undefined && !isAdvertised(gate, facts)) continue;
    const sample = result === undefined ? undefined : read(facts.samples, result);
    const behavior = behaviors.get(name) ?? (() => sample);
    put(handlers, path, (params, context) => {
      calls.push({ method: name, params });
      if (own === undefined) return behavior(params, context, sample);
      return (own as Handler).call(holder, params, context);
    });
  }
  return { handlers: handlers as Handlers, calls };
}

/** Computes a result that depends on the request; receives the sample of the result. */
type Behavior = (params: unknown, context: unknown, sample: unknown) => unknown;

function createBehaviors(facts: MockFacts): ReadonlyMap<string, Behavior> {
  const turns = createTurns(facts.updates);
  const archive = facts.methods.find(({ name }) => name === "session/archive");
  const hasArchive = archive !== undefined && isAdvertised(archive.gate, facts);
  return new Map<string, Behavior>([
    ["session/prompt", turns.run],
    ["session/cancel", turns.cancel],
    ["session/resume", turns.resume],
    ["session/list", (_params, _context, sample) => (hasArchive ? unarchived(sample) : sample)],
    ["session/request_permission", allow],
  ]);
}

function isAdvertised(gate: MethodDescriptor["gate"], { role, advertised }: MockFacts): boolean {
  if (gate === undefined || gate.kind === "always" || gate.side !== role) return true;
  return missingCapability(gate, { [role]: advertised }) === undefined;
}

/** Adds `archived: false` to each session of a list, which agents with an archive must send. */
function unarchived(sample: unknown): unknown {
  const sessions = read(sample, "sessions");
  if (!isRecord(sample) || !Array.isArray(sessions)) return sample;
  const withArchived = (session: unknown): unknown => ({ archived: false, ...(session as object) });
  return { ...sample, sessions: sessions.map(withArchived) };
}

/** Selects the first option of a permission request. */
function allow(params: unknown, _context: unknown, sample: unknown): unknown {
  const options = read(params, "options");
  const optionId = Array.isArray(options) ? read(options[0], "optionId") : undefined;
  const outcome =
    optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
  return { ...(isRecord(sample) && sample), outcome };
}

function read(holder: unknown, name: string): unknown {
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

type Group = Record<string, unknown>;

/** Without a prototype, so that any name can be a key. */
function emptyGroup(): Group {
  return Object.create(null) as Group;
}

function put(handlers: Group, path: readonly string[], handler: Handler): void {
  let group = handlers;
  for (const name of path.slice(0, -1)) group = (group[name] ??= emptyGroup()) as Group;
  group[path.at(-1)!] = handler;
}
