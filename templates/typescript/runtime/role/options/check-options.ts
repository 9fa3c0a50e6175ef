import { findInitialize } from "../../find-method.js";
import { isRecord } from "../../rpc/messages.js";
import { checkSettings, type Kinds } from "../../rpc/require-argument.js";
import type { Checks, MethodDescriptor } from "../../methods.js";
import { explainRejected } from "../../validate/encode.js";
import { fieldsOf, formOf, type Check, type CheckNode } from "../../validate/check.js";
import type { ConnectionLimits } from "../../rpc/limits.js";
import type { WhileBusy } from "../while-busy.js";
import { didYouMean } from "../../did-you-mean.js";
import * as sentences from "../../sentences.js";
import { AcpError } from "../../acp-error.js";

/** The treatment of tags and values that the protocol does not define. */
export type UnknownValues = "keep" | "reject";

/** The part of a role's definition that `checkOptions` checks. */
export interface CheckedOptions {
  readonly role: "agent" | "client";
  readonly required?: readonly string[];
  readonly protocolVersion: number;
  readonly methods: readonly MethodDescriptor[];
  readonly checks: Checks;
  readonly checkOutgoing?: boolean;
  readonly advertised: object;
  readonly handlers: object;
  readonly unknown?: UnknownValues | { readonly [method: string]: UnknownValues };
  readonly whileBusy?: WhileBusy;
  readonly limits?: ConnectionLimits;
}

/** The options of a role; others are ignored unless they resemble one of these. */
export const OPTIONS: Kinds = {
  info: undefined,
  capabilities: undefined,
  authMethods: undefined,
  handlers: undefined,
  extensions: undefined,
  intercept: "a function",
  onError: "a function",
  onNotes: "a function",
  onAuthRequired: "a function",
  checkOutgoing: "true or false",
  unknown: undefined,
  whileBusy: undefined,
  sessionStore: sentences.storeSetting,
  limits: "an object",
};

/** The facts that generated code adds to the options. */
const FACTS = new Set([
  ...["role", "required", "protocolVersion", "methods", "checks"],
  ...["advertised", "sessions", "adapt", "prepare"],
]);

/**
 * Checks at run time what TypeScript checks at compile time, for programs in plain JavaScript.
 *
 * @throws AcpError for a missing or misspelled option, for information or capabilities that the schema rejects,
 *   for a treatment of unknown values or of prompts that does not exist, for a handler whose name matches no
 *   method, for a handler that is not a function, and for another option of a wrong type
 */
export function checkOptions(definition: CheckedOptions): void {
  const { role, methods, required = [], handlers } = definition;
  for (const name of required) {
    if ((definition as unknown as Record<string, unknown>)[name] == null)
      throw new AcpError(sentences.missingSetting(name, role));
  }
  checkSettings("", definition, OPTIONS, FACTS);
  checkAdvertised(definition);
  checkUnknown(definition);
  checkLimits(definition.limits);
  if (definition.whileBusy !== undefined)
    checkChoice("whileBusy", definition.whileBusy, WHILE_BUSY);
  if (!isRecord(handlers))
    throw new AcpError("handlers is missing: it holds the functions by method");
  checkNames(
    handlers,
    methods.filter(({ side }) => side === role),
    definition.checks,
  );
}

const UNKNOWN: readonly string[] = ["keep", "reject"] satisfies UnknownValues[];
const WHILE_BUSY: readonly string[] = ["parallel", "queue", "refuse"] satisfies WhileBusy[];

/**
 * Checks an option with a list of choices.
 *
 * @param other describes a further choice, for the message
 * @throws AcpError for a value that is not one of the choices
 */
export function checkChoice(
  path: string,
  value: unknown,
  choices: readonly string[],
  ...other: readonly string[]
): void {
  if (choices.includes(value as string)) return;
  const quoted = [...choices.map((choice) => `"${choice}"`), ...other];
  const list = [quoted.slice(0, -1).join(", "), quoted.at(-1)].join(" or ");
  const suggestion = typeof value === "string" ? didYouMean(value, choices) : "";
  throw new AcpError(sentences.wrongChoice(path, list, suggestion));
}

function checkUnknown({ role, methods, unknown }: CheckedOptions): void {
  const check = (path: string, value: unknown): void => {
    if (value !== undefined) checkChoice(path, value, UNKNOWN);
  };
  if (!isRecord(unknown)) return check("unknown", unknown);
  const requests = methods.filter(({ side, kind }) => side === role && kind === "request");
  const names = requests.map(({ name }) => name);
  for (const [name, value] of Object.entries(unknown)) {
    if (!names.includes(name))
      throw new AcpError(
        `unknown: ${sentences.notHandled(name, "request", role, didYouMean(name, names))}`,
      );
    check(`unknown[${JSON.stringify(name)}]`, value);
  }
}

