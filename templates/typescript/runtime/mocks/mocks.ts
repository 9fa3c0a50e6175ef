import { isPresent, missingCapability, pathText, read } from "../gates/capability.js";
import { keyOfEntry } from "../gates/entry-gates.js";
import { isRecord } from "../rpc/messages.js";
import type { MethodDescriptor } from "../methods.js";
import { didYouMean } from "../did-you-mean.js";
import { findHandler, type Handler } from "../role/options/handlers.js";
import { createTurns } from "./mock-turns.js";
import { checkMockOptions, checkScriptsAreUsed } from "./check-mock-options.js";
import type { MockFacts, MockOptions } from "./mock-facts.js";
import { createUser, type Behavior, type UserScripts } from "./mock-user.js";
import { AcpError } from "../acp-error.js";

/** A message that a mock has received. */
export interface MockCall {
  /** The method's name on the wire. */
  readonly method: string;
  readonly params: unknown;
}

/** The messages that a mock has received, in order, except `initialize`. */
export interface Received<Call extends MockCall> {
  readonly calls: readonly Call[];
  /**
   * Returns the params of the calls of one method, in order.
   *
   * @throws AcpError for a name that is not a method of the mock's role
   */
  paramsOf<Method extends Call["method"]>(
    method: Method,
  ): readonly Extract<Call, { readonly method: Method }>["params"][];
}

/** Replacements for some of the handlers of a role, in the same groups. */
export type Overrides<Handlers> = {
  readonly [Name in keyof Handlers]?: NonNullable<Handlers[Name]> extends (
    ...args: never[]
  ) => unknown
    ? NonNullable<Handlers[Name]>
    : Overrides<NonNullable<Handlers[Name]>>;
};

/**
 * Creates the options of a role with a handler for every method whose capability is advertised.
 * Handlers answer requests with samples and record everything that they receive.
 *
 * @throws AcpError for options that do not exist, and when a script of the user is never used, since its
 *   capability is not advertised
 */
export function createMock<Options, Call extends MockCall>(
  facts: MockFacts,
  given: MockOptions = {},
): { readonly options: Options; readonly received: Received<Call> } {
  const own = facts.methods.filter(
    ({ side, name }) => side === facts.role && name !== "initialize",
  );
  checkMockOptions(facts, given, own);
  const { capabilities = "none", handlers: overrides = {}, user = {}, ...others } = given;
  const options: Record<string, unknown> = {
    ...facts.options,
    ...(capabilities === "all" ? facts.all : isRecord(capabilities) && { capabilities }),
    ...others,
  };
  const advertised = Object.fromEntries(
    Object.entries(facts.fields).map(([option, field]) => [field, options[option]]),
  );
  const handled = handledMethods(own, advertised, overrides, capabilities === "none");
  checkScriptsAreUsed(facts, user, handled);
  const behaviors = createBehaviors(facts, handled, user);
  const calls: MockCall[] = [];
  const handlers = emptyGroup();
  for (const method of handled) {
    const { name, result } = method;
    const sample = result === undefined ? undefined : read(facts.samples, result);
    const behavior = behaviors.get(name) ?? (() => sample);
    const override = findHandler(overrides, method);
    put(handlers, method.handler, (params, context) => {
      calls.push({ method: name, params });
      return override === undefined ? behavior(params, context, sample) : override(params, context);
    });
  }
  const names = own.map(({ name }) => name);
  const paramsOf = (method: string): readonly unknown[] => {
    if (!names.includes(method)) {
      const suggestion = didYouMean(method, names);
      throw new AcpError(`${method} is not a method that the ${facts.role} handles${suggestion}`);
    }
    return calls.filter((call) => call.method === method).map(({ params }) => params);
  };
  return {
    options: { ...options, handlers } as Options,
    received: { calls, paramsOf } as unknown as Received<Call>,
  };
}

/**
 * Returns the methods that a mock handles: those that need no capability, those whose capability is
 * advertised, and those that share the capability of an override, which it advertises as every
 * handler does.
 *
 * @param own the methods of the mock's role
 * @param isBare whether the mock only has the capability, if any, without which no session can be created
 */
function handledMethods(
  own: readonly MethodDescriptor[],
  advertised: object,
  overrides: object,
  isBare: boolean,
): readonly MethodDescriptor[] {
  const isGiven = (method: MethodDescriptor): boolean =>
    (isBare && method.name === "session/new") || findHandler(overrides, method) !== undefined;
  const granted = new Set(own.filter(isGiven).map(capabilityOf));
  return own.filter((method) => {
    const { gate, side } = method;
    if (gate === undefined || gate.kind === "always" || gate.side !== side) return true;
    if (isGiven(method) || (gate.kind === "capability" && granted.has(capabilityOf(method))))
      return true;
    if (gate.kind !== "entry") return missingCapability(gate, { [side]: advertised }) === undefined;
    const entries = gate.path.reduce<unknown>(read, advertised);
    return Array.isArray(entries) && entries.some((entry) => isPresent(keyOfEntry(gate, entry)));
  });
}

function capabilityOf({ gate }: MethodDescriptor): string | undefined {
  return gate?.kind === "capability" ? pathText(gate.path) : undefined;
}

function createBehaviors(
  { updates }: MockFacts,
  handled: readonly MethodDescriptor[],
  user: UserScripts,
): ReadonlyMap<string, Behavior> {
  const turns = createTurns(updates);
  const hasArchive = handled.some(({ name }) => name === "session/archive");
  return new Map<string, Behavior>([
    ["session/prompt", turns.run],
    ["session/cancel", turns.cancel],
    ["session/list", (_params, _context, sample) => (hasArchive ? unarchived(sample) : sample)],
    ...createUser(user),
  ]);
}

/** Adds `archived: false` to each session of a list, which agents with an archive must send. */
function unarchived(sample: unknown): unknown {
  const sessions = read(sample, "sessions");
  if (!isRecord(sample) || !Array.isArray(sessions)) return sample;
  const withArchived = (session: unknown): unknown => ({ archived: false, ...(session as object) });
  return { ...sample, sessions: sessions.map(withArchived) };
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
