import { pathText, read } from "../gates/capability.js";
import type { MethodDescriptor } from "../methods.js";
import { checkChoice, checkNames, OPTIONS } from "../role/options/check-options.js";
import { checkSettings, requireArgument, type Kinds } from "../rpc/require-argument.js";
import { didYouMean } from "../did-you-mean.js";
import { isRecord } from "../rpc/messages.js";
import type { MockFacts, MockOptions } from "./mock-facts.js";
import { USER_METHODS } from "./mock-user.js";
import { AcpError } from "../acp-error.js";

/**
 * Checks at run time what TypeScript checks at compile time, for programs in plain JavaScript.
 *
 * @param own the methods of the mock's role
 * @throws AcpError for capabilities, handlers and answers of the user that do not exist
 */
export function checkMockOptions(
  { permissionKinds = [] }: MockFacts,
  given: MockOptions,
  own: readonly MethodDescriptor[],
): void {
  requireArgument("a mock", given, "an object", `createMockAgent({ capabilities: "all" })`);
  const { capabilities = "none", handlers = {}, user = {} } = given;
  const kinds: Kinds = { ...OPTIONS, handlers: "an object", user: "an object" };
  const names = Object.keys(kinds);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new AcpError(
      unknown in USER_METHODS
        ? `${unknown} is an option of the user: user: { ${unknown}: … }`
        : `${unknown} is not an option of a mock${didYouMean(unknown, names)}`,
    );
  checkSettings("", given, kinds);
  if (!isRecord(capabilities))
    checkChoice("capabilities", capabilities, ["none", "all"], "an object with capabilities");
  checkNames(handlers as Readonly<Record<string, unknown>>, own);
  const scripts = Object.keys(USER_METHODS);
  for (const name of Object.keys(user)) {
    if (!scripts.includes(name))
      throw new AcpError(`user.${name} is not an option${didYouMean(name, scripts)}`);
  }
  for (const answer of answersOf(read(user, "permission"))) {
    const isCustom = typeof answer === "string" && answer.startsWith("_");
    if (isCustom || typeof read(answer, "optionId") === "string") continue;
    checkChoice("user.permission", answer, [...permissionKinds, "cancelled"], "{ optionId }");
  }
  for (const answer of answersOf(read(user, "elicitation"))) {
    if (isRecord(answer)) continue;
    const choices = ["accept", "decline", "cancel"];
    checkChoice("user.elicitation", answer, choices, "an object with the content of the form");
  }
}

/** Returns the answers of a script that are known before it runs. */
function answersOf(script: unknown): readonly unknown[] {
  if (script === undefined || typeof script === "function") return [];
  return Array.isArray(script) ? script : [script];
}

/** @throws AcpError when a script of the user is never used, since its capability is not advertised */
export function checkScriptsAreUsed(
  { methods }: MockFacts,
  user: object,
  handled: readonly MethodDescriptor[],
): void {
  for (const [script, name] of Object.entries(USER_METHODS)) {
    if (read(user, script) === undefined || handled.some((method) => method.name === name))
      continue;
    const gate = methods.find((method) => method.name === name)?.gate;
    const path = gate === undefined || gate.kind === "always" ? name : pathText(gate.path);
    throw new AcpError(
      `user.${script} is given, but ${path} is not advertised: add it to capabilities`,
    );
  }
}
