import { isPresent, missingCapability, read } from "../gates/capability.js";
import { keyOfEntry } from "../gates/entry-gates.js";
import { isRecord } from "../rpc/messages.js";
import type { MethodDescriptor } from "../methods.js";
import { createTurns } from "./mock-turns.js";
import { createUser, USER_METHODS, type Behavior, type UserScripts } from "./mock-user.js";

/** A message that a mock has received. */
export interface MockCall {
  /** The method's name on the wire. */
  readonly method: string;
  readonly params: unknown;
}

/** The messages that a mock has received, in order, except `initialize`. */
export interface Received<Call extends MockCall> {
  readonly calls: readonly Call[];
  /** Returns the params of the calls of one method, in order. */
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

/** The data that a mock is created from. */
export interface MockFacts {
  readonly role: "agent" | "client";
  readonly methods: readonly MethodDescriptor[];
  /** Valid values by definition, which contain the results. */
  readonly samples: object;
  /** One session update of every variant, by its tag, which the agent streams during a prompt. */
  readonly updates: object;
  /** The property of the role's initialize message for each of the role's options. */
  readonly fields: { readonly [option: string]: string };
  /** The default options of the role. */
  readonly options: object;
  /** The options of a role that advertises everything. */
  readonly all: object;
}

/** The options of a mock besides those of its role. */
export interface MockOptions {
  readonly capabilities?: unknown;
  readonly handlers?: object;
  readonly user?: object;
}

type Handler = (params: unknown, context: unknown) => unknown;

/**
 * Creates the options of a role with a handler for every method whose capability is advertised.
 * Handlers answer requests with samples and record everything that they receive.
 *
 * @throws Error when a script of the user is never used, since its capability is not advertised
 */
export function createMock<Options, Call extends MockCall>(
  facts: MockFacts,
  { capabilities = "none", handlers: overrides = {}, user = {}, ...others }: MockOptions = {},
): { readonly options: Options; readonly received: Received<Call> } {
  const options: Record<string, unknown> = {
    ...facts.options,
    ...(capabilities === "all" ? facts.all : isRecord(capabilities) && { capabilities }),
    ...others,
  };
  const advertised = Object.fromEntries(
    Object.entries(facts.fields).map(([option, field]) => [field, options[option]]),
  );
  const handled = handledMethods(facts, advertised, overrides, capabilities === "none");
  checkUser(facts, user, handled);
  const behaviors = createBehaviors(facts, handled, user);
  const calls: MockCall[] = [];
  const handlers = emptyGroup();
  for (const { name, result, handler: path } of handled) {
    const sample = result === undefined ? undefined : read(facts.samples, result);
    const behavior = behaviors.get(name) ?? (() => sample);
    const holder = path.slice(0, -1).reduce<unknown>(read, overrides);
    const own = read(holder, path.at(-1)!);
    put(handlers, path, (params, context) => {
      calls.push({ method: name, params });
      if (own === undefined) return behavior(params, context, sample);
      return (own as Handler).call(holder, params, context);
    });
  }
  const paramsOf = (method: string): readonly unknown[] =>
    calls.filter((call) => call.method === method).map(({ params }) => params);
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
 * @param isBare whether the mock only has the capability, if any, without which no session can be created
 */
function handledMethods(
  { role, methods }: MockFacts,
  advertised: object,
  overrides: object,
  isBare: boolean,
): readonly MethodDescriptor[] {
  const own = methods.filter(({ side, name }) => side === role && name !== "initialize");
  const isGiven = ({ name, handler }: MethodDescriptor): boolean =>
    (isBare && name === "session/new") || handler.reduce<unknown>(read, overrides) !== undefined;
  const granted = new Set(own.filter(isGiven).map(capabilityOf));
  return own.filter((method) => {
    const { gate } = method;
    if (gate === undefined || gate.kind === "always" || gate.side !== role) return true;
    if (isGiven(method) || (gate.kind === "capability" && granted.has(capabilityOf(method))))
      return true;
    if (gate.kind !== "entry") return missingCapability(gate, { [role]: advertised }) === undefined;
    const entries = gate.path.reduce<unknown>(read, advertised);
    return Array.isArray(entries) && entries.some((entry) => isPresent(keyOfEntry(gate, entry)));
  });
}

function capabilityOf({ gate }: MethodDescriptor): string | undefined {
  return gate?.kind === "capability" ? gate.path.join(".") : undefined;
}

function checkUser(
  { methods }: MockFacts,
  user: object,
  handled: readonly MethodDescriptor[],
): void {
  for (const [script, name] of Object.entries(USER_METHODS)) {
    if (read(user, script) === undefined || handled.some((method) => method.name === name))
      continue;
    const gate = methods.find((method) => method.name === name)?.gate;
    const path = gate === undefined || gate.kind === "always" ? name : gate.path.join(".");
    throw new Error(
      `user.${script} is given, but ${path} is not advertised: add it to capabilities`,
    );
  }
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
    ["session/resume", turns.resume],
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