function checkLimits(limits: object = {}): void {
  for (const name of Object.keys(limits)) {
    if (!Object.hasOwn(LIMITS, name))
      throw new AcpError(`limits.${name} is not a limit${didYouMean(name, Object.keys(LIMITS))}`);
  }
  checkSettings("limits.", limits, LIMITS);
}

const LIMITS: Record<keyof ConnectionLimits, Kinds[string]> = {
  maxInFlight: sentences.countSetting,
  maxInvalidInRow: sentences.countSetting,
  cancelGraceMs: sentences.timeSetting,
  endGraceMs: sentences.timeSetting,
  stallMs: sentences.timeSetting,
};

function checkAdvertised(definition: CheckedOptions): void {
  const { role, protocolVersion, methods, checks, advertised } = definition;
  const initialize = findInitialize(methods);
  const message = role === "agent" ? initialize?.result : initialize?.params;
  const check = message === undefined ? undefined : checks[message];
  if (check === undefined || definition.checkOutgoing === false) return;
  const [error] = explainRejected(check, { protocolVersion, ...advertised }, 1);
  if (error === undefined) return;
  const path = error.pointer.split("/").slice(1);
  if (error.rule !== "undeclared")
    throw new AcpError(`${path.join(".")}: expected ${error.expected}, found ${error.found}`);
  const names = namesAt(check, path.slice(0, -1));
  throw new AcpError(`${path.join(".")} is not declared${didYouMean(path.at(-1)!, names)}`);
}

/** Returns the names of the properties that are declared at a path of a message. */
function namesAt(message: Check, path: readonly string[]): string[] {
  let fields = fieldsOf(message);
  for (const name of path) {
    const node: CheckNode | undefined = fields.find(([declared]) => declared === name)?.[1];
    fields = node === undefined ? [] : fieldsOf(node);
  }
  return fields.map(([name]) => name);
}

/**
 * Checks the names in a group of handlers. Instances of classes and other objects that are not
 * plain may have additional properties.
 *
 * @param checks determine the variants for which a method may have handlers; not checked without them
 * @param root the name of the option, for messages
 * @throws AcpError for a name that matches no method, and for a handler that is not a function
 */
export function checkNames(
  group: Readonly<Record<string, unknown>>,
  methods: readonly MethodDescriptor[],
  checks?: Checks,
  root = "handlers",
  depth = 0,
): void {
  const prototype: unknown = Object.getPrototypeOf(group);
  const isPlain = prototype === Object.prototype || prototype === null;
  for (const [name, given] of Object.entries(group)) {
    const found = methods.filter(({ handler }) => handler[depth] === name);
    const [first] = found;
    if (first === undefined) {
      if (!isPlain) continue;
      const known = new Set(methods.flatMap(({ handler }) => handler[depth] ?? []));
      const path = [...(methods[0]?.handler.slice(0, depth) ?? []), name].join(".");
      throw new AcpError(sentences.unmatchedHandler(`${root}.${path}`, didYouMean(name, known)));
    }
    const path = first.handler.slice(0, depth + 1).join(".");
    if (given === undefined || typeof given === "function") continue;
    const isGroup = first.handler.length > depth + 1;
    if (!isRecord(given) || (!isGroup && first.variants === undefined))
      throw new AcpError(
        `${root}.${path} must be ${isGroup ? "an object with handlers" : "a function"}`,
      );
    if (isGroup) checkNames(given, found, checks, root, depth + 1);
    else checkVariants(given, `${root}.${path}`, variantsOf(first, checks));
  }
}

/** Returns the tags of the variants that a method's handlers may have; empty when they are not known. */
function variantsOf(
  { params, variants }: MethodDescriptor,
  checks: Checks | undefined,
): readonly string[] {
  const check = checks?.[params];
  const field = check && fieldsOf(check).find(([name]) => name === variants?.field)?.[1];
  const form = field && formOf(field);
  return form?.[0] === "tagged" ? Object.keys(form[2]) : [];
}

function checkVariants(
  handlers: Readonly<Record<string, unknown>>,
  path: string,
  known: readonly string[],
): void {
  const unknown = Object.keys(handlers).find(
    (name) => known.length > 0 && !known.includes(name) && name !== "*" && !name.startsWith("_"),
  );
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known) || `; "*" handles what has no handler of its own`;
    throw new AcpError(`${path}.${unknown} does not match a variant${hint}`);
  }
  const wrong = Object.entries(handlers).find(
    ([, given]) => given !== undefined && typeof given !== "function",
  );
  if (wrong !== undefined) throw new AcpError(`${path}.${wrong[0]} must be a function`);
}
